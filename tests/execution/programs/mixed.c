#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NT 4
struct mat { int n, m; double d[6][6]; };
static int sq(int x) { return x * x; }
int (*fp)(int) = sq;
static void early(int *p, int n) {
  if (n < 0) return;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n]) num_threads(NT * 2) num_teams(n > 4 ? 4 : 1)
  for (int i = 0; i < n; i++) {
    int v = p[i];
    for (int k = 0; k < 3; k++) { if (k == 1) continue; v += k; }
    p[i] = v ? v : -1;
  }
}
int main(int argc, char **argv) {
  int a[10], *q = malloc(40), n = 10; struct mat M = {3, 4, {{0}}};
  char text[] = "hello";
  for (int i = 0; i < 10; i++) a[i] = i, q[i] = -i;
  early(a, 10); early(q, 10);
  printf("%d %d\n", a[9], q[9]);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: M)
  for (int i = 0; i < M.n; i++)
    for (int j = 0; j < M.m; j++)
      M.d[i][j] = i * 10 + j + argc - 1;
  printf("%g\n", M.d[2][3]);
#pragma omp target map(tofrom: text)
  for (char *c = text; *c; c++) *c -= 32;
  puts(text);
#pragma omp target teams distribute parallel for map(a[:n])
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
#pragma omp atomic
      a[j] += 1;
    }
  printf("%d\n", a[9]);
  int count = 0;
#pragma omp target data map(tofrom: a, count)
  {
    if (n > 5) {
#pragma omp target teams distribute parallel for reduction(+:count)
      for (int i = 0; i < n; i++) count += a[i] > 5;
    }
  }
  printf("%d\n", count);
  double x = 2, *px = &x;
#pragma omp target map(tofrom: px[:1])
  *px *= 3;
  printf("%g\n", x);
  int cond = 1, res[3] = {0};
#pragma omp target map(tofrom: res) if(cond)
  { res[0] = 1; }
#pragma omp target teams distribute parallel for map(from: res) firstprivate(n) if(n > 5 && cond) num_threads(n)
  for (int i = 0; i < 3; i++) res[i] = n + i;
  printf("%d %d\n", res[0], res[2]);
  unsigned long long big = 1ull << 40; long long cnt = 0;
#pragma omp target teams distribute parallel for reduction(+:cnt)
  for (unsigned long long i = big; i < big + 100; i += 3) cnt += (long long)(i - big);
  printf("%lld\n", cnt);
  int k = 5;
#pragma omp target teams distribute parallel for firstprivate(k) map(tofrom:a)
  for (int i = 0; i < n; i++) { int t = k; k = 7; a[i] = t > 0; k = t; }
  printf("%d %d\n", a[3], k);
  int total = 0, __rex = 3, rex_i = 2;
#pragma omp target teams distribute parallel for reduction(+:total) firstprivate(__rex, rex_i)
  for (int i = 0; i < n; i++) total += __rex * rex_i;
  printf("%d\n", total);
  {
    int args = 1, blockIdx = 4, threadIdx = 5, gridDim = 6, out = 0;
#pragma omp target map(from: out)
    out = args + blockIdx + threadIdx + gridDim;
    printf("%d\n", out);
  }
  free(q);
  return 0;
}
