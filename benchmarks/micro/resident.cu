/* Kernels on data that stays on the device: one launch at a time, which the program waits for. */
#include "rows_cuda.h"

/* Kernels that go through arrays from one end to the other. */

template <typename T>
struct Copy {
  __device__ static void at(int i, const T *a, const T *, T *c) { c[i] = a[i]; }
};

template <typename T>
struct Mul {
  __device__ static void at(int i, const T *a, const T *, T *c) { c[i] = (T)0.4 * a[i]; }
};

template <typename T>
struct Add {
  __device__ static void at(int i, const T *a, const T *b, T *c) { c[i] = a[i] + b[i]; }
};

template <typename T>
struct Triad {
  __device__ static void at(int i, const T *a, const T *b, T *c) { c[i] = a[i] + (T)0.4 * b[i]; }
};

template <typename T>
struct Axpy {
  __device__ static void at(int i, const T *a, const T *, T *c) { c[i] += (T)0.25 * a[i]; }
};

template <typename T, typename Kernel>
__global__ void stream(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) Kernel::at(i, a, b, c);
}

template <typename T, template <typename> class Kernel>
static void measure_stream(const Row *row) {
  int n = reduced(row->size);
  T *a = resident<T>(n, 1), *b = resident<T>(n, 2), *c = resident<T>(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    stream<T, Kernel<T>><<<blocks_for(n), THREADS>>>(a, b, c, n);
    finish();
    end_call(&times);
  }
  check_and_release(row, c, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

/* Bytes, which wrap around. */
__global__ void axpy_bytes(const signed char *__restrict__ x, signed char *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = (signed char)(y[i] + 3 * x[i]);
}

__global__ void fill_bytes(signed char *values, int count, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = (signed char)VALUE(i, seed);
}

static void axpy_c(const Row *row) {
  int n = reduced(row->size);
  signed char *x = device_memory<signed char>(n), *y = device_memory<signed char>(n);
  fill_bytes<<<blocks_for(n), THREADS>>>(x, n, 1);
  fill_bytes<<<blocks_for(n), THREADS>>>(y, n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    axpy_bytes<<<blocks_for(n), THREADS>>>(x, y, n);
    finish();
    end_call(&times);
  }
  check_and_release(row, y, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(x));
}

/* Stencils of five points; the border is left alone. */
template <typename T>
__global__ void stencil(const T *__restrict__ a, T *__restrict__ b, int side) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < side - 1 && j < side - 1)
    b[i * side + j] = (T)0.2 * (a[i * side + j] + a[i * side + j - 1] + a[i * side + j + 1] +
                                a[(i - 1) * side + j] + a[(i + 1) * side + j]);
}

template <typename T>
static void measure_stencil(const Row *row) {
  int side = reduced(row->size), n = side * side;
  T *a = resident<T>(n, 1), *b = resident<T>(n, 2);
  dim3 threads(32, 8), blocks((side - 2 + 31) / 32, (side - 2 + 7) / 8);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    stencil<<<blocks, threads>>>(a, b, side);
    finish();
    end_call(&times);
  }
  check_and_release(row, b, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
}

/* Two cubes change places, element by element. */
__global__ void swap_cubes(double *__restrict__ a, double *__restrict__ b, int side) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, i = blockIdx.z;
  if (j < side && k < side) {
    double kept = a[(i * side + j) * side + k];
    a[(i * side + j) * side + k] = b[(i * side + j) * side + k];
    b[(i * side + j) * side + k] = kept;
  }
}

static void swap(const Row *row) {
  int side = reduced(row->size), n = side * side * side;
  double *a = resident<double>(n, 1), *b = resident<double>(n, 2);
  dim3 threads(32, 8), blocks((side + 31) / 32, (side + 7) / 8, side);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    swap_cubes<<<blocks, threads>>>(a, b, side);
    finish();
    end_call(&times);
  }
  check_and_release(row, a, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(b));
}

/* A step of the optimiser Adam: two means of the gradient that go on, and the parameters that follow them. */
__global__ void adam_step(float *__restrict__ p, float *__restrict__ m, float *__restrict__ v,
                          const float *__restrict__ g, int n, float step, float beta1, float beta2, float least) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = beta1 * m[i] + (1.0f - beta1) * g[i];
  v[i] = beta2 * v[i] + (1.0f - beta2) * g[i] * g[i];
  p[i] -= step * m[i] / (sqrtf(v[i]) + least);
}

static void adam(const Row *row) {
  int n = reduced(row->size);
  float *p = resident<float>(n, 1), *m = resident<float>(n, 2), *v = resident<float>(n, 3), *g = resident<float>(n, 4);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    adam_step<<<blocks_for(n), THREADS>>>(p, m, v, g, n, 1e-3f, 0.9f, 0.999f, 1e-8f);
    finish();
    end_call(&times);
  }
  check_and_release(row, p, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(m));
  CHECK(cudaFree(v));
  CHECK(cudaFree(g));
}

/* Matrices side by side: each element's place is found by division. */
__global__ void join(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int rows,
                     int left, int right) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, width = left + right;
  if (i >= n) return;
  int image = i / (rows * width), rest = i % (rows * width);
  int line = image * rows + rest / width, column = rest % width;
  c[i] = column < left ? a[line * left + column] : b[line * right + column - left];
}

