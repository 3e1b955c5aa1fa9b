/* Copies and kernels on one GPU and on two of one process, a thread of the host for each; pageable arrays. */
#include <functional>
#include <thread>
#include <vector>

#include "rows_cuda.h"

enum { MOST = 2 };

static int gpus = 1, count;
static float *first[MOST], *second[MOST], *first_there[MOST], *second_there[MOST];

static void report_rate(const Row *row, Times *times, double bytes) {
  report_times(row, times, 1);
  printf("%s rate: %.2f GB/s\n", row->name, bytes / 1e3 / times->taken[(times->count - 1) / 2]);
}

/* Call a function by as many threads at once, with the number of each. */
static void by_threads(int number, const std::function<void(int)> &work) {
  std::vector<std::thread> threads;
  for (int thread = 1; thread < number; thread++) threads.emplace_back(work, thread);
  work(0);
  for (std::thread &thread : threads) thread.join();
}

/* Arrays of the host for each GPU, whose values can be told apart. All rows use them, so they go on from row to row. */
static void make_arrays(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    first[gpu] = (float *)allocate(count, sizeof(float));
    second[gpu] = (float *)allocate(count, sizeof(float));
    for (int i = 0; i < count; i++) {
      first[gpu][i] = (float)(i % 256 + gpu);
      second[gpu][i] = (float)(i % 128);
    }
  }
}

static void enter_arrays(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    CHECK(cudaSetDevice(gpu));
    first_there[gpu] = device_memory<float>(count);
    second_there[gpu] = device_memory<float>(count);
    to_device(first_there[gpu], first[gpu], count);
    to_device(second_there[gpu], second[gpu], count);
  }
}

static void leave_arrays(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    CHECK(cudaFree(first_there[gpu]));
    CHECK(cudaFree(second_there[gpu]));
  }
}

static void release_arrays(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    free(first[gpu]);
    free(second[gpu]);
  }
}

/* Print the checksums of an array of each GPU. */
static void check_arrays(const Row *row, float **arrays) {
  for (int gpu = 0; gpu < gpus; gpu++) check_floats(row, arrays[gpu], count);
}

__global__ void add_one(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}

__global__ void number(float *a, int n, int gpu) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = (float)(i % 64 + gpu);
}

static void add_one_to(float **there) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    CHECK(cudaSetDevice(gpu));
    add_one<<<blocks_for(count), THREADS>>>(there[gpu], count);
    finish();
  }
}

static void bring_home(void) {
  for (int gpu = 0; gpu < gpus; gpu++) {
    CHECK(cudaSetDevice(gpu));
    from_device(first[gpu], first_there[gpu], count);
  }
}

