/* y += a * x, again and again, on data that stays on the device. */
#include "../common.h"

static void fill(float *x, float *y, int n) {
  unsigned state = 1;
  for (int i = 0; i < n; i++) {
    x[i] = random_unit(&state);
    y[i] = random_unit(&state);
  }
}

static void axpy(int n, float a, const float *x, float *y) {
#pragma omp target teams distribute parallel for map(to : x[0:n]) map(tofrom : y[0:n])
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 33554432), steps = argument(argc, argv, 2, 20), runs = argument(argc, argv, 3, 5);
  float *x = allocate(n, sizeof *x), *y = allocate(n, sizeof *y);
  Clock clock = {0};
  fill(x, y, n);

#pragma omp target data map(to : x[0:n]) map(tofrom : y[0:n])
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    for (int step = 0; step < steps; step++) axpy(n, 0.25f, x, y);
    stop(&clock);
  }

  report_floats("y", y, n);
  report_time(&clock);
  free(x);
  free(y);
  return 0;
}