static void concat(const Row *row) {
  int images = 8, rows = reduced(row->size), left = 640, right = 384;
  int n = images * rows * (left + right);
  float *a = resident<float>(images * rows * left, 1), *b = resident<float>(images * rows * right, 2);
  float *c = resident<float>(n, 3);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    join<<<blocks_for(n), THREADS>>>(a, b, c, n, rows, left, right);
    finish();
    end_call(&times);
  }
  check_and_release(row, c, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

/* A step of a bitonic sort. The first call puts pairs in order, the others find them so. */
__global__ void bitonic_step(int *values, int n, int length, int power) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sequence = i / length, partner = i + length / 2;
  int rising = sequence / power % 2 == 0;
  if (i < length * sequence + length / 2 && partner < n) {
    int x = values[i], y = values[partner];
    if (rising ? x > y : x < y) {
      values[i] = y;
      values[partner] = x;
    }
  }
}

static void bitonic(const Row *row) {
  int n = reduced(row->size);
  int *values = resident<int>(n, 1, 1);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    bitonic_step<<<blocks_for(n), THREADS>>>(values, n, 4096, 16);
    finish();
    end_call(&times);
  }
  check_and_release(row, values, n);
  report_times(row, &times, 1);
}

/* Convolution of three channels to eight, windows of 5 x 5; a plane of blocks for each image and channel. */
__global__ void convolve(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ c, int in,
                         int out, int side, int window) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int image = blockIdx.z / out, o = blockIdx.z % out, left = side - window + 1;
  if (x >= left || y >= left) return;
  float sum = 0;
  for (int i = 0; i < in; i++)
    for (int dy = 0; dy < window; dy++)
      for (int dx = 0; dx < window; dx++)
        sum += w[((o * in + i) * window + dy) * window + dx] * a[((image * in + i) * side + y + dy) * side + x + dx];
  c[((image * out + o) * left + y) * left + x] = sum;
}

static void convolution(const Row *row) {
  int images = reduced(row->size), in = 3, out = 8, side = 64, window = 5, left = side - window + 1;
  float *a = resident<float>(images * in * side * side, 1), *w = resident<float>(out * in * window * window, 2);
  int n = images * out * left * left;
  float *c = resident<float>(n, 3);
  dim3 threads(32, 8), blocks((left + 31) / 32, (left + 7) / 8, images * out);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    convolve<<<blocks, threads>>>(a, w, c, in, out, side, window);
    finish();
    end_call(&times);
  }
  check_and_release(row, c, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
  CHECK(cudaFree(w));
}

/* Channels of images change their order: those of one group lie groups apart afterwards. */
__global__ void shuffle_channels(const float *__restrict__ a, float *__restrict__ b, int channels, int groups,
                                 int pixels) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, c = blockIdx.y, image = blockIdx.z;
  if (p >= pixels) return;
  int from = c % groups * (channels / groups) + c / groups;
  b[(image * channels + c) * pixels + p] = a[(image * channels + from) * pixels + p];
}

static void shuffle(const Row *row) {
  int images = row->size, channels = 512, groups = 8, side = reduced(112), pixels = side * side;
  int n = images * channels * pixels;
  float *a = resident<float>(n, 1), *b = resident<float>(n, 2);
  dim3 blocks(blocks_for(pixels), channels, images);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    shuffle_channels<<<blocks, THREADS>>>(a, b, channels, groups, pixels);
    finish();
    end_call(&times);
  }
  check_and_release(row, b, n);
  report_times(row, &times, 1);
  CHECK(cudaFree(a));
}

static const Row rows[] = {
    {"axpy_16M_float", measure_stream<float, Axpy>, 16 << 20, 100},
    {"axpy_64M_float", measure_stream<float, Axpy>, 64 << 20, 100},
    {"copy_64M_float", measure_stream<float, Copy>, 64 << 20, 100},
    {"mul_64M_float", measure_stream<float, Mul>, 64 << 20, 100},
    {"add_64M_float", measure_stream<float, Add>, 64 << 20, 100},
    {"triad_64M_float", measure_stream<float, Triad>, 64 << 20, 100},
    {"copy_64M_double", measure_stream<double, Copy>, 64 << 20, 100},
    {"mul_64M_double", measure_stream<double, Mul>, 64 << 20, 100},
    {"add_64M_double", measure_stream<double, Add>, 64 << 20, 100},
    {"triad_64M_double", measure_stream<double, Triad>, 64 << 20, 100},
    {"axpy_64M_double", measure_stream<double, Axpy>, 64 << 20, 100},
    {"stencil_8192_float", measure_stencil<float>, 8192, 100},
    {"stencil_8192_double", measure_stencil<double>, 8192, 100},
    {"axpy_64M_char", axpy_c, 64 << 20, 100},
    {"swap_400_double", swap, 400, 100},
    {"adam_16M_float", adam, 16 << 20, 100},
    {"concat_50M_float", concat, 6400, 100},
    {"bitonic_32M_int", bitonic, 32 << 20, 100},
    {"convolution_128_images", convolution, 128, 100},
    {"shuffle_4_images", shuffle, 4, 100},
    {"shuffle_1_image", shuffle, 1, 100},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
