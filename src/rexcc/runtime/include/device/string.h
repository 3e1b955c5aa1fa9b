// SPDX-License-Identifier: Apache-2.0
//
// For rex_cuda_words.h: what kernels have of <string.h>.
#ifndef REX_DEVICE_COPY_STRING_H
#define REX_DEVICE_COPY_STRING_H

#include <stddef.h>

extern "C" __host__ __device__ __attribute__((device_builtin)) __attribute__((cudart_builtin)) void *
memcpy(void *, const void *, size_t) noexcept;
extern "C" __host__ __device__ __attribute__((device_builtin)) __attribute__((cudart_builtin)) void *
memset(void *, int, size_t) noexcept;
namespace std {
using ::memcpy;
using ::memset;
}

#endif
