/* Sums and extremes by hand: a loop with the grid's stride, shuffles in a warp, one atomic operation for each block. */
#include "rows_cuda.h"

/* As many blocks as the GPU has room for, or fewer. */
static int grid_for(int n) {
  static int most = 0;
  if (most == 0) {
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMultiProcessorCount, 0));
    most *= 8;
  }
  return blocks_for(n) < most ? blocks_for(n) : most;
}

struct Add {
  template <typename T>
  __device__ static T join(T a, T b) { return a + b; }
  __device__ static void into(double *to, double value) { atomicAdd(to, value); }
};

/* Values that are not negative are in the order of their bits. */
struct Most {
  template <typename T>
  __device__ static T join(T a, T b) { return a > b ? a : b; }
  __device__ static void into(float *to, float value) { atomicMax((int *)to, __float_as_int(value)); }
  __device__ static void into(double *to, double value) { atomicMax((long long *)to, __double_as_longlong(value)); }
};

struct Least {
  template <typename T>
  __device__ static T join(T a, T b) { return a < b ? a : b; }
  __device__ static void into(float *to, float value) { atomicMin((int *)to, __float_as_int(value)); }
};

/* Join one value of each thread of a block into memory. */
template <typename Operation, typename T>
__device__ void join_block(T value, T *into) {
  __shared__ T of_warp[THREADS / 32];
  for (int step = 16; step > 0; step /= 2) value = Operation::join(value, __shfl_down_sync(0xffffffff, value, step));
  __syncthreads();
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < THREADS / 32; warp++) value = Operation::join(value, of_warp[warp]);
  Operation::into(into, value);
}

#define FOR_EACH(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)

static void check_value(const Row *row, double value) {
  check_doubles(row, &value, 1);
}

__global__ void sum_of(const float *__restrict__ x, int n, double *total) {
  double sum = 0;
  FOR_EACH(i, n) sum += x[i];
  join_block<Add>(sum, total);
}

static void sum(const Row *row) {
  int n = reduced(row->size);
  float *x = resident<float>(n, 1);
  double total = 0, *device = device_memory<double>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(device, 0, sizeof *device));
    sum_of<<<grid_for(n), THREADS>>>(x, n, device);
    from_device(&total, device, 1);
    end_call(&times);
  }
  check_value(row, total);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

template <typename T>
__global__ void dot_of(const T *__restrict__ x, const T *__restrict__ y, int n, double *total) {
  double sum = 0;
  FOR_EACH(i, n) sum += (double)x[i] * y[i];
  join_block<Add>(sum, total);
}

template <typename T>
static void dot(const Row *row) {
  int n = reduced(row->size);
  T *x = resident<T>(n, 1), *y = resident<T>(n, 2);
  double total = 0, *device = device_memory<double>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(device, 0, sizeof *device));
    dot_of<<<grid_for(n), THREADS>>>(x, y, n, device);
    from_device(&total, device, 1);
    end_call(&times);
  }
  check_value(row, total);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(device));
}

typedef struct {
  double total;
  float most;
} SumAndMaximum;

__global__ void sum_and_maximum_of(const float *__restrict__ x, int n, SumAndMaximum *found) {
  double sum = 0;
  float most = 0;
  FOR_EACH(i, n) {
    sum += x[i];
    most = fmaxf(most, x[i]);
  }
  join_block<Add>(sum, &found->total);
  join_block<Most>(most, &found->most);
}

static void sum_and_maximum(const Row *row) {
  int n = reduced(row->size);
  float *x = resident<float>(n, 1);
  SumAndMaximum found, *device = device_memory<SumAndMaximum>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(device, 0, sizeof *device));
    sum_and_maximum_of<<<grid_for(n), THREADS>>>(x, n, device);
    from_device(&found, device, 1);
    end_call(&times);
  }
  check_value(row, found.total + found.most);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

__global__ void maximum_of(const double *__restrict__ x, int n, double *found) {
  double most = 0;
  FOR_EACH(i, n) most = fmax(most, x[i]);
  join_block<Most>(most, found);
}

static void maximum(const Row *row) {
  int side = reduced(row->size), n = side * side;
  double *x = resident<double>(n, 1), most = 0, *device = device_memory<double>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(device, 0, sizeof *device));
    maximum_of<<<grid_for(n), THREADS>>>(x, n, device);
    from_device(&most, device, 1);
    end_call(&times);
  }
  check_value(row, most);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

__global__ void least_of(const float *__restrict__ x, int n, float limit, float *found) {
  float least = 1;
  FOR_EACH(i, n) if (x[i] > limit) least = fminf(least, x[i]);
  join_block<Least>(least, found);
}

static void least_beyond(const Row *row) {
  int n = reduced(row->size);
  float *x = resident<float>(n, 1), least = 1, *device = device_memory<float>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    least = 1;
    to_device(device, &least, 1);
    least_of<<<grid_for(n), THREADS>>>(x, n, 0.4f, device);
    from_device(&least, device, 1);
    end_call(&times);
  }
  check_value(row, least);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

