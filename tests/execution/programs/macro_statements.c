/* Statements of regions that macros make: calls through pointers, conditional last values, atomic updates, and labels
   that blocks declare (`__label__`). */
#include <stdio.h>
#define CALL(f, x) f(x)
#define SET s = i
#define ADD(x, e) x += e
#define IS ==
#define FIND(a, n, v) \
  ({ __label__ done; int r = -1; for (int k = 0; k < n; k++) if (a[k] == v) { r = k; goto done; } done: r; })
static int twice(int x) { return 2 * x; }
#pragma omp declare target enter(twice) indirect
int main(void) {
  int (*g)(int) = twice;
  int r = 0, s = -1, n = 10, sum = 0, once = 3;
#pragma omp target map(from : r)
  r = CALL(g, 3);
#pragma omp target parallel for lastprivate(conditional : s)
  for (int i = 0; i < n; i++)
    if (i % 4 == 1) SET;
#pragma omp target teams distribute parallel for map(tofrom : sum, once)
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    ADD(sum, i);
#pragma omp atomic compare
    if (once IS 3) { once = 9; }
  }
  printf("%d %d %d %d\n", r, s, sum, once);
  int a[8], b[8];
  for (int i = 0; i < 8; i++) a[i] = i * 3 % 8;
#pragma omp target teams distribute parallel for map(to : a) map(from : b)
  for (int i = 0; i < 8; i++) { __label__ small; /* and */ __label__ out;
    int x = FIND(a, 4, i);
    if (x < 0) goto small;
    x += FIND(a, 8, i);
    goto out;
  small: x = 100;
  out: b[i] = x;
  }
#pragma omp target teams distribute map(tofrom : b)
  for (int i = 0; i < 8; i++) {
    int t[2] = {0, 0};
#pragma omp parallel num_threads(2)
    { __label__ out; int m = 1; if (i > 5) goto out; m = n + i;
#pragma omp for collapse(2) reduction(+ : t[0])
      for (int j = 0; j < 2; j++) for (int k = 0; k < 2; k++) { __label__ out; if (j > k) goto out; t[0] += m; out: ; }
    out: t[1] = m; }
    b[i] += t[0] + t[1];
  }
  for (int i = 0; i < 8; i++) printf("%d ", b[i]);
  return 0;
}
