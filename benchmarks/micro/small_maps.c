/* Short constructs that map small arrays for themselves. */
#include "rows_omp.h"

static float *host_floats(int count, unsigned seed) {
  float *values = (float *)allocate(count, sizeof *values);
  for (int i = 0; i < count; i++) values[i] = (float)VALUE(i, seed) / 256.0f;
  return values;
}

static void from_alone(const Row *row) {
  int n = row->size;
  float *a = host_floats(n, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(from : a[0:n])
    for (int i = 0; i < n; i++) a[i] = 0.5f * (float)i;
    end_call(&times);
  }
  check_floats(row, a, n);
  report_times(row, &times, 1);
  free(a);
}

static void both_ways(const Row *row) {
  int n = row->size;
  float *a = host_floats(n, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
    for (int i = 0; i < n; i++) a[i] = 0.5f * a[i] + 1.0f;
    end_call(&times);
  }
  check_floats(row, a, n);
  report_times(row, &times, 1);
  free(a);
}

/* Eight factors go to the device, where the array is that they change. */
static void to_and_present(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), *factors = host_floats(8, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : factors[0:8]) map(tofrom : a[0:n])
    for (int i = 0; i < n; i++) a[i] = factors[i % 8] * a[i] + 1.0f;
    end_call(&times);
  }
#pragma omp target update from(a[0:n])
  check_floats(row, a, n);
  report_times(row, &times, 1);
  release_floats(a, n);
  free(factors);
}

/* The same with an array of the function that no clause names: it goes both ways. */
static void implicit_and_present(const Row *row) {
  int n = row->size;
  float *a = resident_floats(n, 1), factors[8];
  for (int i = 0; i < 8; i++) factors[i] = (float)VALUE(i, 2) / 256.0f;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(tofrom : a[0:n])
    for (int i = 0; i < n; i++) a[i] = factors[i % 8] * a[i] + 1.0f;
    end_call(&times);
  }
#pragma omp target update from(a[0:n])
  check_floats(row, a, n);
  report_times(row, &times, 1);
  release_floats(a, n);
}

static void two_to_one_from(const Row *row) {
  int n = row->size;
  float *a = host_floats(n, 1), *b = host_floats(n, 2), *c = host_floats(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : a[0:n], b[0:n]) map(from : c[0:n])
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    end_call(&times);
  }
  check_floats(row, c, n);
  report_times(row, &times, 1);
  free(a);
  free(b);
  free(c);
}

/* Elements counted by value: an array of the function that is reduced. */
static void counts(const Row *row) {
  int n = reduced(row->size), count[200];
  int *values = resident_ints(n, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    memset(count, 0, sizeof count);
    begin_call(&times);
#pragma omp target teams distribute parallel for map(to : values[0:n]) map(tofrom : count) reduction(+ : count)
    for (int i = 0; i < n; i++) count[(values[i] + i) % 200]++;
    end_call(&times);
  }
  check_ints(row, count, 200);
  report_times(row, &times, 1);
  release_ints(values, n);
}

static const Row rows[] = {
    {"from_16", from_alone, 16, 200},
    {"from_12000", from_alone, 12000, 200},
    {"tofrom_64", both_ways, 64, 200},
    {"tofrom_4096", both_ways, 4096, 200},
    {"tofrom_16000", both_ways, 16000, 200},
    {"to_8_present", to_and_present, 4096, 200},
    {"implicit_8_present", implicit_and_present, 4096, 200},
    {"two_to_one_from_256", two_to_one_from, 256, 200},
    {"counts_200_of_20000", counts, 20000, 200},
    {"counts_200_of_1M", counts, 1 << 20, 200},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
