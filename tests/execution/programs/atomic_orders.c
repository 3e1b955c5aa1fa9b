/* Memory orders, hints and the clauses of compare-and-swap. */
#include <omp.h>
#include <stdio.h>

#define N 256

int main(void) {
  int x = 0, v = 0, r, sums[12] = {0}, ready = 0, data = 0, seen = 0;
#pragma omp target teams distribute parallel for map(tofrom : x, sums)
  for (int i = 0; i < N; i++) {
    int v, r;
#pragma omp atomic seq_cst
    sums[0]++;
#pragma omp atomic update release
    sums[1] += i;
#pragma omp atomic relaxed
    sums[2] += 1;
    if (i % 2)
#pragma omp atomic capture acq_rel
      v = sums[3]++;
    else
#pragma omp atomic capture acquire
      { v = sums[3]; sums[3] = sums[3] + 1; }
#pragma omp atomic read seq_cst hint(omp_sync_hint_uncontended)
    v = sums[4];
#pragma omp atomic read acquire
    v = sums[4];
#pragma omp atomic write seq_cst
    sums[5] = 7;
#pragma omp atomic write release
    sums[6] = 8;
#pragma omp atomic compare seq_cst
    if (sums[7] == 0) { sums[7] = 1; }
#pragma omp atomic compare acq_rel fail(acquire)
    if (sums[8] < i) { sums[8] = i; }
#pragma omp atomic compare capture release fail(relaxed)
    { r = sums[9] == 0; if (r) { sums[9] = 5; } else { v = sums[9]; } }
#pragma omp atomic capture compare relaxed fail(seq_cst)
    { v = sums[10]; if (sums[10] == 0) { sums[10] = 6; } }
    if (v < 0 && r) sums[11] = 1;
  }
  for (int i = 0; i < 12; i++) printf("%d ", sums[i]);
#pragma omp target map(tofrom : data, ready, seen)
  {
    data = 42;
#pragma omp atomic write release
    ready = 1;
    int now = 0;
    while (!now) {
#pragma omp atomic read acquire
      now = ready;
    }
    seen = data;
  }
  printf("%d\n", seen);
  return 0;
}
