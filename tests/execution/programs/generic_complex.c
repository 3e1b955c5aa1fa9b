/* The names of <tgmath.h> with complex arguments: each is the function for their types, on the device, too. */
#include <complex.h>
#include <stdio.h>
#include <tgmath.h>

#define N 24

int main(void) {
  double complex z[N], w[N];
  float complex f = 1 + 2 * I;
  int sizes = 0;
  for (int i = 0; i < N; i++) z[i] = i + I, w[i] = 0;
#pragma omp target teams distribute parallel for map(tofrom : z, w) reduction(+ : sizes)
  for (int i = 0; i < N; i++) {
    w[i] = exp(I * i) * sqrt(z[i]) + pow(z[i], 2) + fabs(z[i]) + conj(f) + sin(1.5) + creal(z[i]);
    w[i] += pow(f, 2) * creal(f) + pow(2.5f, z[i]) + carg(2) + carg(f) + conj(2.5f) + exp(2.5f) + exp(3) + cproj(z[i]);
    z[i] = tan(f) + log(z[i]) * atan(f) + cos(z[i]) / cosh(2.5) + asin(f) + cimag(z[i]);
    sizes += sizeof(pow(f, 2)) == sizeof(double complex) && sizeof(pow(f, 2.0f)) == sizeof f;
    sizes += sizeof creal(f) == sizeof(float) && sizeof sin(f) == sizeof f && sizeof fabs(z[i]) == sizeof(double);
  }
  for (int i = 0; i < N; i++) printf("%.5g %.5g, %.5g %.5g\n", creal(z[i]), cimag(z[i]), creal(w[i]), cimag(w[i]));
  printf("%d\n", sizes);
  return 0;
}
