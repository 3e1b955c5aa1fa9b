/* Parameters that are arrays of extents of the run: those that share one, and those that only seem to. */
#include <stdio.h>

#define BOTH [n][m]

static void same(int n, int m, int a[n][m], int b[][m], int (*c)[m], int d[m][n]) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[0 : n], c[0 : n]) map(to : b[0 : n], d[0 : m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      a[i][j] += b[i][j] * 10 + d[j][i];
      c[i][j] = a[i][j] - b[i][j];
    }
}

static void moved(int n, int m, int a[n][m], int b[n][m]) {
  m -= 2; /* the rows keep their length */
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] += 100 * b[i][j];
}

static void counted(int n, int m, int a[][m], int x[][m++], int b[][m]) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) map(to : x[0 : n], b[0 : n])
  for (int i = 0; i < n; i++) a[i][1] += 1000 * b[i][1] + x[i][2];
}

static void of_macros(int n, int m, int a BOTH, int b BOTH, int wide[n][2 * m], int deep[n][m][3]) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n]) map(to : b[0 : n], wide[0 : n], deep[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] -= b[i][j] + wide[i][j + m] - deep[i][j][2];
}

int main(void) {
  enum { N = 6, M = 9 };
  static int a[N][M], b[N][M], c[N][M], d[M][N], longer[N][M + 1], wide[N][2 * M], deep[N][M][3];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 2 * M; j++) {
      wide[i][j] = i * j;
      if (j < M) a[i][j] = i, b[i][j] = j + i % 2, d[j][i] = i * j, deep[i][j][2] = i + 7 * j;
      if (j <= M) longer[i][j] = 3 * i + j;
    }
  same(N, M, a, b, c, d);
  moved(N, M, a, b);
  counted(N, M, a, b, longer);
  of_macros(N, M, a, b, wide, deep);
  long sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) sum = (sum * 31 + a[i][j] + 7 * c[i][j]) % 1000003;
  printf("%ld %d %d %d\n", sum, a[2][1], a[5][8], c[3][4]);
  return 0;
}
