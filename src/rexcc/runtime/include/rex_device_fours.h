// SPDX-License-Identifier: Apache-2.0
//
// Loops that the threads of a block share and whose iterations load neighbouring elements (lowering/constructs/fours.py).
// A thread takes some iterations in one turn: it loads what they need, computes, and stores. Included by rex_nvidia.h, for
// nvcc and for the CPU device alike.
//
//   rex_each_of_fours<Form, fours>(i, bound, apart, f)      f(i, turn) for the iterations of a thread, a turn for each call
//   rex_apart(&a[i], …)                                      how many iterations are before one whose elements are aligned;
//                                                            -1 where not all become so together
//   rex_each_of_neighbours<number>(i, bound, aligned, f)     the same of a turn that has so many neighbouring iterations, or
//                                                            one (lowering/constructs/neighbour_turns.py)
//   rex_are_aligned<number>(&a[i], …)                        whether that many elements of each can be loaded together
//   turn.count, turn.at(k)                                   its iterations are i + turn.at(k) for k from 0 to turn.count - 1
//   turn.load(local, &a[i]), turn.store(&b[i], local)        elements a[i + turn.at(k)], to and from local[k]
//
// In the form for small grids, which has registers for that, a thread has up to `fours` times four neighbours in a turn, four
// with one instruction each. In the usual form, and where elements are not aligned, its iterations are a block's threads
// apart, as they are without turns.
#ifndef REX_DEVICE_FOURS_H
#define REX_DEVICE_FOURS_H

#include "rex_device_core.h"

#ifdef __CUDACC__
#define REX_UNROLLED _Pragma("unroll")
#define REX_ROLLED _Pragma("unroll 1")
#else
#define REX_UNROLLED
#define REX_ROLLED
#endif

// Tests define REX_FOURS_ON_CPU, with REX_EACH_ON_CPU, to have fours on the CPU device.
struct rex_usual_form {
#ifdef REX_FOURS_ON_CPU
  static constexpr bool has_fours = true;
#else
  static constexpr bool has_fours = false;
#endif
#ifdef REX_SINES_ON_CPU
  static constexpr bool has_registers = true;
#else
  static constexpr bool has_registers = false;
#endif
};
struct rex_small_form {
  static constexpr bool has_fours = true, has_registers = true;
};

namespace rex_detail {

// The pieces in which four elements are loaded: one, or two of 16 bytes, each of them one number, for nvcc stores structures
// in parts. The CPU device has 8 bytes.
template <int bytes> struct piece_of;
template <> struct piece_of<2> { typedef unsigned short __attribute__((__may_alias__)) type; };
template <> struct piece_of<4> { typedef unsigned __attribute__((__may_alias__)) type; };
template <> struct piece_of<8> { typedef unsigned long long __attribute__((__may_alias__)) type; };
#ifdef __CUDACC__
template <> struct piece_of<16> { __extension__ typedef unsigned __int128 __attribute__((__may_alias__)) type; };
#else
template <> struct piece_of<16> : piece_of<8> {};
#endif
template <> struct piece_of<32> : piece_of<16> {};

// Iterations that are a number of threads apart.
template <int number> struct apart_turn {
  static constexpr int count = number;
  int step;
  __device__ long long at(int k) const { return (long long)k * step; }
  template <class T> __device__ void load(T (&to)[count], const T *from) const {
    REX_UNROLLED
    for (int k = 0; k < count; k++) to[k] = from[at(k)];
  }
  template <class T> __device__ void store(T *to, const T (&from)[count]) const {
    REX_UNROLLED
    for (int k = 0; k < count; k++) to[at(k)] = from[k];
  }
};

// Four neighbours, and as many more such groups as there are, each behind those of all threads.
template <int fours> struct fours_turn {
  static constexpr int count = 4 * fours;
  int step;
  __device__ long long at(int k) const { return (k & 3) + (long long)(k >> 2) * 4 * step; }
  template <class T> __device__ void load(T (&to)[count], const T *from) const {
    typedef typename piece_of<4 * (int)sizeof(T)>::type piece;
    REX_UNROLLED
    for (int k = 0; k < count; k += 4) {
      REX_UNROLLED
      for (unsigned byte = 0; byte < 4 * sizeof(T); byte += sizeof(piece)) {
        piece loaded = *(const piece *)((const char *)(from + at(k)) + byte);
        __builtin_memcpy((char *)(to + k) + byte, &loaded, sizeof loaded);
      }
    }
  }
  template <class T> __device__ void store(T *to, const T (&from)[count]) const {
    typedef typename piece_of<4 * (int)sizeof(T)>::type piece;
    REX_UNROLLED
    for (int k = 0; k < count; k += 4) {
      REX_UNROLLED
      for (unsigned byte = 0; byte < 4 * sizeof(T); byte += sizeof(piece)) {
        piece stored;
        __builtin_memcpy(&stored, (const char *)(from + k) + byte, sizeof stored);
        *(piece *)((char *)(to + at(k)) + byte) = stored;
      }
    }
  }
};

// Neighbours that are one piece.
template <int number> struct neighbours_turn {
  static constexpr int count = number;
  __device__ long long at(int k) const { return k; }
  template <class T> __device__ void load(T (&to)[count], const T *from) const {
    const auto loaded = *(const typename piece_of<count * (int)sizeof(T)>::type *)from;
    __builtin_memcpy((void *)to, &loaded, sizeof loaded);
  }
  template <class T> __device__ void store(T *to, const T (&from)[count]) const {
    typename piece_of<count * (int)sizeof(T)>::type stored;
    __builtin_memcpy(&stored, (const void *)from, sizeof stored);
    *(decltype(stored) *)to = stored;
  }
};

} // namespace rex_detail

