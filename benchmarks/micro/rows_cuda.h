/* What the CUDA versions share besides rows.h: arrays that are made and filled on the device. */
#ifndef BENCHMARKS_ROWS_CUDA_H
#define BENCHMARKS_ROWS_CUDA_H

#include "../common_cuda.h"
#include "rows.h"

/* Multiples of 1/256 below 1: sums of so few bits are the same in any order. */
#define VALUE(i, seed) ((((unsigned)(i) + (seed)) * 2654435761u) >> 24)

template <typename T>
__global__ void fill(T *values, int count, unsigned seed, T unit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = (T)VALUE(i, seed) / unit;
}

/* Memory on the device with the values that the OpenMP version has: multiples of 1/unit. */
template <typename T>
static T *resident(int count, unsigned seed, T unit = 256) {
  T *values = device_memory<T>(count);
  fill<<<blocks_for(count), THREADS>>>(values, count, seed, unit);
  finish();
  return values;
}

/* What a device array holds, for a checksum. */
template <typename T>
static T *copy_of(const T *device, int count) {
  T *host = (T *)allocate(count, sizeof *host);
  from_device(host, device, count);
  return host;
}

static inline void check(const Row *row, const float *values, size_t count) { check_floats(row, values, count); }
static inline void check(const Row *row, const double *values, size_t count) { check_doubles(row, values, count); }
static inline void check(const Row *row, const int *values, size_t count) { check_ints(row, values, count); }
static inline void check(const Row *row, const signed char *values, size_t count) { check_bytes(row, values, count); }

/* Print the checksum of a device array and release it. */
template <typename T>
static void check_and_release(const Row *row, T *device, int count) {
  T *host = copy_of(device, count);
  check(row, host, count);
  free(host);
  CHECK(cudaFree(device));
}

#endif
