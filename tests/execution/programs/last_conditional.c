/* lastprivate(conditional:): the value of the last iteration, or section, that assigns. */
#include <stdio.h>
enum { N = 1000 };
#define SET(v, e) v = e
#define BUMP(v) (v)++

static void combined(int n) {
  int x = -1, y = -2, never = 42, all = 0, both = 5, i = 0;
  double d = 0.25;
  long a[N];
#pragma omp target parallel for lastprivate(conditional : x, never, d) map(from : a)
  for (int k = 0; k < n; k++) {
    a[k] = k;
    if (k == 24 || k == 123) x = a[k];
    if (k < 0) never = k;
    if (k % 100 == 7) {
      d = k;
      d /= 2;
    }
  }
  printf("%d %d %g\n", x, never, d);
#pragma omp target parallel for lastprivate(conditional : x) lastprivate(y, i) num_threads(7) schedule(static, 3)
  for (i = n; i > 0; i -= 3) {
    y = i;
    if (i % 7 == 5) SET(x, i * 2);
  }
  printf("%d %d %d\n", x, y, i);
#pragma omp target parallel for simd lastprivate(conditional : x) reduction(+ : all) num_threads(40)
  for (unsigned long k = 5; k <= 700ul; k += 2)
    if (k % 11 == 1) all += x = (int)k;
  printf("%d %d\n", x, all);
#pragma omp target parallel for collapse(2) lastprivate(conditional : x, y) num_threads(9)
  for (int j = 0; j < 30; j++) {
    if (j == 22) y = j;
    for (int k = 10; k > 0; k--)
      if (j * k == 60) x = j * 1000 + k;
  }
  printf("%d %d\n", x, y);
#pragma omp target parallel for firstprivate(both) lastprivate(conditional : both)
  for (int k = 0; k < n; k++)
    if (k == 500) both += k;
  printf("%d\n", both);
#pragma omp target simd lastprivate(conditional : x) map(tofrom : x)
  for (int k = 0; k < n; k++)
    if (k % 90 == 13) x = k;
  printf("%d\n", x);
#pragma omp target parallel for lastprivate(conditional : x)
  for (int k = 0; k < 0; k++) x = k;
  printf("%d\n", x);
#pragma omp target parallel for lastprivate(conditional : x) collapse(2) num_threads(3)
  for (int j = 0; j < 20; j++)
    for (int k = 0; k < j; k++) {
      int own = 0;
      switch (k) {
      case 3: x = j * 100; break;
      case 4: SET(x, x + 1); own = x++; break;
      case 18: x = own; break;
      }
      if (own && j == 5) { x += own; }
    }
  printf("%d\n", x);
}

static void inside(int n) {
  int x = -1, y = -2, z = -3, w = -4, never = 7, out[8] = {0};
  int t = 100;
#pragma omp target map(tofrom : x, y, z, w, never, out) firstprivate(t)
  {
    int local = 9, k;
    out[0] = local;
#pragma omp parallel num_threads(13)
    {
#pragma omp for lastprivate(conditional : local, never) schedule(static, 4)
      for (int i = 0; i < n; i++) {
        if (i % 17 == 3) local = i;
        if (i > n) never = 1;
      }
#pragma omp for nowait lastprivate(conditional : x)
      for (int i = n; i >= 0; i--) {
        int inner = 0;
        for (int j = 0; j < 3; j++)
          if ((i + j) % 50 == 0) inner = x = i;
        if (inner == 1) ++x;
      }
#pragma omp sections lastprivate(conditional : y)
      {
        y = 1;
#pragma omp section
        {
          if (out[0] == 9) y = 2;
        }
#pragma omp section
        if (out[0] == 10) y = 3;
      }
#pragma omp for ordered lastprivate(conditional : z) private(t)
      for (k = 0; k < n; k++) {
#pragma omp ordered
        {
          t = k;
          if (t % 300 == 2) z = t;
        }
      }
    }
    out[1] = local;
#pragma omp parallel for simd lastprivate(conditional : w) collapse(2)
    for (int i = 0; i < 10; i++) {
      int twice = 2 * i;
      for (k = 0; k < 10; k++)
        if (twice == k) w = i * 10 + k;
    }
#pragma omp simd lastprivate(conditional : local) private(t)
    for (k = 0; k < n; k++) {
      t = k;
      if (t == 33) local = t;
    }
    out[2] = local;
#pragma omp parallel sections lastprivate(conditional : local)
    {
      local = 4;
#pragma omp section
      if (out[0] == 10) local = 6;
    }
    out[3] = local;
    out[4] = 1;
  }
  printf("%d %d %d %d %d %d %d %d %d %d\n", x, y, z, w, never, out[0], out[1], out[2], out[3], out[4]);
}

int main(void) {
  combined(N);
  inside(N);
  return 0;
}
