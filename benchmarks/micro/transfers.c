/* Copies between pageable memory and the device, by constructs that copy. Rates are those of all that is copied. */
#include "rows_omp.h"

static int *host_ints(int count) {
  int *values = (int *)allocate(count, sizeof *values);
  for (int i = 0; i < count; i++) values[i] = (int)VALUE(i, 1);
  return values;
}

static void report_rate(const Row *row, Times *times, double bytes) {
  report_times(row, times, 1);
  printf("%s rate: %.2f GB/s\n", row->name, bytes / 1e3 / times->taken[(times->count - 1) / 2]);
}

/* What the device has is brought home once more, over other values, before the checksum. */
static void check_device(const Row *row, int *values, int n) {
#pragma omp target teams distribute parallel for map(tofrom : values[0:n])
  for (int i = 0; i < n; i++) values[i] += 1;
#pragma omp target update from(values[0:n])
  check_ints(row, values, n);
}

static void update_to(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n);
  Times times = {0};
#pragma omp target data map(alloc : values[0:n])
  {
    while (more_calls(&times, row)) {
      values[times.count] += 1;
      begin_call(&times);
#pragma omp target update to(values[0:n])
      end_call(&times);
    }
    check_device(row, values, n);
  }
  report_rate(row, &times, 4.0 * n);
  free(values);
}

static void update_from(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n);
  Times times = {0};
#pragma omp target data map(to : values[0:n])
  while (more_calls(&times, row)) {
    int place = times.count;
#pragma omp target map(tofrom : values[0:n])
    values[place] += 1;
    begin_call(&times);
#pragma omp target update from(values[0:n])
    end_call(&times);
  }
  check_ints(row, values, n);
  report_rate(row, &times, 4.0 * n);
  free(values);
}

/* With the memory that the mapping takes and releases. */
static void map_to(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target enter data map(to : values[0:n])
#pragma omp target exit data map(release : values[0:n])
    end_call(&times);
  }
#pragma omp target data map(to : values[0:n])
  check_device(row, values, n);
  report_rate(row, &times, 4.0 * n);
  free(values);
}

static void map_from(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target enter data map(alloc : values[0:n])
#pragma omp target exit data map(from : values[0:n])
    end_call(&times);
  }
#pragma omp target teams distribute parallel for map(from : values[0:n])
  for (int i = 0; i < n; i++) values[i] = i % 1000;
  check_ints(row, values, n);
  report_rate(row, &times, 4.0 * n);
  free(values);
}

static void launch(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
#pragma omp target teams distribute parallel for map(tofrom : values[0:n])
    for (int i = 0; i < n; i++) values[i] += 1;
    end_call(&times);
  }
  check_ints(row, values, n);
  report_rate(row, &times, 8.0 * n);
  free(values);
}

#define SIZES(name, measure)                                                                           \
  {name "_64K", measure, 16 << 10, 51}, {name "_256K", measure, 64 << 10, 51},                         \
  {name "_1M", measure, 256 << 10, 51}, {name "_4M", measure, 1 << 20, 51},                            \
  {name "_16M", measure, 4 << 20, 21}, {name "_64M", measure, 16 << 20, 21}, {name "_1G", measure, 256 << 20, 5}

static const Row rows[] = {
    SIZES("update_to", update_to), SIZES("update_from", update_from), SIZES("map_to", map_to),
    SIZES("map_from", map_from),   SIZES("launch", launch),
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
