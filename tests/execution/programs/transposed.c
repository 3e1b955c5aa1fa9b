/* Nests whose stores and loads, or the loads of a reduction, are contiguous in different indices, and nests in the order
   of columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *from, *to;

static void show(const char *what, int n, int m, size_t count) {
  unsigned long long sum = 0;
  for (size_t k = 0; k < count; k++) sum = sum * 31 + (unsigned)to[k];
  printf("%s %d x %d: %llx\n", what, n, m, sum);
  memset(to, 0, count * sizeof *to);
}

static void two(int n, int m) {
  const size_t count = (size_t)(n < 1 ? 1 : n) * (m < 1 ? 1 : m);
  int *a = from, *b = to;
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) b[j * n + i] = a[i * m + j];
  show("outer", n, m, count);
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (long i = 0; i < n; i++)
    for (unsigned j = 0; j < (unsigned)m; j++) b[i * m + j] = a[j * n + i] + b[i * m + j];
  show("inner", n, m, count);
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (int i = n - 1; i >= 0; i--)
    for (int j = 1; j < m; j++) {
      int v = a[i * m + j];
      b[j * n + i] += 3 * (v + a[i * m + j - 1]);
    }
  show("downwards", n, m, count);
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (size_t i = 0; i < (size_t)(n < 0 ? 0 : n); i++)
    for (short j = 0; j < m; j += 2) b[j * (size_t)n + i] = a[j * (size_t)n + i] * 2;
  show("columns", n, m, count);
  int i, j;
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (i = 0; i <= n - 1; i++)
    for (j = 0; j <= m - 1; j++) b[j * n + (n - 1 - i)] = a[i * m + (m - 1 - j)];
  show("turned", n, m, count);
}

static void three(int n, int m, int l) {
  const size_t count = (size_t)n * m * l;
  int *a = from, *b = to;
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) b[(k * m + j) * n + i] = a[(k * n + i) * m + j];
  show("inside of planes", n, m, count);
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) b[(j * n + i) * l + k] = a[(k * n + i) * m + j];
  show("outermost", n, m, count);
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0 : count]) map(tofrom : b[0 : count])
  for (int k = 0; k < l; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) b[(i * m + j) * l + k] = a[(i * m + j) * l + k] - 1;
  show("columns of three", n, m, count);
}

static void reduced(int n, int m) {
  const size_t count = (size_t)(n < 1 ? 1 : n) * (m < 1 ? 1 : m);
  int *a = from, *b = to, i, j, least = 1 << 30;
  unsigned long long sum = 0, columns = 0, back = 0, cubes = 0, others = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) reduction(+ : sum) reduction(min : least)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      sum += (unsigned long long)a[i * m + j] * (unsigned)(a[j * n + i] + i * 7 + j);
      if (a[j * n + i] - a[i * m + j] < least) least = a[j * n + i] - a[i * m + j];
    }
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) reduction(+ : columns)
  for (long i = 0; i < n; i++)
    for (unsigned j = 0; j < (unsigned)m; j++) columns += (unsigned long long)a[j * n + i] * (unsigned)(i + 1);
#pragma omp target teams distribute parallel for collapse(2) map(to : a[0 : count]) map(tofrom : b[0 : count]) \
    reduction(+ : back)
  for (i = n - 1; i >= 0; i--)
    for (j = 1; j <= m - 1; j++) {
      if ((a[i * m + j] & 3) == 0) continue;
      back += (unsigned long long)a[j * n + i] * (unsigned)a[i * m + j];
      b[j * n + i] += a[i * m + j - 1];
    }
  show("reduced", n, m, count);
#pragma omp target teams distribute parallel for collapse(3) map(to : a[0 : count]) reduction(+ : cubes)
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) cubes += (unsigned long long)a[i * m + j] * (unsigned)(a[j * n + i] % (5 + k) + k);
#pragma omp target teams distribute parallel for collapse(4) map(to : a[0 : count]) reduction(+ : others)
  for (int i = 0; i < n; i++)
    for (int k = 1; k < 3; k++)
      for (int j = 0; j < m; j++)
        for (int l = 0; l < 2; l++) others += (unsigned long long)a[i * m + j] * (unsigned)(a[j * n + i] + k * 5 + l);
  printf("%llx %d %llx %llx %llx %llx\n", sum, least, columns, back, cubes, others);
}

static float square[33][70], turned[70][33];
static double cube[5][18][19][3], moved[3][19][5][18];

static void arrays(void) {
  for (int i = 0; i < 33; i++)
    for (int j = 0; j < 70; j++) square[i][j] = i * 100 + j;
  memset(turned, 0, sizeof turned);
#pragma omp target teams distribute parallel for collapse(2) map(to : square) map(tofrom : turned)
  for (int i = 1; i < 32; i++)
    for (int j = 2; j < 70; j++) turned[j][i] = square[i][j] + square[i][j - 1];
  double sum = 0;
  for (int j = 0; j < 70; j++)
    for (int i = 0; i < 33; i++) sum += turned[j][i] * (j * 33 + i + 1);
  printf("arrays %.0f\n", sum);
  double *c = &cube[0][0][0][0];
  for (int k = 0; k < 5 * 18 * 19 * 3; k++) c[k] = k;
#pragma omp target teams distribute parallel for collapse(4) map(to : cube) map(from : moved)
  for (int k = 0; k < 5; k++)
    for (int i = 0; i < 18; i++)
      for (int j = 0; j < 19; j++)
        for (int l = 0; l < 3; l++) moved[l][j][k][i] = cube[k][i][j][l];
  sum = 0;
  for (int k = 0; k < 5 * 18 * 19 * 3; k++) sum += (&moved[0][0][0][0])[k] * (k + 1);
  printf("four %.0f\n", sum);
}

int main(void) {
  static const int sizes[][2] = {{1, 1},  {1, 40},  {40, 1},   {15, 15},  {16, 16},  {17, 17},  {15, 64},  {17, 65},
                                 {3, 50}, {50, 70}, {1000, 3}, {3, 1000}, {0, 5},    {5, 0},    {33, 129}, {-2, 4}};
  const size_t most = 60000;
  from = malloc(most * sizeof *from);
  to = calloc(most, sizeof *to);
  for (size_t k = 0; k < most; k++) from[k] = (int)(k * 2654435761u % 1000003);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    two(sizes[k][0], sizes[k][1]);
    reduced(sizes[k][0], sizes[k][1]);
  }
  three(1, 1, 1);
  three(16, 4, 2);
  three(17, 18, 7);
  three(5, 33, 33);
  arrays();
  free(from);
  free(to);
  return 0;
}
