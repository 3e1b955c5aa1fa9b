/* What the sets of this folder share: rows chosen by name, sizes, times of calls and checksums. */
#ifndef BENCHMARKS_ROWS_H
#define BENCHMARKS_ROWS_H

#include "../common.h"

/* A row of a table: what measures it, how large it is, and how many calls its median is of. */
typedef struct Row {
  const char *name;
  void (*measure)(const struct Row *row);
  int size, calls;
} Row;

enum { MOST_CALLS = 300 };

/* The times of one row's calls, in microseconds. */
typedef struct {
  double begun, taken[MOST_CALLS];
  int count;
} Times;

/* All sizes are divided by this; with more than 1 there are four calls. */
static int divisor = 1;

static inline int reduced(int size) {
  return size / divisor > 16 ? size / divisor : size < 16 ? size : 16;
}

static inline int calls_of(const Row *row) {
  return divisor > 1 && row->calls > 4 ? 4 : row->calls;
}

static inline void begin_call(Times *times) {
  times->begun = milliseconds();
}

/* The first call of a row warms up and is not kept. */
static inline void end_call(Times *times) {
  times->taken[times->count > 0 ? times->count - 1 : 0] = 1e3 * (milliseconds() - times->begun);
  times->count++;
}

/* Whether there is another call to measure. */
static inline int more_calls(const Times *times, const Row *row) {
  return times->count <= calls_of(row);
}

/* Print the median of the times, divided by how many equal things each call does. */
static inline void report_times(const Row *row, Times *times, int parts) {
  int count = times->count - 1;
  qsort(times->taken, (size_t)count, sizeof(double), compare_times);
  printf("%s time_us: %.3f\n", row->name, times->taken[count / 2] / parts);
}

/* Print two sums of an array, one of which sees the order of its elements. */
#define CHECKSUM(check, type)                                                \
  static inline void check(const Row *row, const type *values, size_t count) { \
    double sum[8] = {0}, weighted = 0, all = 0;                              \
    for (size_t i = 0; i < count; i += 8) {                                  \
      double part = 0;                                                       \
      for (size_t k = i; k < i + 8 && k < count; k++) {                      \
        sum[k - i] += (double)values[k];                                     \
        part += (double)values[k];                                           \
      }                                                                      \
      weighted += part * (double)(i / 8 % 64 + 1);                           \
    }                                                                        \
    for (int k = 0; k < 8; k++) {                                            \
      all += sum[k];                                                         \
      weighted += sum[k] * k;                                                \
    }                                                                        \
    printf("%s: sum %.8e, weighted %.8e\n", row->name, all, weighted);       \
  }

CHECKSUM(check_floats, float)
CHECKSUM(check_doubles, double)
CHECKSUM(check_ints, int)
CHECKSUM(check_bytes, signed char)

/* Measure the row that the first argument names, or all; the second one divides the sizes. */
static inline int measure_rows(int argc, char **argv, const Row *rows, int count) {
  const char *name = argc > 1 ? argv[1] : "all";
  int found = 0;
  divisor = argument(argc, argv, 2, 1);
  for (int i = 0; i < count; i++) {
    if (strcmp(name, "all") != 0 && strcmp(name, rows[i].name) != 0) continue;
    rows[i].measure(&rows[i]);
    found = 1;
  }
  if (!found) fprintf(stderr, "no row '%s'\n", name);
  return !found;
}

#define MEASURE_ROWS(argc, argv, rows) measure_rows(argc, argv, rows, (int)(sizeof(rows) / sizeof(rows)[0]))

#endif
