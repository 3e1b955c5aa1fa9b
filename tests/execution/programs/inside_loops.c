/* Worksharing loops inside a parallel region: every schedule, nests, private copies, last values. */
#include <stdio.h>

#define N 300
static int a[N], count[N];

static void reset(void) {
  for (int i = 0; i < N; i++) a[i] = i % 17, count[i] = 0;
}

static void show(const char *what) {
  long long sum = 0;
  int once = 1;
  for (int i = 0; i < N; i++) sum += (long long)(i + 1) * a[i], once &= count[i] == 1;
  printf("%s: %lld %d\n", what, sum, once);
  reset();
}

static void schedules(int n, int chunk) {
#pragma omp target parallel map(tofrom : a, count) num_threads(13)
  {
#pragma omp for
    for (int i = 0; i < N; i++) a[i] += 2 * i, count[i]++;
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp for schedule(static, 7)
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; i++) a[i] += 3;
#pragma omp for schedule(dynamic, chunk)
    for (int i = 0; i < n; i++)
      if (i % 2 == 0) continue;
      else
        a[i] *= 3;
#pragma omp for schedule(guided, 2 * chunk) nowait
    for (int i = n - 1; i >= 0; i--) a[i] += 4;
#pragma omp barrier
#pragma omp for schedule(auto)
    for (int i = 0; i <= n - 1; i += 2) {
      a[i]++;
    }
#pragma omp for schedule(runtime)
    for (int i = 1; i < n; i += chunk - 3) a[i]--;
#pragma omp for schedule(monotonic : static, 1)
    for (unsigned char i = 0; i < 200; i++) a[i] += i;
#pragma omp for
    for (long i = -5; i < n - 5; i++) a[i + 5] ^= 1;
#pragma omp for
    for (unsigned i = 10; i < 20; i++) a[i] += (int)i;
#pragma omp for
    for (int i = -3; i < 7; ++i) a[i + 3] -= i;
#pragma omp for
    for (int i = n - 1; i >= 0; i -= 2) a[i] += 6;
#pragma omp for
    for (short i = (short)(chunk + 20); i > -3; i -= 3) a[i + 3] += i;
#pragma omp for
    for (long i = n - 1; i != -1; i--) a[i] += 1;
#pragma omp for
    for (int *p = a + 200; p > a + 100; p--) *p += 2;
#pragma omp for
    for (size_t i = n; i > 0; i--) a[i - 1] += 5;
#pragma omp for
    for (int *p = a + 4; p < a + 44; p += 4) *p += 100;
  }
  show("schedules");
}

static void nests(int n) {
  int m[6][10][5];
  for (int i = 0; i < 300; i++) (&m[0][0][0])[i] = 0;
#pragma omp target parallel map(tofrom : m, a, count) num_threads(9)
  {
#pragma omp for collapse(3)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 10; j++) {
        for (int k = 0; k < 5; k++) {
          m[i][j][k] += i * 100 + j * 10 + k;
        }
      }
#pragma omp for collapse(2) schedule(static, 3)
    for (int i = n; i > 0; i -= 2)
      for (int j = 1; j <= 10; j += 3)
        for (int k = 0; k < 5; k++) m[i - 1][j - 1][k] *= 2; // the third loop is each thread's own
#pragma omp for collapse(2)
    for (int i = 0; i < 20; i++) { /* a triangle */
      for (int j = 0; j <= i; j++) {
        a[i * (i + 1) / 2 + j] += i - j;
        count[i * (i + 1) / 2 + j]++;
      } /* end of j */
    }
    int i;
#pragma omp for
    for (i = 210; i < N; i++) count[i]++;
  }
  long long sum = 0;
  for (int i = 0; i < 300; i++) sum += (long long)(i + 1) * (&m[0][0][0])[i];
  printf("nests: %lld\n", sum);
  show("nests");
}

struct pair {
  int x, y[3];
};

