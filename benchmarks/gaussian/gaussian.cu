/* Linear equations by Gaussian elimination without pivots: two launches for each column, then the host substitutes. */
#include "../common_cuda.h"

/* A matrix whose diagonal dominates, and the right side whose solution is 1, 2, 3, 1, 2, 3 … */
static void fill(float *a, float *b, int n) {
  unsigned state = 3;
  for (int i = 0; i < n; i++) {
    double right = 0;
    for (int j = 0; j < n; j++) {
      float value = i == j ? (float)n : random_unit(&state);
      a[(size_t)i * n + j] = value;
      right += (double)value * (j % 3 + 1);
    }
    b[i] = (float)right;
  }
}

/* What of row k is taken from every row below it. */
__global__ void find_multipliers(const float *__restrict__ a, float *__restrict__ b, float *__restrict__ factor, int n,
                                 int k) {
  int i = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float f = a[i * n + k] / a[k * n + k];
  factor[i] = f;
  b[i] -= f * b[k];
}

/* No __restrict__ for a: row k is read, the rows below it are written. */
__global__ void eliminate(float *a, const float *__restrict__ factor, int n, int k) {
  int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] -= factor[i] * a[k * n + j];
}

static void substitute(const float *a, const float *b, float *x, int n) {
  for (int i = n - 1; i >= 0; i--) {
    double rest = b[i];
    for (int j = i + 1; j < n; j++) rest -= (double)a[(size_t)i * n + j] * x[j];
    x[i] = (float)(rest / a[(size_t)i * n + i]);
  }
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 4096), runs = argument(argc, argv, 2, 3);
  size_t cells = (size_t)n * n;
  float *a = (float *)allocate(cells, sizeof *a), *b = (float *)allocate(n, sizeof *b);
  float *x = (float *)allocate(n, sizeof *x);
  Clock clock = {0};

  float *da = device_memory<float>(cells), *db = device_memory<float>(n), *factor = device_memory<float>(n);
  dim3 block(32, 8);
  for (int run = 0; run <= runs; run++) {
    fill(a, b, n);
    to_device(da, a, cells);
    to_device(db, b, n);
    start(&clock);
    for (int k = 0; k < n - 1; k++) {
      int left = n - 1 - k;
      find_multipliers<<<blocks_for(left), THREADS>>>(da, db, factor, n, k);
      eliminate<<<dim3((left + 31) / 32, (left + 7) / 8), block>>>(da, factor, n, k);
    }
    finish();
    stop(&clock);
  }
  from_device(a, da, cells);
  from_device(b, db, n);

  substitute(a, b, x, n);
  int right = 0;
  for (int i = 0; i < n; i++) right += x[i] > i % 3 + 0.99f && x[i] < i % 3 + 1.01f;
  printf("right: %d of %d\n", right, n);
  report_floats("solution", x, n);
  report_time(&clock);
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(factor));
  free(a);
  free(b);
  free(x);
  return right == n ? 0 : 1;
}