static void update_to(const Row *row) {
  Times times = {0};
  enter_arrays();
  while (more_calls(&times, row)) {
    for (int gpu = 0; gpu < gpus; gpu++) first[gpu][times.count] += 1;
    begin_call(&times);
    by_threads(gpus, [](int gpu) {
      CHECK(cudaSetDevice(gpu));
      to_device(first_there[gpu], first[gpu], count);
    });
    end_call(&times);
  }
  add_one_to(first_there);
  bring_home();
  leave_arrays();
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

static void update_from(const Row *row) {
  Times times = {0};
  enter_arrays();
  add_one_to(first_there);
  while (more_calls(&times, row)) {
    begin_call(&times);
    by_threads(gpus, [](int gpu) {
      CHECK(cudaSetDevice(gpu));
      from_device(first[gpu], first_there[gpu], count);
    });
    end_call(&times);
  }
  leave_arrays();
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

/* Two threads and streams for each GPU: one brings an array there, the other one home. */
static void update_both(const Row *row) {
  Times times = {0};
  cudaStream_t streams[2 * MOST];
  enter_arrays();
  add_one_to(second_there);
  for (int way = 0; way < 2 * gpus; way++) {
    CHECK(cudaSetDevice(way / 2));
    CHECK(cudaStreamCreateWithFlags(&streams[way], cudaStreamNonBlocking));
  }
  while (more_calls(&times, row)) {
    begin_call(&times);
    by_threads(2 * gpus, [&](int way) {
      int gpu = way / 2;
      size_t bytes = sizeof(float) * count;
      CHECK(cudaSetDevice(gpu));
      if (way % 2 == 0)
        CHECK(cudaMemcpyAsync(first_there[gpu], first[gpu], bytes, cudaMemcpyHostToDevice, streams[way]));
      else
        CHECK(cudaMemcpyAsync(second[gpu], second_there[gpu], bytes, cudaMemcpyDeviceToHost, streams[way]));
      CHECK(cudaStreamSynchronize(streams[way]));
    });
    end_call(&times);
  }
  for (int way = 0; way < 2 * gpus; way++) CHECK(cudaStreamDestroy(streams[way]));
  leave_arrays();
  check_arrays(row, second);
  report_rate(row, &times, 8.0 * gpus * count);
}

static void map_to(const Row *row) {
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    by_threads(gpus, [](int gpu) {
      CHECK(cudaSetDevice(gpu));
      float *there = device_memory<float>(count);
      to_device(there, first[gpu], count);
      CHECK(cudaFree(there));
    });
    end_call(&times);
  }
  enter_arrays();
  add_one_to(first_there);
  bring_home();
  leave_arrays();
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

static void map_from(const Row *row) {
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    by_threads(gpus, [](int gpu) {
      CHECK(cudaSetDevice(gpu));
      float *there = device_memory<float>(count);
      from_device(first[gpu], there, count);
      CHECK(cudaFree(there));
    });
    end_call(&times);
  }
  enter_arrays();
  for (int gpu = 0; gpu < gpus; gpu++) {
    CHECK(cudaSetDevice(gpu));
    number<<<blocks_for(count), THREADS>>>(first_there[gpu], count, gpu);
  }
  bring_home();
  leave_arrays();
  check_arrays(row, first);
  report_rate(row, &times, 4.0 * gpus * count);
}

__global__ void axpy_part(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += 0.25f * x[i];
}

/* One array's worth of elements in all, shared by the GPUs. One thread launches and waits: launches do not wait. */
static void axpy(const Row *row) {
  int part = count / gpus;
  Times times = {0};
  enter_arrays();
  while (more_calls(&times, row)) {
    begin_call(&times);
    for (int gpu = 0; gpu < gpus; gpu++) {
      CHECK(cudaSetDevice(gpu));
      axpy_part<<<blocks_for(part), THREADS>>>(second_there[gpu], first_there[gpu], part);
    }
    for (int gpu = 0; gpu < gpus; gpu++) {
      CHECK(cudaSetDevice(gpu));
      finish();
    }
    end_call(&times);
  }
  bring_home();
  leave_arrays();
  check_arrays(row, first);
  report_rate(row, &times, 12.0 * part * gpus);
}

__global__ void sum_part(const float *__restrict__ x, int n, double *total) {
  __shared__ double of_warp[THREADS / 32];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < THREADS / 32; warp++) sum += of_warp[warp];
  atomicAdd(total, sum);
}

static void sum(const Row *row) {
  int part = count / gpus, blocks;
  double total = 0, own[MOST], *there[MOST];
  Times times = {0};
  enter_arrays();
  CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, 0));
  blocks = 8 * blocks < blocks_for(part) ? 8 * blocks : blocks_for(part);
  for (int gpu = 0; gpu < gpus; gpu++) {
    CHECK(cudaSetDevice(gpu));
    there[gpu] = device_memory<double>(1);
  }
  while (more_calls(&times, row)) {
    begin_call(&times);
    for (int gpu = 0; gpu < gpus; gpu++) {
      CHECK(cudaSetDevice(gpu));
      CHECK(cudaMemsetAsync(there[gpu], 0, sizeof(double)));
      sum_part<<<blocks, THREADS>>>(first_there[gpu], part, there[gpu]);
    }
    total = 0;
    for (int gpu = 0; gpu < gpus; gpu++) {
      CHECK(cudaSetDevice(gpu));
      from_device(&own[gpu], there[gpu], 1);
      total += own[gpu];
    }
    end_call(&times);
  }
  for (int gpu = 0; gpu < gpus; gpu++) CHECK(cudaFree(there[gpu]));
  leave_arrays();
  printf("%s: total %.8e\n", row->name, total);
  report_rate(row, &times, 4.0 * part * gpus);
}

static const Row rows[] = {
    {"update_from", update_from, 256 << 20, 5},
    {"map_from", map_from, 256 << 20, 5},
    {"update_both", update_both, 256 << 20, 5},
    {"update_to", update_to, 256 << 20, 5},
    {"map_to", map_to, 256 << 20, 5},
    {"axpy", axpy, 256 << 20, 20},
    {"axpy_nowait", axpy, 256 << 20, 20},
    {"sum", sum, 256 << 20, 20},
};

/* Arguments: a row or all, what sizes are divided by, and how many GPUs. */
int main(int argc, char **argv) {
  gpus = argument(argc, argv, 3, 1);
  int there = 0;
  if (cudaGetDeviceCount(&there) != cudaSuccess) there = 0;
  if (gpus < 1 || gpus > MOST || gpus > there) {
    printf("%d GPUs asked for, %d there\n", gpus, there);
    return 0;
  }
  count = rows[0].size / (argument(argc, argv, 2, 1) > 0 ? argument(argc, argv, 2, 1) : 1);
  make_arrays();
  int status = MEASURE_ROWS(argc, argv, rows);
  release_arrays();
  return status;
}
