// Macros that stand for more than one operand, without parentheses: in list items, loop headers and clauses.
#include <stdio.h>
#define N 1 + 2
#define STEP 1 + 1
#define LAST 19 - 1

static void show(const char *what, const double *a, int n) {
  printf("%s:", what);
  for (int i = 0; i < n; i++) printf(" %g", a[i]);
  printf("\n");
}

int main(void) {
  double a[24], *p = a, sums[6] = {0};
  int last = -1, start = 5, i, k = 0;
  for (i = 0; i < 24; i++) a[i] = i;
#pragma omp target map(tofrom: p[0:N])
  { p[0] += 1; p[2] += 2; }
#pragma omp target map(tofrom: p[N:STEP])
  { p[N] += 1; p[4] += 2; }
  show("sections", a, 6);
#pragma omp target teams distribute parallel for map(tofrom: a) lastprivate(last)
  for (i = 0; i < 20; i += STEP) { a[i] += i; last = i; }
  show("step", a, 24);
  printf("%d\n", last);
#pragma omp target teams distribute parallel for map(tofrom: a)
  for (long j = N; j <= LAST; j += STEP) a[j] += 10 * j;
  show("lower", a, 24);
#pragma omp target teams distribute parallel for map(tofrom: a) lastprivate(k)
  for (k = LAST; k > N; k -= STEP) a[k] += 100;
  show("down", a, 24);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
  for (int r = N; r < 6; r += STEP)
    for (int c = STEP; c < 4; c++) a[r * 2 + c] -= 0.5;
  show("nest", a, 24);
#pragma omp target teams distribute parallel for map(tofrom: sums) reduction(+: sums[STEP:N])
  for (int j = 0; j < 100; j++) { sums[2] += j; sums[4] += 1; }
  show("reduced", sums, 6);
#pragma omp target parallel for simd map(tofrom: a) linear(start: N)
  for (int j = 0; j < 5; j++) { a[start % 24] += 0.25; start += N; }
  show("linear", a, 24);
#pragma omp target map(tofrom: a)
#pragma omp parallel for lastprivate(k)
  for (k = N; k < 20; k += STEP) a[k] += 7;
  show("inner", a, 24);
#pragma omp target teams distribute parallel for map(tofrom: a)
#pragma omp tile sizes(STEP)
  for (int j = N; j < LAST; j += STEP) a[j] *= 2;
  show("tiles", a, 24);
#pragma omp target data map(tofrom: a)
  {
#pragma omp target map(alloc: a)
    for (int j = 0; j < 24; j++) a[j] = -j;
#pragma omp target update from(a[STEP:N:STEP])
    show("updated", a + 2, 1);
  }
  show("end", a, 24);
  return 0;
}
