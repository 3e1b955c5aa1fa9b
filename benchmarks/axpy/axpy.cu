/* y += a * x, again and again, on data that stays on the device. */
#include "../common_cuda.h"

static void fill(float *x, float *y, int n) {
  unsigned state = 1;
  for (int i = 0; i < n; i++) {
    x[i] = random_unit(&state);
    y[i] = random_unit(&state);
  }
}

__global__ void axpy(int n, float a, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main(int argc, char **argv) {
  int n = argument(argc, argv, 1, 33554432), steps = argument(argc, argv, 2, 20), runs = argument(argc, argv, 3, 5);
  float *x = (float *)allocate(n, sizeof *x), *y = (float *)allocate(n, sizeof *y);
  Clock clock = {0};
  fill(x, y, n);

  float *dx = device_memory<float>(n), *dy = device_memory<float>(n);
  to_device(dx, x, n);
  to_device(dy, y, n);
  for (int run = 0; run <= runs; run++) {
    start(&clock);
    for (int step = 0; step < steps; step++) axpy<<<blocks_for(n), THREADS>>>(n, 0.25f, dx, dy);
    finish();
    stop(&clock);
  }
  from_device(y, dy, n);

  report_floats("y", y, n);
  report_time(&clock);
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dy));
  free(x);
  free(y);
  return 0;
}
