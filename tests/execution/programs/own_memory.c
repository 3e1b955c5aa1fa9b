// Arrays and objects that each thread has for itself change in loops that read them: no load may come too early.
#include <stdio.h>

#define N 64

struct part {
  int n;
  float scale;
};

static void arrays(int n, const double *a, const double *b, double *w) {
#pragma omp target teams distribute parallel for map(to : a[0 : n * 8], b[0 : n * 8]) map(tofrom : w[0 : n * 8])
  for (int i = 0; i < n; i++) {
    double own[8];
    for (int j = 0; j < 8; j++) own[j] = j;
    double last = 1;
    for (int j = 0; j < 8; j++) {
      double q = 1.0 / (b[i * 8 + j] + last);
      own[j] += q * a[i * 8 + j];
      w[i * 8 + j] = own[j];
      last = own[j];
    }
  }
}

static void objects(int n, const float *x, float *z) {
#pragma omp target teams distribute parallel for map(to : x[0 : n]) map(tofrom : z[0 : n])
  for (int i = 0; i < n; i++) {
    struct part own = {3, 1.0f};
    struct part *p = &own;
    float sum = p->scale;
    for (int k = 0; k < p->n + p->n; k++) {
      sum += p->scale * x[k] + p->scale * x[i];
      own.scale += 1;
      if (k == 1) own.n = 2;
    }
    z[i] = sum;
  }
}

int main(void) {
  static double a[N * 8], b[N * 8], w[N * 8];
  static float x[N], z[N];
  for (int i = 0; i < N * 8; i++) a[i] = 1 + i % 7, b[i] = 2 + i % 5;
  for (int i = 0; i < N; i++) x[i] = 1 + i % 7;
  arrays(N, a, b, w);
  objects(N, x, z);
  double sum = 0;
  for (int i = 0; i < N * 8; i++) sum += w[i] * (i % 13);
  printf("%.6f\n", sum);
  for (int i = 0; i < N; i += 9) printf("%g ", z[i]);
  printf("\n");
  return 0;
}
