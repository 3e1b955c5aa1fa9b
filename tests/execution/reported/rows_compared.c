/* Pointers to rows of a run-time length, compared with whatever C lets them be compared with, and set to it. */
#include <stdio.h>

int main(void) {
  int n = 3, m = 2, r = 0;
  double a[n][m], b[4][2], c[n][m][n];
  void *none = 0;
#pragma omp target map(tofrom : a, b, c, r) map(to : none)
  {
    double (*p)[m] = a, (*q)[m] = NULL, (*z)[m] = none;
    double (*t)[m][n] = c;
    double (*k)[2] = b;
    const void *first = a;
    void *other = b;
    r += (p == NULL) + 2 * (p != NULL) + 4 * (NULL != p) + 8 * (p == 0) + 16 * (q == (void *)0) + 32 * (p == a);
    r += 64 * (p == first) + 128 * (p != other) + 256 * (first == p) + 512 * (p == q) + 1024 * (t == c);
    r += 2048 * (t != 0) + 4096 * !q + 8192 * (0 != t) + 16384 * (p + 1 > a) + 32768 * (p == k) + 65536 * (z == none);
    for (; p != a + n; p++) r += 1 << 17;
    q = other;
    if (q && q == k) r += 1 << 20;
    q = (void *)0;
    if (!q) r += 1 << 21;
  }
  printf("%d\n", r);
  return 0;
}
