/* Indices that simd keeps and a map brings home; others stay as they were. */
#include <stdio.h>
int u[64];

static void alone(int n) { /* loops that the region's only thread executes */
  int a = -7, b = -7, c = -7, d = -7, e = -7, s = 0;
#pragma omp target map(tofrom : a, s)
#pragma omp simd reduction(+ : s)
  for (a = 0; a < n; a += 3) s += a;
#pragma omp target map(tofrom : b, c)
#pragma omp simd collapse(2)
  for (b = 0; b < n; b += 3)
    for (c = n; c > 5; c -= 4) u[b] += c;
#pragma omp target map(tofrom : d, s)
#pragma omp loop bind(thread) reduction(+ : s)
  for (d = 0; d < n; d += 3) s += d;
#pragma omp target map(tofrom : e, s)
#pragma omp simd lastprivate(e) reduction(+ : s)
  for (e = 0; e < n; e += 5) s += e;
  printf("%d %d %d %d %d %d\n", a, b, c, d, e, s);
}

static void loops(int n) { /* `loop` keeps its indices too */
  int a = -7, b = -7, c = -7, d = -7, e = -7, f = -7, g = -7;
#pragma omp target teams loop map(tofrom : a)
  for (a = 0; a < n; a += 3) u[0] = 0;
#pragma omp target map(tofrom : b)
#pragma omp teams loop
  for (b = n; b > 0; b -= 5) u[0] = 0;
#pragma omp target parallel loop map(tofrom : c, d) collapse(2)
  for (c = 0; c < n; c += 3)
    for (d = 10; d > 0; d -= 3) u[0] = 0;
#pragma omp target map(tofrom : e)
#pragma omp parallel
#pragma omp loop
  for (e = 0; e < n; e += 3) u[0] = 0;
#pragma omp target map(from : f)
#pragma omp teams
#pragma omp loop bind(teams)
  for (f = 0; f < n; f += 7) u[0] = 0;
#pragma omp target map(from : g)
#pragma omp loop bind(thread)
  for (g = 0; g < n; g += 7) u[0] = 0;
  printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, f, g);
}

int main(void) {
  alone(44);
  loops(44);
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
