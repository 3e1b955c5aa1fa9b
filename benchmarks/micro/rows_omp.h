/* What the OpenMP versions share besides rows.h: arrays that are made and filled on the device. */
#ifndef BENCHMARKS_ROWS_OMP_H
#define BENCHMARKS_ROWS_OMP_H

#include "rows.h"

/* Multiples of 1/256 below 1: sums of so few bits are the same in any order. */
#define VALUE(i, seed) ((((unsigned)(i) + (seed)) * 2654435761u) >> 24)

static inline float *resident_floats(int count, unsigned seed) {
  float *values = (float *)allocate(count, sizeof *values);
#pragma omp target enter data map(alloc : values[0:count])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < count; i++) values[i] = (float)VALUE(i, seed) / 256.0f;
  return values;
}

static inline double *resident_doubles(int count, unsigned seed) {
  double *values = (double *)allocate(count, sizeof *values);
#pragma omp target enter data map(alloc : values[0:count])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < count; i++) values[i] = VALUE(i, seed) / 256.0;
  return values;
}

static inline int *resident_ints(int count, unsigned seed) {
  int *values = (int *)allocate(count, sizeof *values);
#pragma omp target enter data map(alloc : values[0:count])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < count; i++) values[i] = (int)VALUE(i, seed);
  return values;
}

static inline void release_floats(float *values, int count) {
#pragma omp target exit data map(delete : values[0:count])
  free(values);
}

static inline void release_doubles(double *values, int count) {
#pragma omp target exit data map(delete : values[0:count])
  free(values);
}

static inline void release_ints(int *values, int count) {
#pragma omp target exit data map(delete : values[0:count])
  free(values);
}

#endif
