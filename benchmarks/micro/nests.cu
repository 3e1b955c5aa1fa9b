/* The nests by hand: a thread for each element, blocks of 32 x 8 with neighbouring threads along rows. */
#include "rows_cuda.h"

enum { LAUNCHES = 20 };

/* Both coordinates of a thread; a block has 32 x 8 threads. */
#define ROW (int)(blockIdx.y * blockDim.y + threadIdx.y)
#define COLUMN (int)(blockIdx.x * blockDim.x + threadIdx.x)

template <typename T>
__global__ void five_points(const T *__restrict__ a, T *__restrict__ b, int height, int width) {
  int i = ROW + 1, j = COLUMN + 1;
  if (i >= height - 1 || j >= width - 1) return;
  b[i * width + j] = (T)0.2 * (a[i * width + j] + a[i * width + j - 1] + a[i * width + j + 1] +
                               a[(i - 1) * width + j] + a[(i + 1) * width + j]);
}

__global__ void nine_points(const float *__restrict__ a, float *__restrict__ b, int height, int width) {
  int i = ROW + 1, j = COLUMN + 1;
  if (i >= height - 1 || j >= width - 1) return;
  const float *at = a + i * width + j;
  b[i * width + j] = 0.5f * at[0] + 0.1f * (at[-1] + at[1] + at[-width] + at[width]) +
                     0.025f * (at[-width - 1] + at[-width + 1] + at[width - 1] + at[width + 1]);
}

/* The neighbour of a cell at the border is the cell itself. */
__global__ void border(const float *__restrict__ a, float *__restrict__ b, int height, int width) {
  int i = ROW, j = COLUMN;
  if (i >= height || j >= width) return;
  int up = i > 0 ? i - 1 : 0, down = i < height - 1 ? i + 1 : i;
  int left = j > 0 ? j - 1 : 0, right = j < width - 1 ? j + 1 : j;
  b[i * width + j] = 0.6f * a[i * width + j] + 0.1f * (a[up * width + j] + a[down * width + j] +
                                                      a[i * width + left] + a[i * width + right]);
}

/* Blocks of 32 x 4 x 2. */
template <typename T>
__global__ void seven_points(const T *__restrict__ a, T *__restrict__ b, int side, int width) {
  int k = COLUMN + 1, j = ROW + 1, i = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (i >= side - 1 || j >= side - 1 || k >= width - 1) return;
  int at = (i * side + j) * width + k;
  b[at] = (T)0.4 * a[at] + (T)0.1 * (a[at - 1] + a[at + 1] + a[at - width] + a[at + width] +
                                     a[at - side * width] + a[at + side * width]);
}

__global__ void few_columns(const double *__restrict__ a, double *__restrict__ b, int height, int width) {
  int at = COLUMN;
  if (at < height * width) b[at] = 2 * a[at] + at % width;
}

__global__ void columns_first(const float *__restrict__ a, float *__restrict__ b, int height, int width) {
  int i = ROW, j = COLUMN;
  if (i < height && j < width) b[i * width + j] = 2 * a[i * width + j];
}

__global__ void transpose(const float *__restrict__ a, float *__restrict__ b, int height, int width) {
  int i = ROW, j = COLUMN;
  if (i < height && j < width) b[j * height + i] = a[i * width + j];
}

__global__ void add_transposed(const float *__restrict__ a, float *__restrict__ b, int side, int) {
  int i = ROW, j = COLUMN;
  if (i < side && j < side) b[i * side + j] = a[i * side + j] + a[j * side + i];
}

/* The product of a matrix with itself, as the definition says it. */
__global__ void product(const float *__restrict__ a, float *__restrict__ b, int side, int) {
  int i = ROW, j = COLUMN;
  if (i >= side || j >= side) return;
  float sum = 0;
  for (int k = 0; k < side; k++) sum += a[i * side + k] * a[k * side + j];
  b[i * side + j] = sum;
}

/* A block for each row. */
__global__ void row_sums(const float *__restrict__ a, float *__restrict__ b, int, int width) {
  __shared__ float of_warp[THREADS / 32];
  float sum = 0;
  for (int j = threadIdx.x; j < width; j += THREADS) sum += a[(int)blockIdx.x * width + j];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < THREADS / 32; warp++) sum += of_warp[warp];
  b[blockIdx.x] = sum;
}

