/* Indices that simd keeps and a map brings home; others stay as they were. */
#include <stdio.h>
int u[64];
int main(void) {
  long d = 5, e = 5, i = 1, j = 1, k = 9, l = 9, m = 9;
#pragma omp target map(from : d) map(tofrom : u)
#pragma omp teams default(none) shared(d, u)
#pragma omp distribute simd
  for (d = 0; d < 64; d++) u[d] = d;
#pragma omp target teams distribute parallel for simd map(tofrom : e, u)
  for (e = 0; e < 64; e += 3) u[e] += e;
#pragma omp target map(from : i, j) map(tofrom : u)
#pragma omp teams
#pragma omp distribute parallel for simd collapse(2)
  for (i = 7; i >= 0; i--)
    for (j = 0; j < 8; j++) u[i * 8 + j] += j;
#pragma omp target teams distribute parallel for simd map(tofrom : u) linear(k : 3)
  for (k = 0; k < 64; k += 3) u[k] = k;
#pragma omp target teams distribute parallel for map(tofrom : u)
  for (l = 0; l < 64; l += 3) u[l] += l;
#pragma omp target teams distribute parallel for simd map(tofrom : u) private(m)
  for (m = 0; m < 64; m += 3) u[m] += m;
  int s = 0;
  for (int q = 0; q < 64; q++) s += u[q] * q;
  printf("%d %ld %ld %ld %ld %ld\n", s, d, e, i, j, k);
  return 0;
}
