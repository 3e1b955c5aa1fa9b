// SPDX-License-Identifier: Apache-2.0
/* Kernels of fill.c in the shape that rexcc generates. Compiled once for each FILL_START: two modules with the same
   names for different things. */
#define REX_SOURCE_IS_C
#include "rex_nvidia.h"

extern "C" { __device__ int table[2] = {FILL_START, FILL_START}; }

__device__ int scaled(int x) { return x * FILL_START; }

/* fill.c:3  target teams distribute parallel for map(from : p[0:n]) */
extern "C" __global__ void OUT__1__fill__3__kernel__(void *__rex_kernel_launch_env, int *p, rex_literal __rex_n) {
  const int n = rex_unpack<int>(__rex_n);
  const long long _dev_thread_num = (long long)gridDim.x * blockDim.x;
  const long long _dev_thread_id = (long long)blockDim.x * blockIdx.x + threadIdx.x;
  for (long long __rex_i = _dev_thread_id; __rex_i < n; __rex_i += _dev_thread_num) {
    const int i = (int)__rex_i;
    p[i] = scaled(i) + table[1];
  }
}
