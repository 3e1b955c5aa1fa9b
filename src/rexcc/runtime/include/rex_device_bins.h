// SPDX-License-Identifier: Apache-2.0
//
// Bins of a block: sums of integers of 32 or 64 bits that the threads of all blocks add to come together in each block's
// shared memory first (lowering/atomics/bins.py).
//
//   __shared__ rex_bin_memory<unsigned int, 4096> own;      unsigned long long for 64 bits
//   const auto bins = rex_open_bins(own, first, count);     all threads of the block
//   rex_bin_add(bins, &x, v), rex_bin_sub(bins, &x, v)      x += v, x -= v for x among all elements
//   rex_close_bins(bins);                                   all threads of the block: adds the sums to the elements
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

// The bins, and a sum for each thread of a warp that nobody reads: it adds to that one where an element has no bin, for
// then there is a branch only around the addition in memory, and loads of later iterations come before it.
template <class Sum, unsigned int count> struct rex_bin_memory {
  static constexpr unsigned int all = count + REX_WARP;
  Sum sums[all];
};

// `unread` is the running thread's, `used` false where there are no bins. The rest the compiler knows, so that it finds a
// bin by one comparison.
template <class Sum, unsigned int count> struct rex_bins {
  Sum *sums;
  unsigned long long first;
  unsigned int unread;
  bool used;
};

template <class Sum, class T, unsigned int bins>
REX_DEVICE rex_bins<Sum, bins> rex_open_bins(rex_bin_memory<Sum, bins> &own, T *first, long long count) {
  bool used = false;
#ifdef REX_HAS_BINS
  const bool is_aligned = (unsigned long long)first % sizeof(Sum) == 0; // no array of a packed structure
  used = is_aligned && count >= REX_BINS_LEAST * (long long)gridDim.x * blockDim.x;
  if (used) {
    for (unsigned int i = threadIdx.x; i < own.all; i += blockDim.x) own.sums[i] = 0;
    __syncthreads();
  }
#endif
  (void)count;
  return {own.sums, (unsigned long long)first, bins + threadIdx.x % REX_WARP, used};
}

namespace rex_detail {

// Whether elements are integers as large as sums, and values integers or enumerators, which have their enumeration's type
// in C++.
template <class Sum, class T, class V>
constexpr bool has_bins = sizeof(T) == sizeof(Sum) && std::is_integral<T>::value &&
                          (std::is_integral<V>::value || std::is_enum<V>::value);

REX_DEVICE void add_to_sum(unsigned int *sum, unsigned int v) { rex_atomic_add(sum, v); }

// A GPU adds to 64 bits of shared memory in attempts, but to 32 at once. So the lower half is added to first; the thread that
// makes it wrap around, of which there is one for each time it does, carries to the upper half.
REX_DEVICE void add_to_sum(unsigned long long *sum, unsigned long long v) {
#ifdef __CUDACC__
  unsigned int *const half = (unsigned int *)sum, lower = (unsigned int)v;
  const unsigned int before = atomicAdd(half, lower), upper = (unsigned int)(v >> 32) + (before + lower < before);
  if (upper != 0) atomicAdd(half + 1, upper);
#else
  rex_atomic_add(sum, v);
#endif
}

// Adds to the bin of an element; false where it has none.
template <class Sum, unsigned int count> REX_DEVICE bool add_to_bin(const rex_bins<Sum, count> &bins, const void *place, Sum v) {
#ifdef REX_HAS_BINS
  const unsigned long long distance = (unsigned long long)place - bins.first;
  const bool found = bins.used && distance < sizeof(Sum) * count;
  add_to_sum(bins.sums + (found ? (unsigned int)distance / sizeof(Sum) : bins.unread), v);
  return found;
#else
  (void)bins, (void)place, (void)v;
  return false;
#endif
}

} // namespace rex_detail

template <class Sum, unsigned int count, class T, class V>
REX_DEVICE void rex_bin_add(const rex_bins<Sum, count> &bins, T *x, V v) {
  static_assert(rex_detail::has_bins<Sum, T, V>, "integers of the bins' size");
  if (!rex_detail::add_to_bin(bins, x, (Sum)v)) rex_atomic_add(x, v);
}

template <class Sum, unsigned int count, class T, class V>
REX_DEVICE void rex_bin_sub(const rex_bins<Sum, count> &bins, T *x, V v) {
  static_assert(rex_detail::has_bins<Sum, T, V>, "integers of the bins' size");
  if (!rex_detail::add_to_bin(bins, x, Sum(0) - (Sum)v)) rex_atomic_sub(x, v);
}

template <class Sum, unsigned int count> REX_DEVICE void rex_close_bins(const rex_bins<Sum, count> &bins) {
#ifdef REX_HAS_BINS
  if (!bins.used) return;
  __syncthreads();
  for (unsigned int i = threadIdx.x; i < count; i += blockDim.x)
    if (bins.sums[i]) rex_atomic_add((Sum *)bins.first + i, bins.sums[i]);
#endif
  (void)bins;
}

#endif
