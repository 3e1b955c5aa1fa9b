/* What one launch costs that does almost nothing, on data that is on the device already; each is waited for. */
#include "rows_cuda.h"

typedef struct {
  float factors[16];
} Factors;

__global__ void nothing(void) {}

static void empty(const Row *row) {
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    nothing<<<1, 1>>>();
    finish();
    end_call(&times);
  }
  printf("%s: done\n", row->name);
  report_times(row, &times, 1);
}

__global__ void multiply(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] += a[i] * b[i];
}

static void three_arrays(const Row *row) {
  int n = row->size;
  float *a = resident<float>(n, 1), *b = resident<float>(n, 2), *c = resident<float>(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    multiply<<<blocks_for(n), THREADS>>>(a, b, c, n);
    finish();
    end_call(&times);
  }
  check_and_release(row, c, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

__global__ void add_seven(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c,
                          const float *__restrict__ d, const float *__restrict__ e, const float *__restrict__ f,
                          const float *__restrict__ g, float *__restrict__ h, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) h[i] = factor * h[i] + a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i];
}

static void eight_arrays(const Row *row) {
  int n = row->size;
  float *of[8];
  for (int k = 0; k < 8; k++) of[k] = resident<float>(n, k + 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    add_seven<<<blocks_for(n), THREADS>>>(of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], 0.5f, n);
    finish();
    end_call(&times);
  }
  check_and_release(row, of[7], n);
  report_times(row, &times, 1);
  for (int k = 0; k < 7; k++) CHECK(cudaFree(of[k]));
}

/* A structure of 64 bytes goes with the launch. */
__global__ void by_structure(const float *__restrict__ a, float *__restrict__ b, Factors with, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += with.factors[i % 16] * a[i];
}

static void structure(const Row *row) {
  int n = row->size;
  float *a = resident<float>(n, 1), *b = resident<float>(n, 2);
  Factors with = {{0}};
  for (int i = 0; i < 16; i++) with.factors[i] = (float)i / 16;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    by_structure<<<blocks_for(n), THREADS>>>(a, b, with, n);
    finish();
    end_call(&times);
  }
  check_and_release(row, b, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
}

/* The sum of as many elements as one block has threads. */
__global__ void block_sum(const float *__restrict__ a, float *total, int n) {
  __shared__ float of_warp[THREADS / 32];
  float sum = threadIdx.x < n ? a[threadIdx.x] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < THREADS / 32; warp++) sum += of_warp[warp];
  atomicAdd(total, sum);
}

static void sum(const Row *row) {
  int n = row->size;
  float *a = resident<float>(n, 1), *total = device_memory<float>(1), found = 0;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    CHECK(cudaMemsetAsync(total, 0, sizeof *total));
    block_sum<<<1, THREADS>>>(a, total, n);
    from_device(&found, total, 1);
    end_call(&times);
  }
  check(row, &found, 1);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
  CHECK(cudaFree(total));
}

static void update_to(const Row *row) {
  int value = 0, found = 0, *device = device_memory<int>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    value++;
    begin_call(&times);
    to_device(device, &value, 1);
    end_call(&times);
  }
  from_device(&found, device, 1);
  check(row, &found, 1);
  report_times(row, &times, 1);
  CHECK(cudaFree(device));
}

__global__ void count_up(int *value) {
  ++*value;
}

static void update_from(const Row *row) {
  int value = 0, *device = device_memory<int>(1);
  to_device(device, &value, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    count_up<<<1, 1>>>(device);
    finish();
    begin_call(&times);
    from_device(&value, device, 1);
    end_call(&times);
  }
  check(row, &value, 1);
  report_times(row, &times, 1);
  CHECK(cudaFree(device));
}

__global__ void go_on(const int *__restrict__ level, int *__restrict__ next, int turns, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) next[i] = level[i] + turns;
}

__global__ void come_to(int *__restrict__ level, const int *__restrict__ next, int *again, int turns, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  level[i] = next[i] % 1000;
  if (i == 0 && turns < 100) *again = 1;
}

/* As in a search by levels: a flag says whether there is another turn. The time is that of one of 100 turns. */
static void flag(const Row *row) {
  int n = row->size, turns = 0, again = 0;
  int *level = resident<int>(n, 1, 1), *next = resident<int>(n, 2, 1), *flag = device_memory<int>(1);
  Times times = {0};
  while (more_calls(&times, row)) {
    turns = 0;
    begin_call(&times);
    do {
      again = 0;
      turns++;
      to_device(flag, &again, 1);
      go_on<<<blocks_for(n), THREADS>>>(level, next, turns, n);
      come_to<<<blocks_for(n), THREADS>>>(level, next, flag, turns, n);
      from_device(&again, flag, 1);
    } while (again);
    end_call(&times);
  }
  check_and_release(row, level, n);
  report_times(row, &times, turns);
  CHECK(cudaFree(next));
  CHECK(cudaFree(flag));
}

__global__ void add(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}

static void one_new(const Row *row) {
  int n = row->size;
  float *a = resident<float>(n, 1), *b = (float *)allocate(n, sizeof *b);
  for (int i = 0; i < n; i++) b[i] = (float)i;
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    float *device = device_memory<float>(n);
    to_device(device, b, n);
    add<<<blocks_for(n), THREADS>>>(a, device, n);
    from_device(b, device, n);
    CHECK(cudaFree(device));
    end_call(&times);
  }
  check(row, b, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
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
    {"one_new", one_new, 64, 300},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
