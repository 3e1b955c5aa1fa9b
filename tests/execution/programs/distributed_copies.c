/* Data-sharing clauses of loops shared among teams, whose bodies are again code of a team. */
#include <stdio.h>

static void raise_by(int *p, int by) { *p += by; }

int main(void) {
  int x = 5, y = 7, last = 1, v[3] = {1, 2, 3}, a[64], b[64], c[8], d[8];
#pragma omp target teams num_teams(4) map(tofrom : x, y, last, v, a, b, c, d)
  {
#pragma omp distribute private(x)
    for (int i = 0; i < 8; i++) {
      x = i * 3;
#pragma omp parallel for
      for (int j = 0; j < 8; j++) a[i * 8 + j] = x + j;
    }
    x = 5;  // as it was: ignored directives make no copies
#pragma omp distribute firstprivate(x, v)
    for (int i = 0; i < 8; i++) {
      int z = x + i;
#pragma omp parallel for
      for (int j = 0; j < 8; j++) b[i * 8 + j] = x + v[j % 3] * j + z;
    }
#pragma omp distribute lastprivate(last)
    for (int i = 0; i < 8; i++) {
      last = a[i * 8];
      raise_by(&last, i);
    }
#pragma omp distribute simd private(y)
    for (int i = 0; i < 8; i++) {
      y = i;
      raise_by(&y, 2);
      c[i] = y;
    }
    y = 7;
  }
#pragma omp target teams num_teams(3) map(tofrom : d, last)
  {
    int own = 9, kept = 4;
#pragma omp distribute firstprivate(own) private(kept)
    for (int i = 0; i < 8; i++) {
      kept = own + i;
      d[i] = kept;
    }
#ifndef _OPENMP
    kept = 4;
#endif
#pragma omp distribute
    for (int i = 0; i < 8; i++) {
      d[i] = d[i] * 100 + own * 10 + kept;
#pragma omp parallel num_threads(2)
#pragma omp master
      d[i] += kept;
    }
#pragma omp distribute lastprivate(last)
    for (int i = 0; i < 8; i++) last = 5 * i;
  }
#pragma omp target teams distribute firstprivate(target : x) map(tofrom : c)
  for (int i = 0; i < 8; i++) {
#pragma omp atomic update
    x++;
    c[i] += 3;
  }
#ifndef _OPENMP
  x = 5;
#endif
#pragma omp target map(tofrom : c)
  {
    int own = 4;
#pragma omp parallel for firstprivate(parallel : own) num_threads(parallel : 2)
    for (int i = 0; i < 8; i++) c[i] += own + i;
  }
  int t = 0;
  for (int i = 0; i < 64; i++) t = t * 3 + a[i] * 7 + b[i];
  for (int i = 0; i < 8; i++) printf("%d %d, ", c[i], d[i]);
  printf("%d %d %d %d\n", x, y, t, last);
  return 0;
}
