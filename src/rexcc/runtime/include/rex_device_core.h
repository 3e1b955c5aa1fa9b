// SPDX-License-Identifier: Apache-2.0
//
// The basis of the other rex_device_*.h: where a thread stands in its launch, literal parameters, index arithmetic.
// Included by rex_nvidia.h, for nvcc and for the CPU device alike.
#ifndef REX_DEVICE_CORE_H
#define REX_DEVICE_CORE_H

#include <stdio.h>
#include <stdlib.h>

#include <limits>
#include <type_traits>

#include "rex_device_warp.h"

// Files whose device code is linked together have one copy, and with it one of the state that some functions keep.
#ifdef REX_LINKED_UNITS
#define REX_DEVICE __device__ inline
#else
#define REX_DEVICE __device__ static inline
#endif

// The code that two kernels share; the CPU device has one for grids of all sizes and nests of any count.
#ifdef __CUDACC__
#define REX_HAS_SMALL_GRIDS
#define REX_HAS_WIDE_NESTS
#define REX_HAS_LARGE_BLOCKS
#endif
// What counts up to 2^30 iterations of a nest (lowering/loops/narrow_nests.py). Tests have narrow numbers on the CPU, too.
#if defined(__CUDACC__) || defined(REX_NARROW_ON_CPU)
typedef unsigned rex_narrow_number;
#else
typedef long long rex_narrow_number;
#endif
#define REX_KERNEL_CODE __device__ static inline __attribute__((always_inline))

#ifdef __CUDACC__
// CUDA's __ldg is volatile assembly: the compiler does not unroll loops with it, and neither merges nor moves the loads.
// A plain load through a parameter that is __restrict__ and only read becomes the same instruction without that cost
// (lowering/cleanups/restrict_read_only.py, docs/decisions/028-restrict-and-ldg.md).
template <class T> REX_DEVICE T rex_ldg(const T *p) { return *p; }
#define __ldg rex_ldg
#endif

#define REX_ARITHMETIC REX_DEVICE
#include "rex_divide.h"
#include "rex_tripcount.h"

namespace rex_detail {

// Ends the program where an array has no memory. A GPU says no more than that a kernel has failed, the host says why
// that may be: with a kernel that may print, or fail an assertion, the driver makes a buffer before the first launch.
REX_DEVICE void end_without_memory(const char *whose, unsigned long long size) {
#ifdef __CUDACC__
  __trap();
#else
  printf("rex: no device memory is left for %llu %s; LIBOMPTARGET_HEAP_SIZE can give more\n", size, whose);
  abort();
#endif
}

} // namespace rex_detail

// The types of copies in templates: of a value, of an object with the qualifiers that it has, of the elements of arrays.
template <class T> using rex_type = T;
template <class T> using rex_object_type = typename std::remove_reference<T>::type;
template <class T> using rex_value_type = typename std::remove_cv<rex_object_type<T>>::type;
template <class T> using rex_element_type = typename std::remove_all_extents<rex_object_type<T>>::type;

// A factor to the power of a number, which may be negative for none; no square on the way is greater than the result.
template <class T> REX_DEVICE T rex_power(T factor, long long number) {
  T product = 1;
  for (; number > 0; number >>= 1) {
    if (number & 1) product *= factor;
    if (number > 1) factor *= factor;
  }
  return product;
}

// An int that has no negative value, from the number that counts it. Told so, compilers take the number for the index
// itself and add up addresses; else they compute each one of its lower half.
template <class Index> REX_DEVICE Index rex_index(long long number) {
  static_assert(std::is_same<Index, int>::value, "other types have other ranges");
#ifdef __CUDACC__
  __builtin_assume(number >= 0 && number <= 0x7fffffff);
#endif
  return (Index)number;
}

// A scalar parameter: its bytes, zero-extended.
typedef unsigned long long rex_literal;

template <class T> REX_DEVICE T rex_unpack(rex_literal bytes) {
  static_assert(sizeof(T) <= sizeof(rex_literal), "larger values are passed by address");
  T value;
  __builtin_memcpy(&value, &bytes, sizeof(T));
  return value;
}

