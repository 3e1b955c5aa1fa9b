/* Speckle-reducing anisotropic diffusion with two-dimensional loops and arrays: the host reads a strip of the image and
 * finds the statistics, before each step. */
#include <math.h>

#include "../common.h"

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
static void derive(int rows, int cols, float image[rows][cols], float dn[rows][cols], float ds[rows][cols],
                   float dw[rows][cols], float de[rows][cols], float c[rows][cols], float q0) {
#pragma omp target teams distribute parallel for collapse(2) \
    map(to : image[0:rows][0:cols]) map(from : dn[0:rows][0:cols], ds[0:rows][0:cols], dw[0:rows][0:cols]) \
    map(from : de[0:rows][0:cols], c[0:rows][0:cols])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      float here = image[i][j];
      dn[i][j] = (i > 0 ? image[i - 1][j] : here) - here;
      ds[i][j] = (i < rows - 1 ? image[i + 1][j] : here) - here;
      dw[i][j] = (j > 0 ? image[i][j - 1] : here) - here;
      de[i][j] = (j < cols - 1 ? image[i][j + 1] : here) - here;
      float gradient =
          (dn[i][j] * dn[i][j] + ds[i][j] * ds[i][j] + dw[i][j] * dw[i][j] + de[i][j] * de[i][j]) / (here * here);
      float laplacian = (dn[i][j] + ds[i][j] + dw[i][j] + de[i][j]) / here;
      float denominator = 1.0f + 0.25f * laplacian;
      float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (denominator * denominator);
      float coefficient = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
      c[i][j] = coefficient < 0.0f ? 0.0f : coefficient > 1.0f ? 1.0f : coefficient;
    }
  }
}

/* Divergence, and the new image. */
static void diffuse(int rows, int cols, float image[rows][cols], float dn[rows][cols], float ds[rows][cols],
                    float dw[rows][cols], float de[rows][cols], float c[rows][cols], float lambda) {
#pragma omp target teams distribute parallel for collapse(2) \
    map(tofrom : image[0:rows][0:cols]) map(to : dn[0:rows][0:cols], ds[0:rows][0:cols], dw[0:rows][0:cols]) \
    map(to : de[0:rows][0:cols], c[0:rows][0:cols])
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      float here = c[i][j];
      float below = i < rows - 1 ? c[i + 1][j] : here;
      float right = j < cols - 1 ? c[i][j + 1] : here;
      float divergence = here * dn[i][j] + below * ds[i][j] + here * dw[i][j] + right * de[i][j];
      image[i][j] += 0.25f * lambda * divergence;
    }
  }
}

int main(int argc, char **argv) {
  int rows = argument(argc, argv, 1, 4096), cols = argument(argc, argv, 2, 4096);
  int steps = argument(argc, argv, 3, 20), runs = argument(argc, argv, 4, 5);
  int cells = rows * cols, strip = STRIP < rows ? STRIP : rows;
  float *image = allocate(cells, sizeof *image), *c = allocate(cells, sizeof *c);
  float *dn = allocate(cells, sizeof *dn), *ds = allocate(cells, sizeof *ds);
  float *dw = allocate(cells, sizeof *dw), *de = allocate(cells, sizeof *de);
  float q0 = 0;
  Clock clock = {0};

#pragma omp target data map(alloc : image[0:cells], c[0:cells]) \
    map(alloc : dn[0:cells], ds[0:cells], dw[0:cells], de[0:cells])
  for (int run = 0; run <= runs; run++) {
    fill(image, cells);
#pragma omp target update to(image[0:cells])
    start(&clock);
    for (int step = 0; step < steps; step++) {
#pragma omp target update from(image[0:strip * cols])
      q0 = speckle(image, strip, cols);
      derive(rows, cols, (void *)image, (void *)dn, (void *)ds, (void *)dw, (void *)de, (void *)c, q0);
      diffuse(rows, cols, (void *)image, (void *)dn, (void *)ds, (void *)dw, (void *)de, (void *)c, 0.5f);
    }
    stop(&clock);
#pragma omp target update from(image[0:cells])
  }

  printf("last speckle: %.6e\n", q0);
  report_floats("image", image, cells);
  report_time(&clock);
  free(image);
  free(c);
  free(dn);
  free(ds);
  free(dw);
  free(de);
  return 0;
}
