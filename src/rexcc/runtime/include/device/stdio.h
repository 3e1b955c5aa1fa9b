// SPDX-License-Identifier: Apache-2.0
//
// For rex_cuda_words.h: what kernels have of <stdio.h>.
#ifndef REX_DEVICE_COPY_STDIO_H
#define REX_DEVICE_COPY_STDIO_H

#include <stddef.h>

extern "C" __host__ __device__ __attribute__((device_builtin)) __attribute__((cudart_builtin)) int printf(const char *,
                                                                                                        ...);
namespace std {
using ::printf;
}

#endif