template <class T> REX_DEVICE int rex_apart(const T *element) {
  constexpr unsigned bytes = 4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16;
  return (int)((0ull - (unsigned long long)element) % bytes / sizeof(T));
}
template <class T, class... More> REX_DEVICE int rex_apart(const T *element, const More *...more) {
  int first = rex_apart(element);
  return first == rex_apart(more...) ? first : -1;
}

namespace rex_detail {

// How many threads share a loop, and the caller's number: of the block or, where there are warps, of so many lanes.
#ifdef REX_HAS_WARPS
template <int lanes> REX_DEVICE int sharers() { return lanes > 0 ? lanes : (int)blockDim.x; }
template <int lanes> REX_DEVICE int sharer() {
  return lanes > 0 ? (int)(threadIdx.x % (unsigned)(lanes > 0 ? lanes : 1)) : (int)threadIdx.x;
}
#else
template <int lanes> REX_DEVICE int sharers() { return (int)blockDim.x; }
template <int lanes> REX_DEVICE int sharer() { return (int)threadIdx.x; }
#endif

} // namespace rex_detail

// A thread that is alone executes the iterations in order.
template <class Form, int fours, int lanes = 0, class Apart, class F>
REX_DEVICE void rex_each_of_fours(long long i, long long bound, Apart apart, F f) {
  const int step = rex_detail::sharers<lanes>();
  long long end = i, gap = 0; // iterations below `end` are those that many before
#if defined(__CUDACC__) || defined(REX_EACH_ON_CPU)
  const long long first = i - rex_detail::sharer<lanes>();
  int before = -1;
  if (Form::has_fours && step > 1 && bound - first >= 4 * step + 3) before = apart(first);
  if (before >= 0) {
    long long from = first + before;
    end = from + (bound - from) / 4 * 4;
    gap = end - from;
    i = from + 4 * rex_detail::sharer<lanes>();
    if (fours > 1) {
      REX_ROLLED
      for (; i < end - (fours - 1) * 4 * step; i += fours * 4 * step) f(i, rex_detail::fours_turn<fours>{step});
    }
    REX_ROLLED
    for (; i < end; i += 4 * step) f(i, rex_detail::fours_turn<1>{step});
    i = end - before + rex_detail::sharer<lanes>();
  } else if (step > 1 && bound > 3 * step) {
    REX_ROLLED
    for (; i < bound - 3 * step; i += 4 * step) f(i, rex_detail::apart_turn<4>{step});
  }
  REX_ROLLED
#endif
  for (; i < bound; i += step) f(i < end ? i - gap : i, rex_detail::apart_turn<1>{step});
}

template <int number, class... T> REX_DEVICE bool rex_are_aligned(const T *...elements) {
  return (((unsigned long long)elements % (number * sizeof(T)) == 0) && ...);
}

namespace rex_detail {

// What counts iterations. Those of an int from zero on are counted in 32 bits without a sign: a thread's last step leads
// below 2**31 + 4 * blockDim.x.
template <class Start, class Bound> struct counter_of {
  typedef long long type;
  __device__ static type bound(Bound limit) { return limit; }
};
template <> struct counter_of<unsigned, int> {
  typedef unsigned type;
  __device__ static type bound(int limit) { return limit < 0 ? 0 : (unsigned)limit; }
};

} // namespace rex_detail

// A thread that is alone executes the iterations in order; where there is less than a turn for each, none is taken.
template <int number, int lanes = 0, class Start, class Bound, class Aligned, class F>
REX_DEVICE void rex_each_of_neighbours(Start start, Bound limit, Aligned are_aligned, F f) {
  typedef rex_detail::counter_of<Start, Bound> counted;
  typedef typename counted::type counter;
  const int step = rex_detail::sharers<lanes>();
  counter i = start;
  const counter bound = counted::bound(limit);
#if defined(__CUDACC__) || defined(REX_EACH_ON_CPU)
  const counter thread = (counter)rex_detail::sharer<lanes>(), first = i - thread; // `first` is the same number for all threads
  if (step > 1 && first < bound && bound - first >= (counter)(number * step) && are_aligned(first)) {
    const counter end = first + (bound - first) / number * number;
    REX_ROLLED
    for (i = first + number * thread; i < end; i += number * step) f(i, rex_detail::neighbours_turn<number>{});
    REX_ROLLED
    for (i = end + thread; i < bound; i += step) f(i, rex_detail::apart_turn<1>{step});
    return;
  }
  REX_ROLLED
#endif
  for (; i < bound; i += step) f(i, rex_detail::apart_turn<1>{step});
}

#endif
