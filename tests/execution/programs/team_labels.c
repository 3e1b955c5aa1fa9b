/* Sequential code around parallels with labels that it jumps to itself, and with aligned arrays of the team. */
#include <stdalign.h>
#include <stdio.h>
int main(void) {
  int r[16] = {0};
#pragma omp target teams distribute map(tofrom : r)
  for (int i = 0; i < 8; i++) {
    {
      int k = 0;
    again:
      r[i] += k;
      if (++k < 3) goto again;
    }
    for (int k = 0; k < 5; k++) {
      if (k == i) goto next;
      r[i] += 10;
    next:;
    }
#pragma omp parallel for
    for (int k = 0; k < 2; k++) r[i + 8 * k] += 100;
    if (i > 3) {
      if (i == 6) goto out;
      r[i] += 1000;
    out:
      r[i + 8]++;
    }
  }
  for (int i = 0; i < 16; i++) printf("%d ", r[i]);
#pragma omp target teams num_teams(1) map(tofrom : r)
  {
    _Alignas(16) int a[4];
    _Alignas(double) _Alignas(32) /* twice */ int b[4], c = 3;
    static const _Alignas(16) int d[4] = {1, 2, 3, 4};
    { alignas(16) char e[16] = {5}; r[0] = e[0]; }
#pragma omp parallel num_threads(4)
    {
#pragma omp for
      for (int i = 0; i < 4; i++) a[i] = d[i] + c, b[i] = 2 * d[i];
#pragma omp for
      for (int i = 0; i < 4; i++) r[i + 1] = a[3 - i] * b[i];
#pragma omp single
      { _Alignas(16) char e[16] = {7}; r[5] = e[0] + r[0]; }
    }
  }
  for (int i = 0; i < 6; i++) printf("%d ", r[i]);
  puts("");
}
