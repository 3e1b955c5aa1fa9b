// SPDX-License-Identifier: Apache-2.0
//
// Reductions, finished on the device. Every thread of the block calls rex_reduce_<op>(&result, its partial value): the
// block folds its values by warp shuffles and a little shared memory, and one thread adds the outcome to *result with
// one atomic operation. *result keeps its original value as one more operand, as OpenMP asks. On the CPU device a team
// has one thread or few, and each adds its own.
//
// The operators by name: add sub mul and or xor land lor min max, with rex_identity_<op><T>() for the private copies.
// Any arithmetic type. `sub` adds the partial values, as OpenMP defines it. rex_reduce_with takes any trivially copyable
// type and any combiner (declare reduction).
#ifndef REX_DEVICE_REDUCE_H
#define REX_DEVICE_REDUCE_H

#include "rex_device_atomic.h"

namespace rex_detail {

// The least and the greatest value of T; infinities where T has them, so that they too can be reduced.
template <class T> struct limits {
  using std_limits = std::numeric_limits<T>;
  static constexpr T least = std_limits::has_infinity ? (T)-std_limits::infinity() : std_limits::lowest();
  static constexpr T greatest = std_limits::has_infinity ? std_limits::infinity() : std_limits::max();
};

} // namespace rex_detail

#define REX_REDUCTION(name, identity)                                                                                  \
  template <class T> REX_DEVICE T rex_identity_##name() { return identity; }                                           \
  namespace rex_detail {                                                                                               \
  struct name##_operator {                                                                                             \
    template <class T> __device__ static T combine(T a, T b) { return (T)rex_combine_##name(a, b); }                   \
    template <class T> __device__ static void combine_atomically(T *x, T v) { rex_atomic_##name(x, v); }               \
  };                                                                                                                   \
  }
REX_REDUCTION(add, (T)0)
REX_REDUCTION(mul, (T)1)
REX_REDUCTION(and, (T) ~(T)0)
REX_REDUCTION(or, (T)0)
REX_REDUCTION(xor, (T)0)
REX_REDUCTION(land, (T)1)
REX_REDUCTION(lor, (T)0)
REX_REDUCTION(min, rex_detail::limits<T>::greatest)
REX_REDUCTION(max, rex_detail::limits<T>::least)
#undef REX_REDUCTION

namespace rex_detail {

#ifdef __CUDACC__

__device__ static inline int thread_in_block() {
  return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
__device__ static inline int threads_in_block() { return (int)(blockDim.x * blockDim.y * blockDim.z); }

// __shfl_down_sync for any type, a word at a time.
template <class T> REX_DEVICE T shuffle_down(unsigned lanes, T value, int distance) {
  constexpr int count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int i = 0; i < count; i++) words[i] = __shfl_down_sync(lanes, words[i], distance);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

// Lane 0 gets the values of the warp's first `count` lanes combined.
template <class T, class Combine> REX_DEVICE T reduce_warp(T value, int count, Combine combine) {
  unsigned lanes = count >= 32 ? 0xffffffffu : (1u << count) - 1;
  int lane = thread_in_block() % 32;
  for (int distance = 16; distance > 0; distance /= 2) {
    T other = shuffle_down(lanes, value, distance);
    if (lane + distance < count) value = combine(value, other);
  }
  return value;
}

// Thread 0 gets the values of all threads combined. All threads of the block must call it.
template <class T, class Combine> REX_DEVICE T reduce_block(T value, Combine combine) {
  // bytes, for a __shared__ object may not have a constructor and T may
  __shared__ alignas(16) unsigned char storage[32 * sizeof(T)];
  T *of_warp = reinterpret_cast<T *>(storage);
  int thread = thread_in_block(), threads = threads_in_block();
  int warp = thread / 32, warps = (threads + 31) / 32;
  int in_my_warp = warp == warps - 1 ? threads - warp * 32 : 32;
  value = reduce_warp(value, in_my_warp, combine);
  if (warps == 1) return value;
  if (thread % 32 == 0) of_warp[warp] = value;
  __syncthreads();
  if (thread < warps) value = reduce_warp(of_warp[thread], warps, combine);
  __syncthreads(); // the next reduction may use the same storage
  return value;
}

template <class Operator, class T> REX_DEVICE void reduce(T *result, T value) {
  value = reduce_block(value, [](T a, T b) { return Operator::combine(a, b); });
  if (thread_in_block() == 0) Operator::combine_atomically(result, value);
}

// For types that no atomic covers. One thread of a block takes the lock, so no warp waits for itself.
template <class T, class Combine> REX_DEVICE void combine_under_lock(T *result, T value, Combine combine) {
  static int reduction_lock;
  while (atomicCAS(&reduction_lock, 0, 1) != 0) {}
  __threadfence();
  T old;
  volatile unsigned char *shared = reinterpret_cast<volatile unsigned char *>(result);
  unsigned char *own = reinterpret_cast<unsigned char *>(&old);
  for (unsigned i = 0; i < sizeof(T); i++) own[i] = shared[i];
  old = combine(old, value);
  for (unsigned i = 0; i < sizeof(T); i++) shared[i] = own[i];
  __threadfence();
  atomicExch(&reduction_lock, 0);
}

#else

template <class T, class Combine> REX_DEVICE void combine_under_lock(T *result, T value, Combine combine) {
  rex_host::Lock lock(rex_host::reduction_mutex);
  *result = combine(*result, value);
}

template <class Operator, class T> REX_DEVICE void reduce(T *result, T value) {
  if constexpr (sizeof(T) <= 8) Operator::combine_atomically(result, value);
  else combine_under_lock(result, value, [](T a, T b) { return Operator::combine(a, b); });
}

#endif

} // namespace rex_detail

#define REX_REDUCE(name)                                                                                               \
  template <class T> REX_DEVICE void rex_reduce_##name(T *result, rex_detail::same<T> value) {                         \
    rex_detail::reduce<rex_detail::name##_operator>(result, value);                                                    \
  }
REX_REDUCE(add)
REX_REDUCE(mul)
REX_REDUCE(and)
REX_REDUCE(or)
REX_REDUCE(xor)
REX_REDUCE(land)
REX_REDUCE(lor)
REX_REDUCE(min)
REX_REDUCE(max)
#undef REX_REDUCE

template <class T> REX_DEVICE T rex_identity_sub() { return (T)0; }
template <class T> REX_DEVICE void rex_reduce_sub(T *result, rex_detail::same<T> value) {
  rex_reduce_add(result, value);
}

// combine(a, b) returns the combination of two values.
template <class T, class Combine>
REX_DEVICE void rex_reduce_with(T *result, rex_detail::same<T> value, Combine combine) {
#ifdef __CUDACC__
  value = rex_detail::reduce_block<T>(value, combine);
  if (rex_detail::thread_in_block() != 0) return;
#endif
  rex_detail::combine_under_lock<T>(result, value, combine);
}

#endif
