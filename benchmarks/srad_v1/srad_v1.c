/* Speckle-reducing anisotropic diffusion with lists of neighbours: one-dimensional loops, statistics by reductions. */
#include <math.h>

#include "../common.h"

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

static void extract(float *image, int cells) {
#pragma omp target teams distribute parallel for map(tofrom : image[0:cells])
  for (int k = 0; k < cells; k++) image[k] = expf(image[k] / 255.0f);
}

static void compress(float *image, int cells) {
#pragma omp target teams distribute parallel for map(tofrom : image[0:cells])
  for (int k = 0; k < cells; k++) image[k] = logf(image[k]) * 255.0f;
}

/* Variance of the image by the square of its mean. */
static float speckle(const float *image, int cells) {
  double sum = 0, squares = 0;
#pragma omp target teams distribute parallel for map(to : image[0:cells]) reduction(+ : sum, squares)
  for (int k = 0; k < cells; k++) {
    float value = image[k];
    sum += value;
    squares += value * value;
  }
  double mean = sum / cells;
  return (float)((squares / cells - mean * mean) / (mean * mean));
}

int main(int argc, char **argv) {
  int rows = argument(argc, argv, 1, 4096), cols = argument(argc, argv, 2, 4096);
  int steps = argument(argc, argv, 3, 20), runs = argument(argc, argv, 4, 5);
  int cells = rows * cols;
  const float lambda = 0.5f;
  float *image = allocate(cells, sizeof *image), *c = allocate(cells, sizeof *c);
  float *dn = allocate(cells, sizeof *dn), *ds = allocate(cells, sizeof *ds);
  float *dw = allocate(cells, sizeof *dw), *de = allocate(cells, sizeof *de);
  int *north = allocate(rows, sizeof *north), *south = allocate(rows, sizeof *south);
  int *west = allocate(cols, sizeof *west), *east = allocate(cols, sizeof *east);
  float q0 = 0;
  Clock clock = {0};
  find_neighbours(north, south, west, east, rows, cols);

#pragma omp target data map(to : north[0:rows], south[0:rows], west[0:cols], east[0:cols]) \
    map(alloc : image[0:cells], c[0:cells], dn[0:cells], ds[0:cells], dw[0:cells], de[0:cells])
  for (int run = 0; run <= runs; run++) {
    fill(image, rows, cols);
#pragma omp target update to(image[0:cells])
    start(&clock);
    extract(image, cells);
    for (int step = 0; step < steps; step++) {
      q0 = speckle(image, cells);

      /* Directional derivatives and the coefficient of diffusion. */
#pragma omp target teams distribute parallel for
      for (int k = 0; k < cells; k++) {
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
        c[k] = coefficient < 0.0f ? 0.0f : coefficient > 1.0f ? 1.0f : coefficient;
      }

      /* Divergence, and the new image. */
#pragma omp target teams distribute parallel for
      for (int k = 0; k < cells; k++) {
        int i = k / cols, j = k % cols;
        float here = c[k], below = c[south[i] * cols + j], right = c[i * cols + east[j]];
        float divergence = here * dn[k] + below * ds[k] + here * dw[k] + right * de[k];
        image[k] += 0.25f * lambda * divergence;
      }
    }
    compress(image, cells);
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
  free(north);
  free(south);
  free(west);
  free(east);
  return 0;
}