// The device's value of an object that it has at an address, the host's where it has none. The object may be a member of a
// packed structure, so it is read as bytes. A test of the address would have nvcc take no pointer that the kernel reads in
// memory, a structure's member, for one to global memory: each atomic addition there would try all kinds of memory.
template <class T> REX_DEVICE T rex_device_value(const void *device, T host) {
  if (!device) return host;
  T value;
  __builtin_memcpy(&value, device, sizeof(T));
  return value;
}

// Whether some addresses are all different from one: what is there may be loaded before that is stored to.
template <class T> REX_DEVICE bool rex_differs(const T *) { return true; }
template <class T, class Other, class... More>
REX_DEVICE bool rex_differs(const T *place, const Other *other, const More *...more) {
  return (static_cast<const void *>(place) != static_cast<const void *>(other)) & rex_differs(place, more...);
}

// Whether the device's value is the host's, and the value in the two forms of a kernel that asks this where it starts
// (lowering/loops/asked_bounds.py): in that of the narrow number it is.
template <class T> REX_DEVICE bool rex_is_hosts(const void *device, T host) {
  return !device || *(const T *)__builtin_assume_aligned(device, alignof(T)) == host;
}
template <class N, class T, class H> REX_DEVICE H rex_bound_of(const void *device, H host) {
  return sizeof(N) < sizeof(long long) ? host : (H)rex_device_value<T>(device, (T)host);
}

// The same for a bit-field: count bits, from the bit first on.
template <class T, int first, int count> REX_DEVICE T rex_device_bits(const void *device, T host) {
  if (!device) return host;
  unsigned long long bits = 0;
  for (int byte = 0; byte < (first + count + 7) / 8; byte++)
    bits |= (unsigned long long)((const unsigned char *)device)[byte] << 8 * byte;
  const int above = 64 - count;
  bits = bits >> first << above;
  return (T)-1 < (T)0 ? (T)((long long)bits >> above) : (T)(bits >> above);
}

// What a copy of an object is made of: the object as a constant, where that will do. From any other object a class may make
// copies by a template of constructors, which takes all that is not constant; nvcc also of what functions return, which a
// reference (T &&) keeps as it is.
template <class T, bool = (__is_class(T) || __is_union(T)) && __is_constructible(T, const T &)> struct rex_copied {
  using from = const T &;
};
template <class T> struct rex_copied<T, false> {
  using from = T &;
};
#define REX_COPIED(T, ...) static_cast<typename rex_copied<T>::from>(__VA_ARGS__)
template <class T> REX_DEVICE typename rex_copied<T>::from rex_as_copied(T &object) { return object; }
template <class T> REX_DEVICE const T &rex_as_copied(const T &object) { return object; }

// A small structure, eight bytes in each parameter.
template <class T, class... Words> REX_DEVICE T rex_unpack_object(Words... words) {
  union Object {
    T value;
    __device__ Object() {}
  } object;
  const rex_literal bytes[] = {words...};
  static_assert(sizeof(T) <= sizeof bytes, "larger objects are passed by address");
  __builtin_memcpy((void *)__builtin_addressof(object.value), bytes, sizeof(T));
  return REX_COPIED(T, object.value);
}

// The same of an object that the device may have, at an address; its value counts then.
template <class T, class... Words> REX_DEVICE T rex_object_there(const void *device, Words... words) {
  return device ? *static_cast<const T *>(device) : rex_unpack_object<T>(words...);
}

// The end of a loop that counts up from 0 or more, to compare unsigned numbers with.
REX_DEVICE unsigned rex_up_to(int bound) { return bound > 0 ? (unsigned)bound : 0; }