__global__ void add_four(const double *__restrict__ x, int n, double *sums) {
  double a = 0, b = 0, c = 0, d = 0;
  FOR_EACH(i, n) {
    a += x[i];
    b += x[i] * x[i];
    c += x[i] * 0.5;
    d += 1 - x[i];
  }
  join_block<Add>(a, sums);
  join_block<Add>(b, sums + 1);
  join_block<Add>(c, sums + 2);
  join_block<Add>(d, sums + 3);
}

__global__ void add_eight(const double *__restrict__ x, int n, double *sums) {
  double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  FOR_EACH(i, n) {
    a += x[i];
    b += x[i] * x[i];
    c += x[i] * 0.5;
    d += 1 - x[i];
    e += x[i] * 0.25;
    f += 2 - x[i];
    g += x[i] * (1 - x[i]);
    h += 4 * x[i];
  }
  join_block<Add>(a, sums);
  join_block<Add>(b, sums + 1);
  join_block<Add>(c, sums + 2);
  join_block<Add>(d, sums + 3);
  join_block<Add>(e, sums + 4);
  join_block<Add>(f, sums + 5);
  join_block<Add>(g, sums + 6);
  join_block<Add>(h, sums + 7);
}

/* The sums stay on the device and go on from call to call. */
static void measure_sums(const Row *row, void (*kernel)(const double *, int, double *), int count) {
  int n = reduced(row->size);
  double *x = resident<double>(n, 1), *device = device_memory<double>(count), sums[8], all = 0;
  CHECK(cudaMemset(device, 0, count * sizeof *device));
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    kernel<<<grid_for(n), THREADS>>>(x, n, device);
    finish();
    end_call(&times);
  }
  from_device(sums, device, count);
  for (int k = 0; k < count; k++) all += (k + 1) * sums[k];
  check_value(row, all);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

static void four_sums(const Row *row) { measure_sums(row, add_four, 4); }
static void eight_sums(const Row *row) { measure_sums(row, add_eight, 8); }

__global__ void add_to(const double *__restrict__ x, int n, double *total) {
  double sum = 0;
  FOR_EACH(i, n) sum += x[i];
  join_block<Add>(sum, total);
}

/* A hundred launches, one behind the other, that add to one sum on the device. */
static void launches(const Row *row) {
  int n = reduced(row->size);
  double *x = resident<double>(n, 1), total = 0, *device = device_memory<double>(1);
  to_device(device, &total, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    for (int launch = 0; launch < 100; launch++) add_to<<<grid_for(n), THREADS>>>(x, n, device);
    finish();
    end_call(&times);
  }
  from_device(&total, device, 1);
  check_value(row, total);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

/* Each block adds in shared memory first. */
__global__ void add_by_place(const float *__restrict__ x, int n, float *sums) {
  __shared__ float own[200];
  for (int k = threadIdx.x; k < 200; k += blockDim.x) own[k] = 0;
  __syncthreads();
  FOR_EACH(i, n) atomicAdd(&own[i % 200], x[i]);
  __syncthreads();
  for (int k = threadIdx.x; k < 200; k += blockDim.x) atomicAdd(&sums[k], own[k]);
}

static void array_of_sums(const Row *row) {
  int n = reduced(row->size);
  float *x = resident<float>(n, 1), sums[200], *device = device_memory<float>(200);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(device, 0, sizeof sums));
    add_by_place<<<grid_for(n), THREADS>>>(x, n, device);
    from_device(sums, device, 200);
    end_call(&times);
  }
  check(row, sums, 200);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

__global__ void count_bins(const float *__restrict__ x, int n, int *bins) {
  __shared__ int own[8];
  if (threadIdx.x < 8) own[threadIdx.x] = 0;
  __syncthreads();
  FOR_EACH(i, n) atomicAdd(&own[(int)(8 * x[i])], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

static void histogram(const Row *row) {
  int n = reduced(row->size), bins[8], *device = device_memory<int>(8);
  float *x = resident<float>(n, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(device, 0, sizeof bins));
    count_bins<<<grid_for(n), THREADS>>>(x, n, device);
    from_device(bins, device, 8);
    end_call(&times);
  }
  check(row, bins, 8);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(device));
}

static const Row rows[] = {
    {"sum_1K_float", sum, 1 << 10, 100},
    {"sum_1M_float", sum, 1 << 20, 100},
    {"sum_16M_float", sum, 16 << 20, 100},
    {"sum_64M_float", sum, 64 << 20, 100},
    {"dot_64M_double", dot<double>, 64 << 20, 100},
    {"dot_64M_float", dot<float>, 64 << 20, 100},
    {"sum_and_maximum_16M_float", sum_and_maximum, 16 << 20, 100},
    {"maximum_16M_double", maximum, 4096, 100},
    {"least_beyond_4M_float", least_beyond, 4 << 20, 100},
    {"four_sums_25600", four_sums, 25600, 100},
    {"eight_sums_25600", eight_sums, 25600, 100},
    {"launches_100", launches, 25600, 50},
    {"sums_200_of_1M_float", array_of_sums, 1 << 20, 50},
    {"histogram_1M_float", histogram, 1 << 20, 100},
    {"histogram_64M_float", histogram, 64 << 20, 100},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
