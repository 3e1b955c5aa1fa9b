// SPDX-License-Identifier: Apache-2.0
//
// Bins of a block: sums of integers of 32 or 64 bits that the threads of all blocks add to come together in each block's
// shared memory first (lowering/atomics/bins.py).
//
//   __shared__ unsigned int own[4096];                        unsigned long long for 64 bits, and rex_wide_bins
//   const rex_bins bins = rex_open_bins(own, first, count);   all threads of the block
//   rex_bin_add(bins, &x, v), rex_bin_sub(bins, &x, v)        x += v, x -= v for x among all elements
//   rex_close_bins(bins);                                     all threads of the block: adds the sums to the elements
//
// The elements that have bins are as many as `own` has, from `first` on; what lies elsewhere is changed at once. A kernel
// whose threads have few of the `count` additions has no bins: opening and closing them would cost more. Neither has the
// CPU device, whose blocks are one thread; tests define REX_BINS_ON_CPU to have them there.
#ifndef REX_DEVICE_BINS_H
#define REX_DEVICE_BINS_H

#include "rex_device_atomic.h"

#if defined(__CUDACC__) || defined(REX_BINS_ON_CPU)
#define REX_HAS_BINS
#endif

// `own` is null and `bytes` 0 where there are no bins.
template <class Sum> struct rex_bins_of {
  Sum *own;
  unsigned long long first;
  unsigned int bytes;
};
using rex_bins = rex_bins_of<unsigned int>;
using rex_wide_bins = rex_bins_of<unsigned long long>;

template <class Sum, class T, unsigned int bins>
REX_DEVICE rex_bins_of<Sum> rex_open_bins(Sum (&own)[bins], T *first, long long count) {
#ifdef REX_HAS_BINS
  const bool is_aligned = (unsigned long long)first % sizeof(Sum) == 0; // no array of a packed structure
  if (is_aligned && count >= REX_BINS_LEAST * (long long)gridDim.x * blockDim.x) {
    for (unsigned int i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
    __syncthreads();
    return {own, (unsigned long long)first, sizeof own};
  }
#endif
  (void)own, (void)first, (void)count;
  return {nullptr, 0, 0};
}

namespace rex_detail {

// Whether elements are integers as large as sums, and values integers or enumerators, which have their enumeration's type
// in C++.
template <class Sum, class T, class V>
constexpr bool has_bins = sizeof(T) == sizeof(Sum) && std::is_integral<T>::value &&
                          (std::is_integral<V>::value || std::is_enum<V>::value);

// Where in the block's memory the bin of an element is, as an offset; false where it has none.
template <class Sum> REX_DEVICE bool find_bin(const rex_bins_of<Sum> &bins, const void *place, unsigned int &distance) {
  const unsigned long long all = (unsigned long long)place - bins.first;
  distance = (unsigned int)all;
  return all < bins.bytes;
}

// Adds to the bin of an element; false where it has none.
REX_DEVICE bool add_to_bin(const rex_bins &bins, const void *place, unsigned int v) {
  unsigned int distance;
  if (!find_bin(bins, place, distance)) return false;
#ifdef __CUDACC__
  // Of an address of any memory nvcc first asks whether it is a thread's own.
  const unsigned int bin = (unsigned int)__cvta_generic_to_shared(bins.own) + distance;
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(bin), "r"(v) : "memory");
#else
  rex_atomic_add(bins.own + distance / sizeof(int), v);
#endif
  return true;
}

// A GPU adds to 64 bits of shared memory in attempts, but to 32 at once. So the lower half is added to first; the thread that
// makes it wrap around, of which there is one for each time it does, carries to the upper half.
REX_DEVICE bool add_to_bin(const rex_wide_bins &bins, const void *place, unsigned long long v) {
  unsigned int distance;
  if (!find_bin(bins, place, distance)) return false;
#ifdef __CUDACC__
  const unsigned int bin = (unsigned int)__cvta_generic_to_shared(bins.own) + distance, lower = (unsigned int)v;
  unsigned int before;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(bin), "r"(lower) : "memory");
  const unsigned int upper = (unsigned int)(v >> 32) + (before + lower < before);
  if (upper != 0) asm volatile("red.shared.add.u32 [%0 + 4], %1;" ::"r"(bin), "r"(upper) : "memory");
#else
  rex_atomic_add(bins.own + distance / sizeof v, v);
#endif
  return true;
}

} // namespace rex_detail

template <class Sum, class T, class V> REX_DEVICE void rex_bin_add(const rex_bins_of<Sum> &bins, T *x, V v) {
  static_assert(rex_detail::has_bins<Sum, T, V>, "integers of the bins' size");
  if (!rex_detail::add_to_bin(bins, x, (Sum)v)) rex_atomic_add(x, v);
}

template <class Sum, class T, class V> REX_DEVICE void rex_bin_sub(const rex_bins_of<Sum> &bins, T *x, V v) {
  static_assert(rex_detail::has_bins<Sum, T, V>, "integers of the bins' size");
  if (!rex_detail::add_to_bin(bins, x, Sum(0) - (Sum)v)) rex_atomic_sub(x, v);
}

template <class Sum> REX_DEVICE void rex_close_bins(const rex_bins_of<Sum> &bins) {
#ifdef REX_HAS_BINS
  if (!bins.own) return;
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < bins.bytes / sizeof(Sum); i += blockDim.x)
    if (bins.own[i]) rex_atomic_add((Sum *)bins.first + i, bins.own[i]);
#endif
  (void)bins;
}

#endif
