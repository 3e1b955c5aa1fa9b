/* lastprivate and linear on target constructs: what the sequentially last iteration leaves behind. */
#include <stdio.h>

#define N 400

struct pair { int a; double b; };
static int global = 5;

static void combined(int n) {
  int x = -1, y = 7, a[3] = {1, 2, 3}, never = 42;
  double d = 0.5;
  struct pair p = {1, 2};
#pragma omp target teams distribute parallel for lastprivate(x, d, a) map(tofrom : p) lastprivate(p)
  for (int i = 0; i < n; i++) {
    x = i * 3;
    d = i + 0.5;
    a[0] = i, a[1] = -i, a[2] = 2 * i;
    p.a = i;
    p.b = i * 0.25;
  }
  printf("%d %g %d %d %d %d %g\n", x, d, a[0], a[1], a[2], p.a, p.b);
#pragma omp target teams distribute parallel for lastprivate(x) num_teams(3) num_threads(5) reduction(+ : y)
  for (int i = n; i > 0; i -= 7) {
    if (i % 2) continue;
    x = i;
    y++;
  }
#pragma omp target parallel for lastprivate(global) num_threads(7)
  for (long i = 3; i <= 2L * n; i += 5) global = (int)i;
#pragma omp target teams distribute lastprivate(d)
  for (int i = 0; i < n; i++) d = -i;
#pragma omp target teams distribute parallel for simd lastprivate(never)
  for (int i = n; i < n; i++) never = i;
  printf("%d %d %g %d\n", y, global, d, never);
#pragma omp target teams distribute parallel for schedule(static, 16) lastprivate(x)
  for (int i = 0; i < n; i++) x = i + 1000;
#pragma omp target teams distribute parallel for dist_schedule(static, 32) lastprivate(y)
  for (int i = 0; i < n; i++) y = i + 2000;
  printf("%d %d\n", x, y);
}

static void nests(int n) {
  int i, j, k, last = 0;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(i, j, last)
  for (i = 0; i < n; i += 3)
    for (j = 10; j >= 0; j--) last = i * 100 + j;
  printf("%d %d %d\n", i, j, last);
#pragma omp target parallel for lastprivate(k)
  for (k = 5; k < n; k++) last += 0;
  printf("%d\n", k);
#pragma omp target simd lastprivate(last)
  for (int m = 0; m < n; m++) last = m * 2;
  printf("%d\n", last);
}

static void first_and_last(int n) {
  int x = 100, keep = 9;
  struct pair p = {3, 4.5};
#pragma omp target parallel for firstprivate(x, p) lastprivate(x, p)
  for (int i = 0; i < n; i++)
    if (i == n - 1) {
      x += i - (x - x);
      p.b += i;
    }
  printf("%d %d %g\n", x, p.a, p.b);
#pragma omp target map(tofrom : keep)
#pragma omp teams distribute parallel for lastprivate(keep)
  for (int i = 0; i < n; i++) keep = i;
  printf("%d\n", keep);
}

static void linear(int n, int step) {
  int at = 5, other = 2, out[3 * N + 10], b[N];
  for (int i = 0; i < 3 * n + 10; i++) out[i] = 0;
#pragma omp target parallel for linear(at : 3) map(tofrom : out)
  for (int i = 0; i < n; i++) {
    out[at] = i;
    at += 3;
  }
#pragma omp target parallel for simd linear(other : step) map(from : b)
  for (int i = 2 * n; i > 0; i -= 2) {
    b[n - i / 2] = other;
    other += step;
  }
  printf("%d %d %d %d %d %d\n", at, out[5], out[3 * n + 2], other, b[0], b[n - 1]);
#pragma omp target simd linear(at : 2) map(tofrom : out)
  for (int i = 0; i < 7; i++) {
    out[i] = at;
    at += 2;
  }
  printf("%d %d %d\n", at, out[0], out[6]);
}

// The variables are on the device before: one team reads their values there.
static void present(void) {
  int val = 3, kept = 4, a[50] = {0};
#pragma omp target data map(tofrom : val, kept, a)
  {
#pragma omp target map(tofrom : val)
    val = 10;
#pragma omp target parallel for linear(val : 2) firstprivate(kept) lastprivate(kept)
    for (int i = 0; i < 50; i++) {
      a[i] = val;
      val += 2;
      kept = i < 49 ? kept : a[i];
    }
  }
  printf("%d %d %d %d\n", a[0], a[49], val, kept);
}

// Code between collapsed loops: one iteration of both executes it, with the values of that iteration.
static void between(int n) {
  int at = 100, y = -1, a[N][3];
#pragma omp target parallel for collapse(2) map(from : a) linear(at : 2) lastprivate(y)
  for (int i = 0; i < n; i++) {
    y = i;
    for (int j = 0; j < 3; j++) {
      a[i][j] = at + y;
      at += 2;
    }
  }
  printf("%d %d %d %d %d\n", at, y, a[0][0], a[1][1], a[n - 1][2]);
}

int main(void) {
  combined(N);
  nests(N);
  first_and_last(N);
  linear(N, 4);
  present();
  between(N);
  return 0;
}
