/* Loads in front of the divisions of inner loops, of arrays that may be one: lines of equations, and elements that the
   statements in between change. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 97, COUNT = 20 };
static void thomas(int lines, int n, const double *a, const double *b, const double *c, const double *d, double *x,
                   double *w) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < lines; i++) {
    double cp = c[i] / b[i], dp = d[i] / b[i];
    w[i] = cp;
    x[i] = dp;
    for (int k = 1; k < n; k++) {
      int j = k * lines + i;
      double m = 1.0 / (b[j] - a[j] * cp);
      cp = c[j] * m;
      dp = (d[j] - a[j] * dp) * m;
      w[j] = cp;
      x[j] = dp;
    }
    for (int k = n - 2; k >= 0; k--) {
      int j = k * lines + i;
      dp = x[j] - w[j] * dp;
      x[j] = dp;
    }
  }
}

static void mixed(int lines, int n, float *a, float *b, long *c, unsigned *d) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < lines; i++) {
    float s = 1;
    for (int k = 0; k < n; k++) {
      int j = k * lines + i, next = k + 1 < n ? j + lines : j;
      float m = 1 / (b[j] * b[j] + 2);
      s = a[j] * m * 0.5f + (float)c[j];
      a[next] = s;
      b[j] -= a[next] + a[j];
      c[j] = d[j] % 7 + c[j] / 2;
      d[next] += d[j];
    }
  }
}

static void check(const char *name, const double *v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * (i % 13 + 1);
  printf("%s %.6f\n", name, sum);
}

int main(void) {
  enum { SIZE = LINES * COUNT };
  double *p = malloc(6 * SIZE * sizeof *p), *x = p + 4 * SIZE, *w = p + 5 * SIZE;
  for (int same = 0; same < 4; same++) {
    for (int i = 0; i < 6 * SIZE; i++) p[i] = (i * 37 % 101) / 64.0 + (i / SIZE == 1 ? 4 : 0);
#pragma omp target data map(tofrom : p[0 : 6 * SIZE])
    {
      const double *a = p, *b = p + SIZE, *c = p + 2 * SIZE, *d = p + 3 * SIZE;
      if (same == 0) thomas(LINES, COUNT, a, b, c, d, x, w);
      if (same == 1) thomas(LINES, COUNT, a, b, c, d, p + 3 * SIZE, p + 2 * SIZE);
      if (same == 2) thomas(LINES, COUNT, a, b, c, d, p + 3 * SIZE + LINES, w);
      if (same == 3) thomas(LINES, COUNT, a, b, c, d, x, p + 2 * SIZE + LINES);
    }
    check("lines", p, 6 * SIZE);
  }
  float *a = malloc(SIZE * sizeof *a), *b = malloc(SIZE * sizeof *b);
  long *c = malloc(SIZE * sizeof *c);
  unsigned *d = malloc(SIZE * sizeof *d);
  for (int i = 0; i < SIZE; i++) a[i] = i % 5, b[i] = i % 7, c[i] = i % 11, d[i] = i % 3;
#pragma omp target data map(tofrom : a[0 : SIZE], b[0 : SIZE], c[0 : SIZE], d[0 : SIZE])
  mixed(LINES, COUNT, a, b, c, d);
  double sum = 0;
  for (int i = 0; i < SIZE; i++) sum += a[i] + b[i] * 2 + (double)c[i] + d[i] % 1000;
  printf("mixed %.5e\n", sum);
}
