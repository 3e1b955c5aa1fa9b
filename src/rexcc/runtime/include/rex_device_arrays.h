// SPDX-License-Identifier: Apache-2.0
//
// Arrays whose extents only the run knows. The user's `float a[n];` becomes, in code of the initial thread,
//
//   rex_team_memory __rex_memory;                       at the kernel's start
//   rex_team_array<float> __rex_array_a(__rex_memory, n); float *const a = __rex_array_a.data;
//
// executed by all threads of the block, like the end of the scope, where the array ends. It lies in shared memory while
// there is room in what the launch gives (rex_shared_bytes in rex_kmp.h), and in the device's heap otherwise.
//
// In code of one thread it becomes a rex_thread_array: a small one lies in the thread's own memory, which is fast, and a
// large one in the heap. `double b[n][m];` is a rex_thread_array<double, 2> and a view of it (rex_device_vla.h).
// What kernels need of a mapped array to make copies of it is a rex_array.
#ifndef REX_DEVICE_ARRAYS_H
#define REX_DEVICE_ARRAYS_H

#include <stdio.h>
#include <stdlib.h>

#include "rex_device_core.h"
#include "rex_device_team.h"
#include "rex_device_vla.h"

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
  if (memory == nullptr && bytes > 0) end_without_memory("bytes of an array", bytes);
  return memory;
}

} // namespace rex_detail

// How much of the given memory is in use; each thread counts for itself, and all count the same.
struct rex_team_memory {
  size_t used = 0;
};

// An array, wherever it lies.
template <class T, int N = 1> struct rex_array {
  template <class... Extent>
  __device__ rex_array(T *data, Extent... extents) : data(data), extent{(long long)extents...}, bytes(sizeof(T)) {
    static_assert(sizeof...(extents) == N, "one extent for each dimension");
    for (int i = 0; i < N; i++) bytes *= (size_t)extent[i];
  }
  __device__ rex_array(T *data, const rex_array &like) : data(data), bytes(like.bytes) {
    for (int i = 0; i < N; i++) extent[i] = like.extent[i];
  }

  // The array under its own name.
  __device__ rex_vla<T, N> view() const { return rex_vla<T, N>(data, (const long long *)extent + 1); }

  T *data;
  long long extent[N];
  size_t bytes;
};

constexpr size_t REX_NEAR_BYTES = 1024; // what a thread's array may take of the thread's own memory; rex_kmp.h has it too

// Device memory in which the launch has room for the large copies of all threads (rex_room_bytes in rex_kmp.h).
struct rex_room {
  unsigned char *first;
};

// ``like`` is the array of which this is a private copy, yet without its values.
template <class T, int N = 1> struct rex_thread_array : rex_array<T, N> {
  template <class... Extent>
  __device__ explicit rex_thread_array(Extent... extents) : rex_array<T, N>(nullptr, extents...) {
    place();
  }
  template <class... Extent>
  __device__ explicit rex_thread_array(rex_room room, Extent... extents) : rex_array<T, N>(nullptr, extents...) {
    size_t number = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    this->data = this->bytes > REX_NEAR_BYTES ? (T *)(room.first + number * ((this->bytes + 15) / 16 * 16)) : (T *)near;
  }
  __device__ explicit rex_thread_array(const rex_array<T, N> &like) : rex_array<T, N>(nullptr, like) { place(); }
  __device__ ~rex_thread_array() {
    if (is_from_heap) free((void *)this->data);
  }
  rex_thread_array(const rex_thread_array &) = delete;
  rex_thread_array &operator=(const rex_thread_array &) = delete;

private:
  __device__ void place() {
    is_from_heap = this->bytes > REX_NEAR_BYTES;
    this->data = is_from_heap ? (T *)rex_detail::from_heap(this->bytes) : (T *)near;
  }

  bool is_from_heap = false;
  alignas(16) unsigned char near[REX_NEAR_BYTES];
};

template <class T, int N = 1> struct rex_team_array : rex_array<T, N> {
  template <class... Extent>
  __device__ rex_team_array(rex_team_memory &memory, Extent... extents)
      : rex_array<T, N>(nullptr, extents...), memory(memory), before(memory.used) {
    place();
  }
  __device__ rex_team_array(rex_team_memory &memory, const rex_array<T, N> &like)
      : rex_array<T, N>(nullptr, like), memory(memory), before(memory.used) {
    place();
  }
  __device__ ~rex_team_array() {
    __syncthreads(); // others may still be using it
    if (!is_given && threadIdx.x == 0) free((void *)this->data);
    memory.used = before;
  }
  rex_team_array(const rex_team_array &) = delete;
  rex_team_array &operator=(const rex_team_array &) = delete;

private:
  __device__ void place() {
    size_t end = before + (this->bytes + 15) / 16 * 16;
    is_given = end <= rex_detail::given_bytes();
    if (is_given) memory.used = end;
    this->data = is_given ? (T *)(rex_detail::given_memory() + before)
                          : rex_from_first([&] { return (T *)rex_detail::from_heap(this->bytes); });
  }

  rex_team_memory &memory;
  const size_t before;
  bool is_given;
};

// All threads of a block copy an array together; the barrier that shows it to them follows.
REX_DEVICE void rex_copy_by_block(void *to, const void *from, size_t bytes) {
  char *into = (char *)to;
  const char *out = (const char *)from;
  if ((((size_t)to | (size_t)from | bytes) & 3) == 0)
    for (size_t i = 4 * threadIdx.x; i < bytes; i += 4 * blockDim.x)
      __builtin_memcpy(__builtin_assume_aligned(into + i, 4), __builtin_assume_aligned(out + i, 4), 4);
  else
    for (size_t i = threadIdx.x; i < bytes; i += blockDim.x) into[i] = out[i];
}

#endif
