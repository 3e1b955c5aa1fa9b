/* Reductions of sections whose elements are rows: host compilers ask for sections of the rows' elements. */
#include <stdio.h>
int main(void) {
  int m[3][4] = {{0}}, (*q)[4] = m, t[2][2][3] = {{{0}}}; double arr[3][4] = {{1}};
#pragma omp target teams distribute parallel for reduction(max : m[1 : 2]) map(tofrom : m)
  for (int i = 0; i < 100; i++) { int *e = &m[1 + i % 2][i % 4]; if (i * 20 > *e) *e = i * 20; }
#pragma omp target parallel for reduction(+ : q[0 : 2]) map(tofrom : q[0 : 3])
  for (int i = 0; i < 100; i++) q[i % 2][i % 4] += i;
#pragma omp target map(tofrom : t, arr)
  {
#pragma omp parallel reduction(+ : t[1 : 1], arr[: 2]) num_threads(4)
    {
#pragma omp for
      for (int i = 0; i < 12; i++) t[1][i % 2][i % 3] += i, arr[i & 1][i & 3] += 0.5;
    }
#pragma omp parallel for reduction(min : t[0][: 2])
    for (int i = 0; i < 12; i++) if (-i < t[0][1][i % 3]) t[0][1][i % 3] = -i;
  }
  printf("%d %d %d %d %d %d %g %g\n", m[0][0], m[1][2], m[2][3], t[1][1][2], t[0][1][2], t[0][1][0], arr[0][0], arr[1][3]);
  return 0;
}