// The next value of an index whose loop has a thread for each iteration (lowering/loops/single_iteration.py): on a GPU it is beyond
// every bound, so that nothing is left of the loop. The CPU device has fewer threads.
#ifdef __CUDACC__
REX_DEVICE long long rex_next_up(long long, long long) { return 0x7fffffffffffffffll; }
REX_DEVICE long long rex_next_down(long long, long long) { return -0x7fffffffffffffffll - 1; }
#else
REX_DEVICE long long rex_next_up(long long index, long long stride) { return index + stride; }
REX_DEVICE long long rex_next_down(long long index, long long stride) { return index - stride; }
#endif

// The same where the launch decides which of two kernels it takes: that of the narrow number has a thread for each iteration
// (lowering/loops/threads_of_run.py). A counter of 32 bits is below its end, so the greatest number is beyond that.
template <class N> REX_DEVICE long long rex_next_up(long long index, long long stride) {
  return sizeof(N) < sizeof index ? rex_next_up(index, stride) : index + stride;
}
template <class N> REX_DEVICE long long rex_next_down(long long index, long long stride) {
  return sizeof(N) < sizeof index ? rex_next_down(index, stride) : index - stride;
}
template <class N> REX_DEVICE unsigned rex_next_count(unsigned count, unsigned stride) {
  return sizeof(N) < sizeof(long long) ? (unsigned)rex_next_up(count, stride) : count + stride;
}
template <class N> REX_DEVICE long long rex_next_count(long long count, long long stride) { return count + stride; }

// k / n and k % n for k >= 0, n > 0. Division of 64-bit numbers is slow on a GPU and rarely needed.
REX_DEVICE void rex_divmod(long long k, long long n, long long *quotient, long long *remainder) {
  if (((k | n) >> 32) == 0) {
    unsigned small_k = (unsigned)k, small_n = (unsigned)n, q = small_k / small_n;
    *quotient = q;
    *remainder = small_k - q * small_n;
  } else {
    *quotient = k / n;
    *remainder = k - *quotient * n;
  }
}

// n / d and n % d as C has them, by what the host has made of d.
REX_DEVICE int rex_quotient(int n, rex_divisor by) {
#ifdef __CUDA_ARCH__
  int high = __mulhi(by.multiplier, n);
#else
  int high = (int)((long long)by.multiplier * n >> 32);
#endif
  int q = (int)((unsigned)by.factor * (unsigned)n + (unsigned)high);
  return (q >> by.shift) + (int)((unsigned)(by.factor > 0 ? n : q) >> 31);
}
REX_DEVICE int rex_remainder(int n, int d, rex_divisor by) {
  return (int)((unsigned)n - (unsigned)rex_quotient(n, by) * (unsigned)d);
}

// The same for unsigned numbers.
REX_DEVICE unsigned rex_unsigned_quotient(unsigned n, rex_divisor by) {
#ifdef __CUDA_ARCH__
  unsigned high = __umulhi((unsigned)by.multiplier, n);
#else
  unsigned high = (unsigned)((unsigned long long)(unsigned)by.multiplier * n >> 32);
#endif
  return (high + ((n - high) >> (unsigned short)by.factor)) >> (unsigned short)by.shift;
}
REX_DEVICE unsigned rex_unsigned_remainder(unsigned n, unsigned d, rex_divisor by) {
  return n - rex_unsigned_quotient(n, by) * d;
}

// n % d where n is not negative and less than 2 * d.
REX_DEVICE int rex_wrapped(int n, int d) { return n < d ? n : n - d; }

// The same as above for an n of which the host has made something, unless there are 2^31 iterations and more.
REX_DEVICE void rex_divmod(long long k, long long n, rex_divisor by, long long *quotient, long long *remainder) {
  if (by.multiplier != 0) {
    int small = (int)k, q = rex_quotient(small, by);
    *quotient = q;
    *remainder = small - q * (int)n;
  } else {
    *quotient = k / n;
    *remainder = k - *quotient * n;
  }
}

