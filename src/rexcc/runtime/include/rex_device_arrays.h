// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a team whose number of elements only the run knows. The user's `float a[n];` in code of the initial thread
// becomes
//
//   rex_team_memory __rex_memory;                       at the kernel's start
//   rex_team_array<float> __rex_array_a(__rex_memory, n); float *const a = __rex_array_a.data;
//
// executed by all threads of the block, like the end of the scope, where the array ends. It lies in shared memory while
// there is room in what the launch gives (rex_shared_bytes in rex_kmp.h), and in the device's heap otherwise.
#ifndef REX_DEVICE_ARRAYS_H
#define REX_DEVICE_ARRAYS_H

#include <stdio.h>
#include <stdlib.h>

#include "rex_device_core.h"
#include "rex_device_team.h"

namespace rex_detail {

#ifdef __CUDACC__

// The shared memory that the launch gives to each block.
REX_DEVICE unsigned char *given_memory() {
  extern __shared__ __align__(16) unsigned char given[];
  return given;
}
REX_DEVICE size_t given_bytes() {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

#else

REX_DEVICE unsigned char *given_memory() { return nullptr; }
REX_DEVICE size_t given_bytes() { return 0; }

#endif

REX_DEVICE void *from_heap(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == nullptr && bytes > 0) {
    printf("rex: no device memory is left for %llu bytes of a team's array; LIBOMPTARGET_HEAP_SIZE can give more\n",
           (unsigned long long)bytes);
#ifdef __CUDACC__
    __trap();
#else
    abort();
#endif
  }
  return memory;
}

} // namespace rex_detail

// How much of the given memory is in use; each thread counts for itself, and all count the same.
struct rex_team_memory {
  size_t used = 0;
};

template <class T> struct rex_team_array {
  __device__ rex_team_array(rex_team_memory &memory, long long count)
      : bytes(sizeof(T) * (size_t)count), memory(memory), before(memory.used) {
    size_t end = before + (bytes + 15) / 16 * 16;
    is_given = end <= rex_detail::given_bytes();
    if (is_given) memory.used = end;
    data = is_given ? (T *)(rex_detail::given_memory() + before)
                    : rex_from_first([&] { return (T *)rex_detail::from_heap(bytes); });
  }
  __device__ ~rex_team_array() {
    __syncthreads(); // others may still be using it
    if (!is_given && threadIdx.x == 0) free(data);
    memory.used = before;
  }
  rex_team_array(const rex_team_array &) = delete;
  rex_team_array &operator=(const rex_team_array &) = delete;

  T *data;
  const size_t bytes;

private:
  rex_team_memory &memory;
  const size_t before;
  bool is_given;
};

#endif
