/* Short launches with copies of small arrays around them; memory of the device is allocated once. */
#include "rows_cuda.h"

static float *host_floats(int count, unsigned seed) {
  float *values = (float *)allocate(count, sizeof *values);
  for (int i = 0; i < count; i++) values[i] = (float)VALUE(i, seed) / 256.0f;
  return values;
}

__global__ void set(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.5f * (float)i;
}

static void from_alone(const Row *row) {
  int n = row->size;
  float *a = host_floats(n, 1), *device = device_memory<float>(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    set<<<blocks_for(n), THREADS>>>(device, n);
    from_device(a, device, n);
    end_call(&times);
  }
  check(row, a, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(device));
  free(a);
}

__global__ void halve(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.5f * a[i] + 1.0f;
}

static void both_ways(const Row *row) {
  int n = row->size;
  float *a = host_floats(n, 1), *device = device_memory<float>(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    to_device(device, a, n);
    halve<<<blocks_for(n), THREADS>>>(device, n);
    from_device(a, device, n);
    end_call(&times);
  }
  check(row, a, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(device));
  free(a);
}

__global__ void scale(const float *__restrict__ factors, float *__restrict__ a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = factors[i % 8] * a[i] + 1.0f;
}

/* Eight factors go to the device, where the array is that they change; and home, if they go both ways. */
static void measure_scale(const Row *row, bool home) {
  int n = row->size;
  float *a = resident<float>(n, 1), *factors = host_floats(8, 2), *device = device_memory<float>(8);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    to_device(device, factors, 8);
    scale<<<blocks_for(n), THREADS>>>(device, a, n);
    if (home) from_device(factors, device, 8);
    finish();
    end_call(&times);
  }
  check_and_release(row, a, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(device));
  free(factors);
}

static void to_and_present(const Row *row) { measure_scale(row, false); }
static void implicit_and_present(const Row *row) { measure_scale(row, true); }

__global__ void add(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

static void two_to_one_from(const Row *row) {
  int n = row->size;
  float *a = host_floats(n, 1), *b = host_floats(n, 2), *c = host_floats(n, 3);
  float *on_a = device_memory<float>(n), *on_b = device_memory<float>(n), *on_c = device_memory<float>(n);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    to_device(on_a, a, n);
    to_device(on_b, b, n);
    add<<<blocks_for(n), THREADS>>>(on_a, on_b, on_c, n);
    from_device(c, on_c, n);
    end_call(&times);
  }
  check(row, c, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(on_a));
  CHECK(cudaFree(on_b));
  CHECK(cudaFree(on_c));
  free(a);
  free(b);
  free(c);
}

/* Each block counts in shared memory first. */
__global__ void count_values(const int *__restrict__ values, int *count, int n) {
  __shared__ int own[200];
  for (int k = threadIdx.x; k < 200; k += blockDim.x) own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[(values[i] + i) % 200], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 200; k += blockDim.x)
    if (own[k] != 0) atomicAdd(&count[k], own[k]);
}

static void counts(const Row *row) {
  int n = reduced(row->size), count[200], *device = device_memory<int>(200);
  int *values = resident<int>(n, 1, 1), blocks = blocks_for(n) < 528 ? blocks_for(n) : 528;
  Times times = {0};
  while (more_calls(&times, row)) {
    memset(count, 0, sizeof count);
    begin_call(&times);
    to_device(device, count, 200);
    count_values<<<blocks, THREADS>>>(values, device, n);
    from_device(count, device, 200);
    end_call(&times);
  }
  check(row, count, 200);
  report_times(row, &times, 1);
  CHECK(cudaFree(device));
  CHECK(cudaFree(values));
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
