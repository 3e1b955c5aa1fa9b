/* What one construct costs that does almost nothing, on data that is on the device already. */
#include "rows_omp.h"

typedef struct {
  float factors[16];
} Factors;

static void empty(const Row *row) {
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target
    {}
    end_call(&times);
  }
  printf("%s: done\n", row->name);
  report_times(row, &times, 1);
}

static void three_arrays(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2), *c = resident_floats(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(tofrom : c[0:n])
    for (int i = 0; i < n; i++) c[i] += a[i] * b[i];
    end_call(&times);
  }
#pragma omp target update from(c[0:n])
  check_floats(row, c, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
  release_floats(c, n);
}

static void eight_arrays(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2), *c = resident_floats(n, 3), *d = resident_floats(n, 4);
  float *e = resident_floats(n, 5), *f = resident_floats(n, 6), *g = resident_floats(n, 7), *h = resident_floats(n, 8);
  float factor = 0.5f;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n], c[0:n], d[0:n], e[0:n], f[0:n], g[0:n]) \
    map(tofrom : h[0:n])
    for (int i = 0; i < n; i++) h[i] = factor * h[i] + a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i];
    end_call(&times);
  }
#pragma omp target update from(h[0:n])
  check_floats(row, h, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
  release_floats(c, n);
  release_floats(d, n);
  release_floats(e, n);
  release_floats(f, n);
  release_floats(g, n);
  release_floats(h, n);
}

/* A structure of 64 bytes goes with the launch. */
static void structure(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2);
  Factors with = {{0}};
  for (int i = 0; i < 16; i++) with.factors[i] = (float)i / 16;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(tofrom : b[0:n]) firstprivate(with)
    for (int i = 0; i < n; i++) b[i] += with.factors[i % 16] * a[i];
    end_call(&times);
  }
#pragma omp target update from(b[0:n])
  check_floats(row, b, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
}

static void sum(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), total = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    total = 0;
#pragma omp target teams distribute parallel for map(to : a[0:n]) map(tofrom : total) reduction(+ : total)
    for (int i = 0; i < n; i++) total += a[i];
    end_call(&times);
  }
  check_floats(row, &total, 1);
  report_times(row, &times, 1);
  release_floats(a, n);
}

static void update_to(const Row *row) {
  int value = 0, found = 0;
  Times times = {0};
#pragma omp target data map(alloc : value)
  {
    while (more_calls(&times, row)) {
      value++;
      begin_call(&times);
#pragma omp target update to(value)
      end_call(&times);
    }
#pragma omp target map(from : found)
    found = value;
  }
  check_ints(row, &found, 1);
  report_times(row, &times, 1);
}

static void update_from(const Row *row) {
  int value = 0;
  Times times = {0};
#pragma omp target data map(to : value)
  while (more_calls(&times, row)) {
#pragma omp target map(tofrom : value)
    value++;
    begin_call(&times);
#pragma omp target update from(value)
    end_call(&times);
  }
  check_ints(row, &value, 1);
  report_times(row, &times, 1);
}

/* As in a search by levels: a flag says whether there is another turn. The time is that of one of 100 turns. */
static void flag(const Row *row) {
  int n = row->size, turns = 0, again = 0;
  int *level = resident_ints(n, 1), *next = resident_ints(n, 2);
  Times times = {0};
#pragma omp target data map(alloc : again)
  while (more_calls(&times, row)) {
    turns = 0;
    begin_call(&times);
    do {
      again = 0;
      turns++;
#pragma omp target update to(again)
#pragma omp target teams distribute parallel for map(to : level[0:n]) map(tofrom : next[0:n])
      for (int i = 0; i < n; i++) next[i] = level[i] + turns;
#pragma omp target teams distribute parallel for map(tofrom : level[0:n], again) map(to : next[0:n])
      for (int i = 0; i < n; i++) {
        level[i] = next[i] % 1000;
        if (i == 0 && turns < 100) again = 1;
      }
#pragma omp target update from(again)
    } while (again);
    end_call(&times);
  }
#pragma omp target update from(level[0:n])
  check_ints(row, level, n);
  report_times(row, &times, turns);
  release_ints(level, n);
  release_ints(next, n);
}

static void target_data(const Row *row) {
  int n = row->size, entered = 0;
  float *a = resident_floats(n, 1), *b = resident_floats(n, 2), *c = resident_floats(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target data map(to : a[0:n], b[0:n]) map(tofrom : c[0:n])
    entered++;
    end_call(&times);
  }
  printf("%s: %s\n", row->name, entered > calls_of(row) ? "done" : "not entered");
  report_times(row, &times, 1);
  release_floats(a, n);
  release_floats(b, n);
  release_floats(c, n);
}

static void one_new(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), *b = (float *)allocate(n, sizeof *b);
  for (int i = 0; i < n; i++) b[i] = (float)i;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(tofrom : a[0:n], b[0:n])
    for (int i = 0; i < n; i++) b[i] += a[i];
    end_call(&times);
  }
  check_floats(row, b, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  free(b);
}

static const Row rows[] = {
    {"empty", empty, 0, 300},
    {"three_arrays", three_arrays, 256, 300},
    {"eight_arrays", eight_arrays, 256, 300},
    {"structure", structure, 256, 300},
    {"sum", sum, 256, 300},
    {"update_to", update_to, 1, 300},
    {"update_from", update_from, 1, 300},
    {"flag", flag, 256, 9},
    {"target_data", target_data, 256, 300},
    {"one_new", one_new, 64, 300},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
