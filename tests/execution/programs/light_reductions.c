/* Reductions over the grid that do little, whose threads take four iterations at a time, and those that look alike. */
#include <math.h>
#include <stdio.h>

#define N 4099

static double a[N];
static float x[N];
static int k[N];
static short small[N];
static int kept[N];

static void sums(int n, long wide, unsigned count, int first) {
  double s = 0, t = 1, most = -1e9;
  float least = 1e9f;
  int c = 0, d = 0, e = 0;
  long l = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += a[i];
#pragma omp target teams distribute parallel for reduction(max : most) reduction(min : least)
  for (int i = 1; i < n - 1; i++) {
    double here = a[i - 1] - 2 * a[i] + a[i + 1];
    if (here > most) most = here;
    least = fminf(least, x[i]);
  }
#pragma omp target teams distribute parallel for reduction(+ : l) num_teams(2) thread_limit(32)
  for (long i = 0; i < wide; i++) l += k[i] * (i % 7);
#pragma omp target teams distribute parallel for reduction(+ : c) reduction(^ : d) num_teams(3)
  for (int i = 0; i < n; i++)
    if (k[i] % 3 == 1)
      c++;
    else
      d ^= k[i] + i;
#pragma omp target parallel for reduction(+ : e)
  for (unsigned i = 0; i < count; i++) e += small[i];
#pragma omp target teams loop reduction(* : t)
  for (short i = 2; i < 40; i++) t *= 1 + (double)small[i] / 64;
  printf("%d: %.0f %.0f %.0f %ld %d %d %d %.6f\n", n, s, most, least, l, c, d, e, t);
  s = 0, c = 0, l = 0;
#pragma omp target teams distribute parallel for reduction(+ : s, c)
  for (int i = first; i < n; i++) { /* from a variable, which may be negative */
    s += a[i < 0 ? -i : i];
    c += i < 0;
  }
#pragma omp target teams distribute parallel for reduction(+ : l)
  for (int i = -5; i < n; i++) l += k[i < 0 ? 0 : i] - i;
#pragma omp target teams distribute parallel for reduction(+ : d) firstprivate(e)
  for (int i = 0; i < n; i += 3) {
    if (k[i] == 4) continue;
    d += k[i] + e;
  }
#pragma omp target teams distribute parallel for reduction(+ : e)
  for (int i = n - 1; i >= 0; i--) e += k[i];
  printf("%.0f %d %ld %d %d\n", s, c, l, d, e);
  s = 0, c = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) { /* which stores, too */
    kept[i] = i * 3 % 17;
    if (kept[i] > 3) s += kept[i];
  }
#pragma omp target update from(kept)
  for (int i = 0; i < n; i++) c += kept[i] * (i % 5 + 1);
  printf("%.0f %d\n", s, c);
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i % 23 - 4, x[i] = (float)(i * 7 % 31), k[i] = i % 11, small[i] = (short)(i % 5);
#pragma omp target data map(to : a, x, k, small) map(tofrom : kept)
  {
    sums(N, N, N, -3);
    sums(0, 0, 0, 1);
    sums(-2147483647, -5, 1, 0);
    sums(1, 1, 1, 0);
    for (int n = 2; n < 14; n++) sums(n, n, (unsigned)n, n / 2 - 3);
    sums(1025, 2000, 3000, 100);
  }
  return 0;
}
