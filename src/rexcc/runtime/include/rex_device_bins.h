// SPDX-License-Identifier: Apache-2.0
//
// Bins of a block: sums of 32-bit integers that the threads of all blocks add to come together in each block's shared
// memory first (lowering/atomics/bins.py).
//
//   __shared__ unsigned int own[4096];
//   const rex_bins bins = rex_open_bins(own, first, count);   all threads of the block
//   rex_bin_add(bins, &x, v), rex_bin_sub(bins, &x, v)        x += v, x -= v for x among all elements
//   rex_close_bins(bins);                                     all threads of the block: adds the sums to the elements
//
// The elements that have bins are as many as `own` has, from `first` on; what lies elsewhere is changed at once. A kernel whose
// threads have few of the `count` iterations has no bins: opening and closing them would cost more. Neither has the CPU
// device, whose blocks are one thread; tests define REX_BINS_ON_CPU to have them there.
#ifndef REX_DEVICE_BINS_H
#define REX_DEVICE_BINS_H

#include "rex_device_atomic.h"

#if defined(__CUDACC__) || defined(REX_BINS_ON_CPU)
#define REX_HAS_BINS
#endif

// Iterations of a thread from which on bins pay.
#define REX_BINS_LEAST 8

// `own` is null and `bytes` 0 where there are no bins.
struct rex_bins {
  unsigned int *own;
  unsigned long long first;
  unsigned int bytes;
};

template <class T, unsigned int bins>
REX_DEVICE rex_bins rex_open_bins(unsigned int (&own)[bins], T *first, long long count) {
#ifdef REX_HAS_BINS
  if (count >= REX_BINS_LEAST * (long long)gridDim.x * blockDim.x) {
    for (unsigned int i = threadIdx.x; i < bins; i += blockDim.x) own[i] = 0;
    __syncthreads();
    return {own, (unsigned long long)first, sizeof own};
  }
#endif
  (void)own, (void)first, (void)count;
  return {nullptr, 0, 0};
}

namespace rex_detail {

// Whether elements are 32-bit integers, and values integers or enumerators, which have their enumeration's type in C++.
template <class T, class V>
constexpr bool has_bins = sizeof(T) == sizeof(int) && std::is_integral<T>::value &&
                          (std::is_integral<V>::value || std::is_enum<V>::value);

// Adds to the bin of an element; false where it has none.
REX_DEVICE bool add_to_bin(const rex_bins &bins, const void *place, unsigned int v) {
  const unsigned long long distance = (unsigned long long)place - bins.first;
  if (distance >= bins.bytes) return false;
#ifdef __CUDACC__
  // Of an address of any memory nvcc first asks whether it is a thread's own.
  const unsigned int bin = (unsigned int)__cvta_generic_to_shared(bins.own) + (unsigned int)distance;
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(bin), "r"(v) : "memory");
#else
  rex_atomic_add(bins.own + distance / sizeof(int), v);
#endif
  return true;
}

} // namespace rex_detail

template <class T, class V> REX_DEVICE void rex_bin_add(const rex_bins &bins, T *x, V v) {
  static_assert(rex_detail::has_bins<T, V>, "32-bit integers");
  if (!rex_detail::add_to_bin(bins, x, (unsigned int)v)) rex_atomic_add(x, v);
}

template <class T, class V> REX_DEVICE void rex_bin_sub(const rex_bins &bins, T *x, V v) {
  static_assert(rex_detail::has_bins<T, V>, "32-bit integers");
  if (!rex_detail::add_to_bin(bins, x, 0u - (unsigned int)v)) rex_atomic_sub(x, v);
}

REX_DEVICE void rex_close_bins(const rex_bins &bins) {
#ifdef REX_HAS_BINS
  if (!bins.own) return;
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < bins.bytes / sizeof(int); i += blockDim.x)
    if (bins.own[i]) rex_atomic_add((unsigned int *)bins.first + i, bins.own[i]);
#endif
  (void)bins;
}

#endif
