/* Statements whose first token is an argument of a macro, as all of what a loop, a region or a construct executes. */
#include <stdio.h>
#include <stdlib.h>
#define AT(a, i, j) a[(size_t)(i) * (n + 2) + (j)]
#define SET(x, v) x = v
#define DECLARED(t, n) t n
#define CALL(f, x) f(x)
#define NEXT(x) x++
#define SAME(x) x
#pragma omp declare target
static void add_two(double *x) { *x += 2; }
#pragma omp end declare target
int main(void) {
  int n = 5, k = 1, last = -1;
  double *f = calloc(49, sizeof *f);
#pragma omp target enter data map(to : f[0:49])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) AT(f, i, 1) = i;
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 2; j < n; j++) SET(AT(f, i, j), i + j);
#pragma omp target teams distribute parallel for lastprivate(last)
  for (int i = 0; i < n; i++) SAME(last) = i;
#pragma omp target
  CALL(add_two, f + k);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) SAME(add_two)(f + 7 * i);
#pragma omp target
  {
    DECLARED(double, x) = 4;
#pragma omp parallel for
    for (int i = 0; i < n; i++) NEXT(f[i + 42]);
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2; j++) SAME(f[i * 7 + j]) += x;
    SET(x, 5);
#pragma omp parallel
#pragma omp masked
    SET(f[48], SAME(x));
#pragma omp parallel sections
    {
#pragma omp section
      NEXT(f[47]);
#pragma omp section
      SET(f[46], 8);
    }
    for (int i = 0; i < n; i++) AT(f, i, 6) = x;
  }
#pragma omp target teams distribute
  for (int i = 0; i < n; i++) {
    AT(f, i, 0) *= 2;
#pragma omp parallel for
    for (int j = 3; j < n; j++) AT(f, i, j)++;
    if (i == 2) SET(f[41], 3); else NEXT(f[i]);
  }
#pragma omp target exit data map(from : f[0:49])
  double sum = 0;
  for (int i = 0; i < 49; i++) sum = sum * 1.125 + f[i];
  printf("%g %d\n", sum, last);
}