__global__ void column_sums(const float *__restrict__ a, float *__restrict__ b, int height, int width) {
  int j = COLUMN;
  if (j >= width) return;
  float sum = 0;
  for (int i = 0; i < height; i++) sum += a[i * width + j];
  b[j] = sum;
}

/* Windows of 5 x 5, whose weights are the first elements of the array. */
__global__ void convolution(const float *__restrict__ a, float *__restrict__ b, int height, int width) {
  int i = ROW + 2, j = COLUMN + 2;
  if (i >= height - 2 || j >= width - 2) return;
  float sum = 0;
  for (int y = -2; y <= 2; y++)
    for (int x = -2; x <= 2; x++) sum += a[5 * (y + 2) + x + 2] * a[(i + y) * width + j + x];
  b[i * width + j] = sum;
}

/* What a nest is launched with. */
typedef struct {
  dim3 blocks, threads;
} Shape;

static Shape plane(int height, int width) {
  return {dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)};
}

static Shape space(int side, int width) {
  return {dim3((width + 31) / 32, (side + 3) / 4, (side + 1) / 2), dim3(32, 4, 2)};
}

static Shape line(int count) {
  return {dim3(blocks_for(count)), dim3(THREADS)};
}

template <typename T>
static void measure(const Row *row, void (*nest)(const T *, T *, int, int), Shape shape, int n, int height, int width) {
  T *a = resident<T>(n, 1), *b = resident<T>(n, 2);
  Times times = {0};
  while (more_calls(&times, row)) {
    begin_call(&times);
    for (int time = 0; time < LAUNCHES; time++) nest<<<shape.blocks, shape.threads>>>(a, b, height, width);
    finish();
    end_call(&times);
  }
  check_and_release(row, b, n);
  report_times(row, &times, LAUNCHES);
  CHECK(cudaFree(a));
}

template <typename T, void nest(const T *, T *, int, int)>
static void square(const Row *row) {
  int side = reduced(row->size);
  measure<T>(row, nest, plane(side, side), side * side, side, side);
}

template <typename T, void nest(const T *, T *, int, int)>
static void cube(const Row *row) {
  int side = reduced(row->size);
  measure<T>(row, nest, space(side, side), side * side * side, side, side);
}

static void five_points_500(const Row *row) {
  int height = reduced(row->size), width = 1000;
  measure<double>(row, five_points<double>, plane(height, width), height * width, height, width);
}

static void columns_8(const Row *row) {
  int height = reduced(row->size), width = 8;
  measure<double>(row, few_columns, line(height * width), height * width, height, width);
}

static void row_sums_4096(const Row *row) {
  int side = reduced(row->size);
  measure<float>(row, row_sums, {dim3(side), dim3(THREADS)}, side * side, side, side);
}

static void column_sums_4096(const Row *row) {
  int side = reduced(row->size);
  measure<float>(row, column_sums, line(side), side * side, side, side);
}

static const Row rows[] = {
    {"five_points_500x1000_double", five_points_500, 500, 15},
    {"five_points_4096_double", square<double, five_points<double>>, 4096, 15},
    {"five_points_2048_float", square<float, five_points<float>>, 2048, 15},
    {"nine_points_2048_float", square<float, nine_points>, 2048, 15},
    {"border_1024_float", square<float, border>, 1024, 15},
    {"seven_points_100_double", cube<double, seven_points<double>>, 100, 15},
    {"seven_points_256_float", cube<float, seven_points<float>>, 256, 15},
    {"columns_100000x8_double", columns_8, 100000, 15},
    {"columns_first_4096_float", square<float, columns_first>, 4096, 15},
    {"transpose_1000_float", square<float, transpose>, 1000, 15},
    {"transpose_4096_float", square<float, transpose>, 4096, 15},
    {"add_transposed_4096_float", square<float, add_transposed>, 4096, 15},
    {"product_1024_float", square<float, product>, 1024, 15},
    {"row_sums_4096_float", row_sums_4096, 4096, 15},
    {"column_sums_4096_float", column_sums_4096, 4096, 15},
    {"convolution_2048_float", square<float, convolution>, 2048, 15},
};

int main(int argc, char **argv) {
  return MEASURE_ROWS(argc, argv, rows);
}
