/* Speckle-reducing anisotropic diffusion, two-dimensional blocks: the host reads a strip of the image and finds the
 * statistics, before each step. */
#include <math.h>

#include "../common_cuda.h"

enum { STRIP = 64 }; /* rows and columns of the region that tells how much speckle there is */

static void fill(float *image, int cells) {
  unsigned state = 23;
  for (int k = 0; k < cells; k++) image[k] = expf((20.0f + 200.0f * random_unit(&state)) / 255.0f);
}

/* Variance of the region by the square of its mean. */
static float speckle(const float *image, int rows, int cols) {
  double sum = 0, squares = 0;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < STRIP && j < cols; j++) {
      float value = image[i * cols + j];
      sum += value;
      squares += value * value;
    }
  }
  double count = (double)rows * (STRIP < cols ? STRIP : cols), mean = sum / count;
  return (float)((squares / count - mean * mean) / (mean * mean));
}

/* Directional derivatives and the coefficient of diffusion. */
__global__ void derive(int rows, int cols, const float *__restrict__ image, float *__restrict__ dn,
                       float *__restrict__ ds, float *__restrict__ dw, float *__restrict__ de, float *__restrict__ c,
                       float q0) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= rows || j >= cols) return;
  int k = i * cols + j;
  float here = image[k];
  float n = (i > 0 ? image[k - cols] : here) - here;
  float s = (i < rows - 1 ? image[k + cols] : here) - here;
  float w = (j > 0 ? image[k - 1] : here) - here;
  float e = (j < cols - 1 ? image[k + 1] : here) - here;
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
__global__ void diffuse(int rows, int cols, float *__restrict__ image, const float *__restrict__ dn,
                        const float *__restrict__ ds, const float *__restrict__ dw, const float *__restrict__ de,
                        const float *__restrict__ c, float lambda) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= rows || j >= cols) return;
  int k = i * cols + j;
  float here = c[k];
  float below = i < rows - 1 ? c[k + cols] : here;
  float right = j < cols - 1 ? c[k + 1] : here;
  float divergence = here * dn[k] + below * ds[k] + here * dw[k] + right * de[k];
  image[k] += 0.25f * lambda * divergence;
}

int main(int argc, char **argv) {
  int rows = argument(argc, argv, 1, 4096), cols = argument(argc, argv, 2, 4096);
  int steps = argument(argc, argv, 3, 20), runs = argument(argc, argv, 4, 5);
  int cells = rows * cols, strip = STRIP < rows ? STRIP : rows;
  float *image = (float *)allocate(cells, sizeof *image), q0 = 0;
  Clock clock = {0};

  float *dimage = device_memory<float>(cells), *c = device_memory<float>(cells);
  float *dn = device_memory<float>(cells), *ds = device_memory<float>(cells);
  float *dw = device_memory<float>(cells), *de = device_memory<float>(cells);
  dim3 block(32, 8), grid((cols + 31) / 32, (rows + 7) / 8);
  for (int run = 0; run <= runs; run++) {
    fill(image, cells);
    to_device(dimage, image, cells);
    start(&clock);
    for (int step = 0; step < steps; step++) {
      from_device(image, dimage, (size_t)strip * cols);
      q0 = speckle(image, strip, cols);
      derive<<<grid, block>>>(rows, cols, dimage, dn, ds, dw, de, c, q0);
      diffuse<<<grid, block>>>(rows, cols, dimage, dn, ds, dw, de, c, 0.5f);
    }
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
  free(image);
  return 0;
}
