/* What the programs of this folder share: arguments, input values, the clock and the lines that they print. */
#ifndef BENCHMARKS_COMMON_H
#define BENCHMARKS_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The whole number given as an argument, or the one that stands for it. */
static inline int argument(int argc, char **argv, int which, int otherwise) {
  return argc > which ? atoi(argv[which]) : otherwise;
}

/* Memory for count elements, or the end of the program. */
static inline void *allocate(size_t count, size_t size) {
  void *memory = malloc(count * size);
  if (memory == NULL) {
    fprintf(stderr, "no memory for %zu elements\n", count);
    exit(1);
  }
  return memory;
}

/* A linear congruential generator; the upper bits are the good ones. */
static inline unsigned random_bits(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static inline int random_below(unsigned *state, int limit) {
  return (int)(random_bits(state) % (unsigned)limit);
}

static inline float random_unit(unsigned *state) {
  return (float)random_bits(state) / 16777216.0f;
}

static inline double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Print two sums of an array, one of which sees the order of its elements. */
static inline void report_floats(const char *name, const float *values, size_t count) {
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < count; i++) {
    sum += values[i];
    weighted += values[i] * (double)(i % 101 + 1);
  }
  printf("%s: sum %.8e, weighted %.8e\n", name, sum, weighted);
}

static inline void report_ints(const char *name, const int *values, size_t count) {
  long long sum = 0, weighted = 0;
  for (size_t i = 0; i < count; i++) {
    sum += values[i];
    weighted += (long long)values[i] * (long long)(i % 101 + 1);
  }
  printf("%s: sum %lld, weighted %lld\n", name, sum, weighted);
}

/* The times of the measured part. */
typedef struct {
  double begun, taken[100];
  int count;
} Clock;

static inline void start(Clock *clock) {
  clock->begun = milliseconds();
}

static inline void stop(Clock *clock) {
  double now = milliseconds();
  if (clock->count < 100) clock->taken[clock->count++] = now - clock->begun;
}

static inline int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Print the median of all times but the first, which warms up. */
static inline void report_time(Clock *clock) {
  int from = clock->count > 1;
  qsort(clock->taken + from, (size_t)(clock->count - from), sizeof(double), compare_times);
  printf("time_ms: %.4f\n", clock->taken[from + (clock->count - from) / 2]);
}

#endif
