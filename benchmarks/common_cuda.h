/* What the CUDA versions share besides common.h. */
#ifndef BENCHMARKS_COMMON_CUDA_H
#define BENCHMARKS_COMMON_CUDA_H

#include "common.h"

#define CHECK(call)                                                                       \
  do {                                                                                    \
    cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));      \
      exit(1);                                                                            \
    }                                                                                     \
  } while (0)

enum { THREADS = 256 };

/* How many blocks of THREADS threads have one thread for each element. */
static inline int blocks_for(int count) {
  return (count + THREADS - 1) / THREADS;
}

template <typename T>
static T *device_memory(size_t count) {
  T *memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

template <typename T>
static void to_device(T *device, const T *host, size_t count) {
  CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
}

template <typename T>
static void from_device(T *host, const T *device, size_t count) {
  CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
}

/* End of a sequence of launches. */
static inline void finish(void) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

#endif
