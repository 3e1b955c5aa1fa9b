/* Arrays whose rows have a run-time length, passed to functions whose parameters say a constant one, and cast. */
#include <stdio.h>
#include <string.h>

static void set(unsigned (*x)[8], int i) {
  for (int j = 0; j < 8; j++) x[i][j] += (unsigned)(i * 8 + j);
}

static double read(const double (*y)[3][2], int i) { return y[i][2][1]; }

static double first_of(const void *y) { return *(const double *)y; }

int main(void) {
  int n = 5, m = 8, r = 3, s = 2;
  unsigned x[n][m];
  double y[n][r][s], sum = 0;
  memset(x, 1, sizeof x);
  for (int i = 0; i < n * r * s; i++) ((double *)y)[i] = i;
#pragma omp target map(tofrom : x) map(to : y) map(tofrom : sum)
  {
    memset(x, 0, sizeof(unsigned) * n * m);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
      set(x, i);
      sum += read(y, i) + read(y + i, 0) + first_of(y + i) + ((double *)y)[i];
      if (y == NULL || !y) sum += 1000;
    }
  }
  for (int i = 0; i < n; i++) printf("%u ", x[i][7]);
  printf("%g\n", sum);
  return 0;
}
