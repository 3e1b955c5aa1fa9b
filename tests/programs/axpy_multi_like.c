/* Three kernels; one of their functions is called twice. */
#include <stdio.h>

static void scale(float *x, int n, float factor) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (int i = 0; i < n; i++) x[i] *= factor;
}

static void axpy(float a, const float *x, float *y, int n) {
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(tofrom : y[0 : n])
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

static void bias(float *y, int n, float b) {
#pragma omp target teams distribute parallel for map(tofrom : y[0 : n])
  for (int i = 0; i < n; i++) y[i] = y[i] + b;
}

int main(void) {
  float x[64], y[64];
  for (int i = 0; i < 64; i++) x[i] = i, y[i] = 64 - i;
  scale(x, 64, 0.5f);
  axpy(2.0f, x, y, 64);
  axpy(-1.0f, x, y, 64);
  bias(y, 64, 3.0f);
  printf("%g %g\n", y[0], y[63]);
  return 0;
}