// Both for numbers that have 32 bits: of no more than 2^30 iterations.
REX_DEVICE void rex_divmod(unsigned k, unsigned n, unsigned *quotient, unsigned *remainder) {
  *quotient = k / n;
  *remainder = k - *quotient * n;
}
REX_DEVICE void rex_divmod(unsigned k, unsigned n, rex_divisor by, unsigned *quotient, unsigned *remainder) {
#ifdef __CUDA_ARCH__
  int high = __mulhi(by.multiplier, (int)k);
#else
  int high = (int)((long long)by.multiplier * (int)k >> 32);
#endif
  *quotient = (k + (unsigned)high) >> (unsigned short)by.shift; // as rex_quotient does where both are positive
  *remainder = k - *quotient * n;
}

// What a nest whose bounds are the device's is counted and divided by, in two forms: where these are not the host's, what
// the host has counted is nothing to go by.
struct rex_no_divisor {
  __device__ rex_no_divisor(rex_divisor) {}
};
template <class N> using rex_divisor_in = typename std::conditional<sizeof(N) == 8, rex_no_divisor, rex_divisor>::type;
template <class N> REX_DEVICE rex_divisor_in<N> rex_divisor_of(rex_divisor by) { return by; }
REX_DEVICE void rex_divmod(long long k, long long n, rex_no_divisor, long long *quotient, long long *remainder) {
  rex_divmod(k, n, quotient, remainder);
}
template <class N> REX_DEVICE N rex_count_of(long long hosts, N devices) {
  return sizeof(N) < sizeof hosts ? (N)hosts : devices;
}

// The next iteration of a nest that has a thread for each: on a GPU there is none, unless threads are fewer than 2^31
// iterations need. The CPU device has fewer threads.
REX_DEVICE long long rex_next(long long iteration, long long threads, long long count) {
#ifdef __CUDACC__
  if (count < 1ll << 31) return 0x7fffffffffffffffll;
#endif
  return iteration + threads;
}

// The same for no more than 2^30 iterations.
REX_DEVICE unsigned rex_next(unsigned iteration, unsigned threads, unsigned) {
#ifdef __CUDACC__
  return 0xffffffffu;
#else
  return iteration + threads;
#endif
}

// The step of a 32-bit counter below 2^31: what is larger steps beyond all iterations as well, but could wrap.
REX_DEVICE unsigned rex_stride(unsigned threads) { return threads < 1u << 31 ? threads : 1u << 31; }

// Trip counts (rex_tripcount.h) of loops in a nest whose iterations are known to be no more than N counts: then so are each
// loop's, or there is no iteration. `rex_extent_*` are for where there is one.
#define REX_COUNT(relation, from, is_any, to, end)                                                                      \
  template <class N> REX_DEVICE N rex_extent_##relation(long long lower, long long bound, long long step) {             \
    if (sizeof(N) == 8) return (N)rex_tripcount_##relation(lower, bound, step);                                         \
    return (N)(((unsigned long long)to - (unsigned long long)from - end) / (unsigned long long)step + 1);              \
  }                                                                                                                    \
  template <class N> REX_DEVICE N rex_count_##relation(long long lower, long long bound, long long step) {              \
    return from is_any to ? rex_extent_##relation<N>(lower, bound, step) : 0;                                          \
  }
REX_COUNT(lt, lower, <, bound, 1)
REX_COUNT(le, lower, <=, bound, 0)
REX_COUNT(gt, bound, <, lower, 1)
REX_COUNT(ge, bound, <=, lower, 0)
#undef REX_COUNT

// Iterations that a thread takes side by side where its loop is tiled. A thread of the CPU device has nothing to gain.
#ifndef REX_TILE
#ifdef __CUDACC__
#define REX_TILE 4
#else
#define REX_TILE 1
#endif
#endif

// The iteration of a tile's part: the first one's again where the loop has ended.
REX_DEVICE long long rex_part(long long first, long long offset, long long count) {
  return first + offset < count ? first + offset : first;
}

// How many neighbours in the outermost of collapsed loops a thread takes side by side. Not several where that would leave
// threads without work, or where so few iterations are below each that a warp's would lie apart in memory.
template <class N> REX_DEVICE N rex_tile_rows(N count, N inner, N threads) {
  return inner >= 32 && count > threads ? REX_TILE : 1;
}

