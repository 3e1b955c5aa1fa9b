/* Speckle-reducing anisotropic diffusion with lists of neighbours: one-dimensional loops, statistics by reductions. */
#include <math.h>

#include "../common_cuda.h"

static void fill(float *image, int rows, int cols) {
  unsigned state = 19;
  for (int k = 0; k < rows * cols; k++) image[k] = 20.0f + 200.0f * random_unit(&state);
}

static void find_neighbours(int *north, int *south, int *west, int *east, int rows, int cols) {
  for (int i = 0; i < rows; i++) {
    north[i] = i > 0 ? i - 1 : 0;
    south[i] = i < rows - 1 ? i + 1 : i;
  }
  for (int j = 0; j < cols; j++) {
    west[j] = j > 0 ? j - 1 : 0;
    east[j] = j < cols - 1 ? j + 1 : j;
  }
}

__global__ void extract(float *image, int cells) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < cells) image[k] = expf(image[k] / 255.0f);
}

__global__ void compress(float *image, int cells) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < cells) image[k] = logf(image[k]) * 255.0f;
}

__device__ double sum_of_warp(double value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

/* Sum and sum of squares: warps, blocks, and one atomic addition for each block. */
__global__ void add_up(const float *__restrict__ image, int cells, double *__restrict__ result) {
  __shared__ double sums[THREADS / 32], squares[THREADS / 32];
  double sum = 0, square = 0;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < cells; k += gridDim.x * blockDim.x) {
    float value = image[k];
    sum += value;
    square += value * value;
  }
  sum = sum_of_warp(sum);
  square = sum_of_warp(square);
  if (threadIdx.x % 32 == 0) {
    sums[threadIdx.x / 32] = sum;
    squares[threadIdx.x / 32] = square;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = sum_of_warp(threadIdx.x < THREADS / 32 ? sums[threadIdx.x] : 0);
    square = sum_of_warp(threadIdx.x < THREADS / 32 ? squares[threadIdx.x] : 0);
    if (threadIdx.x == 0) {
      atomicAdd(&result[0], sum);
      atomicAdd(&result[1], square);
    }
  }
}

/* Directional derivatives and the coefficient of diffusion. */
__global__ void derive(const float *__restrict__ image, const int *__restrict__ north, const int *__restrict__ south,
                       const int *__restrict__ west, const int *__restrict__ east, float *__restrict__ dn,
                       float *__restrict__ ds, float *__restrict__ dw, float *__restrict__ de, float *__restrict__ c,
                       int cols, int cells, float q0) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= cells) return;
  int i = k / cols, j = k % cols;
  float here = image[k];
  float n = image[north[i] * cols + j] - here, s = image[south[i] * cols + j] - here;
  float w = image[i * cols + west[j]] - here, e = image[i * cols + east[j]] - here;
  float gradient = (n * n + s * s + w * w + e * e) / (here * here);
  float laplacian = (n + s + w + e) / here;
  float denominator = 1.0f + 0.25f * laplacian;
  float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (denominator * denominator);
  float coefficient = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  dn[k] = n;
  ds[k] = s;
  dw[k] = w;
  de[k] = e;
  c[k] = fminf(fmaxf(coefficient, 0.0f), 1.0f);
}

/* Divergence, and the new image. */
__global__ void diffuse(float *__restrict__ image, const int *__restrict__ south, const int *__restrict__ east,
                        const float *__restrict__ dn, const float *__restrict__ ds, const float *__restrict__ dw,
                        const float *__restrict__ de, const float *__restrict__ c, int cols, int cells, float lambda) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= cells) return;
  int i = k / cols, j = k % cols;
  float here = c[k], below = c[south[i] * cols + j], right = c[i * cols + east[j]];
  float divergence = here * dn[k] + below * ds[k] + here * dw[k] + right * de[k];
  image[k] += 0.25f * lambda * divergence;
}

int main(int argc, char **argv) {
  int rows = argument(argc, argv, 1, 4096), cols = argument(argc, argv, 2, 4096);
  int steps = argument(argc, argv, 3, 20), runs = argument(argc, argv, 4, 5);
  int cells = rows * cols;
  const float lambda = 0.5f;
  float *image = (float *)allocate(cells, sizeof *image);
  int *north = (int *)allocate(rows, sizeof *north), *south = (int *)allocate(rows, sizeof *south);
  int *west = (int *)allocate(cols, sizeof *west), *east = (int *)allocate(cols, sizeof *east);
  float q0 = 0;
  Clock clock = {0};
  find_neighbours(north, south, west, east, rows, cols);

  float *dimage = device_memory<float>(cells), *c = device_memory<float>(cells);
  float *dn = device_memory<float>(cells), *ds = device_memory<float>(cells);
  float *dw = device_memory<float>(cells), *de = device_memory<float>(cells);
  int *dnorth = device_memory<int>(rows), *dsouth = device_memory<int>(rows);
  int *dwest = device_memory<int>(cols), *deast = device_memory<int>(cols);
  double *dsums = device_memory<double>(2), sums[2];
  int processors, blocks = blocks_for(cells);
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  int adding = blocks < 8 * processors ? blocks : 8 * processors;
  to_device(dnorth, north, rows);
  to_device(dsouth, south, rows);
  to_device(dwest, west, cols);
  to_device(deast, east, cols);
  for (int run = 0; run <= runs; run++) {
    fill(image, rows, cols);
    to_device(dimage, image, cells);
    start(&clock);
    extract<<<blocks, THREADS>>>(dimage, cells);
    for (int step = 0; step < steps; step++) {
      CHECK(cudaMemsetAsync(dsums, 0, sizeof sums));
      add_up<<<adding, THREADS>>>(dimage, cells, dsums);
      from_device(sums, dsums, 2);
      double mean = sums[0] / cells;
      q0 = (float)((sums[1] / cells - mean * mean) / (mean * mean));
      derive<<<blocks, THREADS>>>(dimage, dnorth, dsouth, dwest, deast, dn, ds, dw, de, c, cols, cells, q0);
      diffuse<<<blocks, THREADS>>>(dimage, dsouth, deast, dn, ds, dw, de, c, cols, cells, lambda);
    }
    compress<<<blocks, THREADS>>>(dimage, cells);
    finish();
    stop(&clock);
    from_device(image, dimage, cells);
  }

  printf("last speckle: %.6e\n", q0);
  report_floats("image", image, cells);
  report_time(&clock);
  CHECK(cudaFree(dimage));
  CHECK(cudaFree(c));
  CHECK(cudaFree(dn));
  CHECK(cudaFree(ds));
  CHECK(cudaFree(dw));
  CHECK(cudaFree(de));
  CHECK(cudaFree(dnorth));
  CHECK(cudaFree(dsouth));
  CHECK(cudaFree(dwest));
  CHECK(cudaFree(deast));
  CHECK(cudaFree(dsums));
  free(image);
  free(north);
  free(south);
  free(west);
  free(east);
  return 0;
}
