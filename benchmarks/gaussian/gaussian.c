/* Linear equations by Gaussian elimination without pivots: two launches for each column, then the host substitutes. */
#include "../common.h"

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
static void find_multipliers(const float *a, float *b, float *factor, int n, int k) {
#pragma omp target teams distribute parallel for map(to : a[0:n * n]) map(tofrom : b[0:n], factor[0:n])
  for (int i = k + 1; i < n; i++) {
    factor[i] = a[i * n + k] / a[k * n + k];
    b[i] -= factor[i] * b[k];
  }
}

static void eliminate(float *a, const float *factor, int n, int k) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[0:n * n]) map(to : factor[0:n])
  for (int i = k + 1; i < n; i++) {
    for (int j = k + 1; j < n; j++) a[i * n + j] -= factor[i] * a[k * n + j];
  }
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
  float *a = allocate(cells, sizeof *a), *b = allocate(n, sizeof *b), *x = allocate(n, sizeof *x);
  float *factor = allocate(n, sizeof *factor);
  Clock clock = {0};

#pragma omp target enter data map(alloc : a[0:cells], b[0:n], factor[0:n])
  for (int run = 0; run <= runs; run++) {
    fill(a, b, n);
#pragma omp target update to(a[0:cells], b[0:n])
    start(&clock);
    for (int k = 0; k < n - 1; k++) {
      find_multipliers(a, b, factor, n, k);
      eliminate(a, factor, n, k);
    }
    stop(&clock);
  }
#pragma omp target exit data map(from : a[0:cells], b[0:n]) map(release : factor[0:n])

  substitute(a, b, x, n);
  int right = 0;
  for (int i = 0; i < n; i++) right += x[i] > i % 3 + 0.99f && x[i] < i % 3 + 1.01f;
  printf("right: %d of %d\n", right, n);
  report_floats("solution", x, n);
  report_time(&clock);
  free(a);
  free(b);
  free(x);
  free(factor);
  return right == n ? 0 : 1;
}
