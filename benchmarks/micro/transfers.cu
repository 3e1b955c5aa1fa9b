/* Copies between pageable memory and the device, with new memory where the OpenMP version's mappings have it. */
#include "rows_cuda.h"

static int *host_ints(int count) {
  int *values = (int *)allocate(count, sizeof *values);
  for (int i = 0; i < count; i++) values[i] = (int)VALUE(i, 1);
  return values;
}

static void report_rate(const Row *row, Times *times, double bytes) {
  report_times(row, times, 1);
  printf("%s rate: %.2f GB/s\n", row->name, bytes / 1e3 / times->taken[(times->count - 1) / 2]);
}

__global__ void add_one(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += 1;
}

__global__ void number(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i % 1000;
}

/* What the device has is brought home once more, over other values, before the checksum. */
static void check_device(const Row *row, int *device, int *values, int n) {
  add_one<<<blocks_for(n), THREADS>>>(device, n);
  from_device(values, device, n);
  check(row, values, n);
}

static void update_to(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n), *device = device_memory<int>(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    values[times.count] += 1;
    begin_call(&times);
    to_device(device, values, n);
    end_call(&times);
  }
  check_device(row, device, values, n);
  report_rate(row, &times, 4.0 * n);
  CHECK(cudaFree(device));
  free(values);
}

static void update_from(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n), *device = device_memory<int>(n);
  to_device(device, values, n);
  Times times = {0};
  while (more_calls(&times, row)) {
    add_one<<<1, 1>>>(device + times.count, 1);
    finish();
    begin_call(&times);
    from_device(values, device, n);
    end_call(&times);
  }
  check(row, values, n);
  report_rate(row, &times, 4.0 * n);
  CHECK(cudaFree(device));
  free(values);
}

static void map_to(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n), *device;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    device = device_memory<int>(n);
    to_device(device, values, n);
    CHECK(cudaFree(device));
    end_call(&times);
  }
  device = device_memory<int>(n);
  to_device(device, values, n);
  check_device(row, device, values, n);
  report_rate(row, &times, 4.0 * n);
  CHECK(cudaFree(device));
  free(values);
}

static void map_from(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n), *device;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    device = device_memory<int>(n);
    from_device(values, device, n);
    CHECK(cudaFree(device));
    end_call(&times);
  }
  device = device_memory<int>(n);
  number<<<blocks_for(n), THREADS>>>(device, n);
  from_device(values, device, n);
  check(row, values, n);
  report_rate(row, &times, 4.0 * n);
  CHECK(cudaFree(device));
  free(values);
}

static void launch(const Row *row) {
  int n = reduced(row->size);
  int *values = host_ints(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    int *device = device_memory<int>(n);
    to_device(device, values, n);
    add_one<<<blocks_for(n), THREADS>>>(device, n);
    from_device(values, device, n);
    CHECK(cudaFree(device));
    end_call(&times);
  }
  check(row, values, n);
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