static void copies(int n) {
  int x = 5, last = -1, i = 99, j = 98, none = 3, fixed[3] = {1, 2, 3}, seen[3] = {0, 0, 0};
  struct pair p = {4, {5, 6, 7}}, q = {0, {0, 0, 0}};
  long double far = 0;
  const int big = 1000;
#pragma omp target parallel map(tofrom : a, count, x, last, i, j, none, fixed, seen, p, q) num_threads(7)
  {
#pragma omp for private(x) firstprivate(p, fixed) lastprivate(last, q, seen)
    for (int k = 0; k < n; k++) {
      x = k * 2;
      fixed[1] += 1; /* a copy */
      p.y[0] += 1;
      last = x + fixed[0] + fixed[2];
      q.x = k, q.y[2] = p.x;
      seen[0] = k, seen[1] = p.y[2], seen[2] = big;
      a[k] += x, count[k]++;
    }
#pragma omp for lastprivate(none)
    for (int k = 5; k < 5 * x / x; k++) none = k;
#pragma omp for lastprivate(i)
    for (i = 3; i < 20; i += 4) a[i]++;
#pragma omp for collapse(2) lastprivate(i, j, last)
    for (i = 0; i < 4; i++)
      for (j = 10; j > 2; j -= 3) last = i * 100 + j;
  }
  printf("copies: %d %d %d %d\n", last, i, j, none);
#ifdef _OPENMP
  printf("%d %d %d\n", x, fixed[1], p.y[0]);
#else
  printf("5 2 5\n");
#endif
  printf("%d %d %d %d %d %d %d\n", q.x, q.y[2], seen[0], seen[1], seen[2], p.x, (int)far);
  show("copies");
}

static void steps(int n, int by) {
  int at = 3, other = 100;
  int *walk = a;
#pragma omp target parallel map(tofrom : a, count, at, other) num_threads(6)
  {
#pragma omp for linear(at : 2)
    for (int k = 0; k < 40; k++) {
      a[at] += k;
      at += 2;
    }
#pragma omp for linear(other : by + 1) schedule(static, 3)
    for (int k = 0; k < n; k++) {
      a[other] += k;
      other += by + 1;
      count[k]++;
    }
  }
  printf("steps: %d %d %d\n", at, other, (int)(walk - a));
  for (int i = 40; i < N; i++) count[i] = 1;
  show("steps");
}

static void sums(int n) {
  int s = 10, most = -1, least = 1000, bits = 0, all = 1;
  double d = 0.5;
  int h[4] = {0, 0, 0, 0};
#pragma omp target parallel map(tofrom : a, s, most, least, bits, all, d, h) num_threads(11)
  {
#pragma omp for reduction(+ : s, d) reduction(max : most) reduction(min : least)
    for (int i = 0; i < n; i++) {
      s += a[i];
      d += 0.25 * a[i];
      if (most < a[i]) most = a[i];
      least = least < a[i] ? least : a[i];
    }
#pragma omp for reduction(| : bits) reduction(&& : all) schedule(dynamic, 5)
    for (int i = 0; i < n; i++) bits |= a[i], all = all && a[i] >= 0;
#pragma omp for reduction(+ : h)
    for (int i = 0; i < n; i++) h[i % 4] += i;
#pragma omp for simd reduction(+ : s)
    for (int i = 0; i < n; i++) s += 1;
    /* the team's value is known to all behind the loop */
#pragma omp single
    s += 1000;
#pragma omp for
    for (int i = 0; i < 1; i++) s += 5;
  }
  printf("sums: %d %d %d %d %d %g %d %d\n", s, most, least, bits, all, d, h[0], h[3]);
}

static void ordered(int n) {
  int order[N], at = 0, after = 0, first = 1;
#pragma omp target parallel map(tofrom : order, at, after, first) num_threads(8)
  {
#pragma omp for ordered
    for (int i = 0; i < n; i++) {
      int square = i * i;
#pragma omp ordered
      order[at++] = square;
    }
#pragma omp for ordered schedule(static, 3) lastprivate(after) reduction(+ : first)
    for (int i = 0; i < 10; i++) {
      after = i;
      first += i;
#pragma omp ordered
      {
        order[i] += i;
      }
    }
#pragma omp for ordered(1)
    for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
      order[i] += order[i - 1] % 7;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2)
    for (int i = 1; i < n; i += 8) {
      for (int k = 0; k < 2; k++) {
#pragma omp ordered doacross(sink : i - 8, k) doacross(sink : i, k - 1)
        order[i] += order[i - 1 + k] % 5;
#pragma omp ordered doacross(source :)
      }
    }
  }
  long long sum = 0;
  for (int i = 0; i < n; i++) sum += (long long)(i + 3) * order[i];
  printf("ordered: %lld %d %d %d\n", sum, at, after, first);
}

int main(void) {
  reset();
  schedules(N, 5);
  nests(6);
  copies(N);
  steps(40, 3);
  sums(N);
  ordered(100);
  return 0;
}
