// SPDX-License-Identifier: Apache-2.0
/* Kernels of ops.cpp in the shape that rexcc generates. Host side: rose_ops.cpp */
#include "rex_nvidia.h"
#include "device_checks.h"
#include "ops.h"

#ifndef KERNEL
#define KERNEL(stem) stem##__kernel__
#endif

#define GRID_STRIDE(i, n)                                                                                              \
  for (long long i = (long long)blockDim.x * blockIdx.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x)

// The user's statement, by operator.
#define STEP_add(a, b) a += b
#define STEP_mul(a, b) a *= b
#define STEP_and(a, b) a &= b
#define STEP_or(a, b) a |= b
#define STEP_xor(a, b) a ^= b
#define STEP_land(a, b) a = a && b
#define STEP_lor(a, b) a = a || b
#define STEP_min(a, b) if (b < a) a = b
#define STEP_max(a, b) if (a < b) a = b

// Two reductions in a row, of the same kind.
#define REDUCTION(op, type)                                                                                            \
  extern "C" __global__ void KERNEL(reduce_##op##_##type)(void *, const type *x, type *__rex_first,                    \
                                                          type *__rex_second, rex_literal __rex_n) {                   \
    const int n = rex_unpack<int>(__rex_n);                                                                            \
    type first = rex_identity_##op<type>(), second = rex_identity_##op<type>();                                        \
    GRID_STRIDE(i, n) {                                                                                                \
      STEP_##op(first, x[i]);                                                                                          \
      STEP_##op(second, x[n - 1 - i]);                                                                                 \
    }                                                                                                                  \
    rex_reduce_##op(__rex_first, first);                                                                               \
    rex_reduce_##op(__rex_second, second);                                                                             \
  }
REDUCTIONS(REDUCTION)

// A user's own type and combiner.
__device__ static inline void join(triple &into, triple &from) {
  into.sum += from.sum;
  into.least = from.least < into.least ? from.least : into.least;
  into.count += from.count;
}
extern "C" __global__ void KERNEL(reduce_triple)(void *, const int *x, triple *__rex_all, rex_literal __rex_n) {
  const int n = rex_unpack<int>(__rex_n);
  triple all = {0, 1 << 30, 0};
  GRID_STRIDE(i, n) {
    all.sum += x[i];
    all.least = x[i] < all.least ? x[i] : all.least;
    all.count++;
  }
  rex_reduce_with(__rex_all, all, join);
}

// Many threads work on the same cells, which lie side by side; every old value of TICKET must be seen exactly once.
#define ATOMICS(type)                                                                                                  \
  extern "C" __global__ void KERNEL(atomics_##type)(void *, type *cells, unsigned char *seen, u64 *exchanged,          \
                                                    rex_literal __rex_n) {                                             \
    const int n = rex_unpack<int>(__rex_n);                                                                            \
    GRID_STRIDE(i, n) {                                                                                                \
      rex_atomic_add(&cells[ADD], 1);                                                                                  \
      rex_atomic_sub(&cells[SUB], (type)1);                                                                            \
      rex_atomic_min(&cells[MIN], (type)(i % 100));                                                                    \
      rex_atomic_max(&cells[MAX], (type)(i % 100));                                                                    \
      rex_atomic_add(&cells[MIXED], 1.25);                                                                             \
      rex_atomic_add(exchanged, (u64)rex_atomic_exchange(&cells[EXCHANGED], (type)(i % 100)));                         \
      if (i < 100) rex_atomic_add(&seen[(int)rex_atomic_add(&cells[TICKET], 1)], 1);                                   \
    }                                                                                                                  \
  }
ATOMIC_TYPES(ATOMICS)

// What a team computes together: the sum of its values by a tree, then inclusive prefix sums, both in __shared__
// memory. With `leave`, the upper half of the threads has gone before the first barrier.
extern "C" __global__ void __launch_bounds__(1024)
KERNEL(team_sums)(void *, const int *x, int *sums, int *prefixes, rex_literal __rex_leave) {
  const int leave = rex_unpack<int>(__rex_leave);
  __shared__ int values[1024];
  rex_team_begin(true);
  int threads = omp_get_num_threads(), me = omp_get_thread_num(), team = omp_get_team_num();
  if (leave) {
    threads = (threads + 1) / 2;
    if (me >= threads) return;
  }
  const int mine = x[team * omp_get_num_threads() + me];
  values[me] = mine;
  for (int count = threads; count > 1; count = (count + 1) / 2) {
    __syncthreads();
    int other = me + (count + 1) / 2;
    int add = other < count ? values[other] : 0;
    __syncthreads();
    values[me] += add;
  }
  __syncthreads();
  if (me == 0) sums[team] = values[0];
  __syncthreads();
  values[me] = mine;
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    int before = me >= distance ? values[me - distance] : 0;
    __syncthreads();
    values[me] += before;
  }
  prefixes[team * omp_get_num_threads() + me] = values[me];
}

// One team with one thread.
extern "C" __global__ void KERNEL(device_checks)(void *, Findings *findings) { *findings = device_checks(); }