// How many tiles of so many rows that makes, and where the rows of one end.
template <class N> REX_DEVICE N rex_tiles(N outer, N rows) { return rows == 1 ? outer : (outer + REX_TILE - 1) / REX_TILE; }
template <class N> REX_DEVICE N rex_row_end(N end, N outer) { return end < outer ? end : outer; }

// The same of what the host has counted (rex_tiling and rex_strip_tiling of rex_geometry.h): a tile's rows are in the lowest
// three bits, the tiles above them.
REX_DEVICE unsigned long long rex_tiling_rows(unsigned long long tiling) { return tiling & 7; }
REX_DEVICE unsigned long long rex_tiling_tiles(unsigned long long tiling) { return tiling >> 3; }

// The same of a nest that has two forms by its bounds, and whether it has so few tiles that there are no more than 2^30
// iterations.
template <class N> REX_DEVICE N rex_tile_rows_of(unsigned long long tiling, N count, N inner, N threads) {
  return sizeof(N) < sizeof tiling ? (N)rex_tiling_rows(tiling) : rex_tile_rows(count, inner, threads);
}
template <class N> REX_DEVICE N rex_tiles_of(unsigned long long tiling, N outer, N rows, N inner) {
  return sizeof(N) < sizeof tiling ? (N)rex_tiling_tiles(tiling) : rex_tiles(outer, rows) * inner;
}
REX_DEVICE bool rex_has_few_tiles(unsigned long long tiling) { return rex_tiling_tiles(tiling) <= 1ull << 28; }

// Nests in strips (lowering/loops/strips.py): how many neighbours a thread takes side by side. Not several where that would
// leave threads without work.
template <class N> REX_DEVICE N rex_strip_rows(N count, N threads) {
  return count > threads ? REX_TILE : 1;
}

// The width of a strip, as a power of two: 16, or less where the loop has fewer iterations.
template <class N> REX_DEVICE int rex_strip_bits(N extent) {
  return extent >= 16 ? 4 : extent >= 8 ? 3 : extent >= 4 ? 2 : extent >= 2 ? 1 : 0;
}
template <class N> REX_DEVICE N rex_strips(N extent, int bits) { return (extent + ((N)1 << bits) - 1) >> bits; }

// A thread's place in its strip.
template <class N> REX_DEVICE N rex_in_strip(N k, int bits) { return k & (((N)1 << bits) - 1); }

// Nests whose inner loops several iterations execute together (lowering/loops/jam.py): whether a grid is small enough for
// a thread to take REX_TILE rows by so many columns of them.
template <int Columns> REX_DEVICE bool rex_jams(long long count, long long inner, long long threads) {
  return REX_TILE > 1 && inner >= 32 && count > (REX_TILE * Columns - 1) * threads;
}

// How many pieces of a size an extent has.
REX_DEVICE long long rex_pieces(long long extent, int size) { return (extent + size - 1) / size; }

// Executes code for tiles or for single iterations, which it gets as a type. They are functions of their own, because each
// takes fewer registers than both together.
template <int Rows, int Columns> struct rex_parts {
  static constexpr int rows = Rows, columns = Columns, count = Rows * Columns;
};
template <int Columns, class F> REX_DEVICE void rex_by_parts(bool together, const F &code) {
  if (together) code(rex_parts<REX_TILE, (REX_TILE > 1 ? Columns : 1)>());
  else code(rex_parts<1, 1>());
}

// An element that inner loops write: a tile's parts have it in locals, one iteration alone in memory.
template <class P, class T> REX_DEVICE T &rex_part_element(P, T &local, T &element) {
  return P::count > 1 ? local : element;
}

namespace rex_detail {

// Keeps an argument out of template deduction, so that rex_reduce_add(&a_double, 1) means what it says.
template <class T> struct same_type { using type = T; };
template <class T> using same = typename same_type<T>::type;

} // namespace rex_detail

#endif
