/* Templates whose instances have one or two kernels, which launches choose by their grid, and functions with atomic
   operations and loops that iterations call: whichever threads execute them, each iteration is executed once. */
#include <cstdio>

template <class F> static void over(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class F> static void dealt(int n, F f) {
#pragma omp target teams distribute parallel for schedule(static, 1) map(to : n)
  for (int i = 0; i < n; i++) f(i);
}
template <class F> static void by_teams(int n, int teams, F f) {
#pragma omp target teams distribute parallel for num_teams(teams)
  for (int i = 0; i < n; i++) f(i);
}
template <class F> static void limited(int n, int teams, F f) {
#pragma omp target teams distribute parallel for num_teams(teams) thread_limit(64) schedule(static, 1)
  for (int i = 0; i < n; i++) f(i);
}
template <class F> static void later(int n, F f) {
#pragma omp target teams distribute parallel for nowait
  for (int i = 0; i < n; i++) f(i);
#pragma omp taskwait
}
template <int Step, class T> struct Rows {
  T *a;
  template <class U> void add(int n, U *out) const {
    T *p = a;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      T s = 0;
      for (int k = 0; k < n; k++) s += p[(i + k * Step) % n];
      out[i] += s;
    }
  }
};

static double bump(double *p, double by) {
  double old;
#pragma omp atomic capture
  { old = *p; *p += by; }
  return old;
}
static void atomicAdd(double *p, double by) {
#pragma omp atomic
  *p += by;
}
static int again(int n, double *p) { return n <= 0 ? 0 : (bump(p, 1.0), again(n - 1, p) + 1); }
static void alone(double *p) {
#pragma omp critical
  *p += 1;
}
static double sum(const double *a, int from, int m) {
  double s = 0;
  for (int k = from; k < m; k++) s += a[k];
  return s;
}

static void show(const char *what, const double *b, int n, const double *c) {
  double all = 0;
#pragma omp target update from(b[0 : n], c[0 : 8])
  for (int i = 0; i < n; i++) all = all * 0.5 + b[i];
  printf("%s: %.0f,", what, all);
  for (int k = 0; k < 8; k++) printf(" %.0f", c[k]);
  printf("\n");
}

static void run(double *a, double *b, double *c, int n, int many) {
  const int m = n;
  over(n, [=](int i) { a[i] = i; b[i] = 0; if (i < 8) c[i] = 0; });
  for (int k = 0; k < 3; k++) over(n, [=](int i) { b[i] += sum(a, k, m) + i; });
  over(n, [=](int i) { b[i] += 1; });
  over(many, [=](int i) { double s = 0; for (int k = 0; k < m; k++) s += a[k]; if (i < m) b[i] += s; });
  show("by the grid", b, n, c);
  dealt(n, [=](int i) { atomicAdd(c, 1.0); bump(c + 1, i); });
  dealt(n, [=](int) { again(3, c + 2); });
  dealt(n, [=](int) { alone(c + 3); });
  show("dealt out", b, n, c);
  by_teams(many, 16, [=](int) { atomicAdd(c + 4, 1.0); });
  by_teams(many, 128, [=](int) { atomicAdd(c + 5, sum(a, 1, 4)); });
  by_teams(n, 2, [=](int i) { double s = 0; for (int k = 0; k < m; k++) s += a[k]; b[i] += s; });
  limited(n, 4, [=](int i) { atomicAdd(c + 6, i); });
  later(n, [=](int i) { b[i] += sum(a, 0, m); bump(c + 7, 2); });
  show("by teams", b, n, c);
  Rows<3, double>{a}.add(n, b);
  Rows<1, double>{a}.add(n, c - 0);
  show("by rows", b, n, c);
}

int main() {
  static double a[300], b[300], c[300];
#pragma omp target data map(tofrom : a, b, c)
  run(a, b, c, 300, 100000);
  static double d[40], e[40], f[40];
#pragma omp target data map(tofrom : d, e, f)
  run(d, e, f, 40, 5000);
}
