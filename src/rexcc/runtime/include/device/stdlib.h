// SPDX-License-Identifier: Apache-2.0
//
// For rex_cuda_words.h: what kernels have of <stdlib.h>.
#ifndef REX_DEVICE_COPY_STDLIB_H
#define REX_DEVICE_COPY_STDLIB_H

#include <stddef.h>

#define REX_OF_CUDA_AND_C extern "C" __host__ __device__ __attribute__((cudart_builtin))

typedef struct {
  int quot, rem;
} div_t;
typedef struct {
  long quot, rem;
} ldiv_t;
typedef struct {
  long long quot, rem;
} lldiv_t;

REX_OF_CUDA_AND_C void *malloc(size_t) noexcept;
REX_OF_CUDA_AND_C void free(void *) noexcept;
REX_OF_CUDA_AND_C __attribute__((__noreturn__)) void __assert_fail(const char *, const char *, unsigned,
                                                                   const char *) noexcept;
REX_OF_CUDA_AND_C __attribute__((device_builtin)) int abs(int) noexcept;
REX_OF_CUDA_AND_C __attribute__((device_builtin)) long labs(long) noexcept;
REX_OF_CUDA_AND_C __attribute__((device_builtin)) long long llabs(long long) noexcept;
__host__ __device__ static inline __attribute__((always_inline)) long abs(long x) { return labs(x); }
__host__ __device__ static inline __attribute__((always_inline)) long long abs(long long x) { return llabs(x); }
#undef REX_OF_CUDA_AND_C

namespace std {
using ::div_t;
using ::free;
using ::labs;
using ::ldiv_t;
using ::llabs;
using ::lldiv_t;
using ::malloc;
}

#endif
