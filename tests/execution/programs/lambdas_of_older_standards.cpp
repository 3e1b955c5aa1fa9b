// What C++11 has of lambdas: functions do not deduce their results, and objects are made of temporary ones.
#include <cstdio>
#include <cmath>
template <class F> void each(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class F> double sum(int n, F f) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+: s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
struct P { double x, y; };
template <class F> void points(P *p, int n, F f) {
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (int i = 0; i < n; i++) p[i] = f(i);
}
class Grid {
  double h; int n; double *v;
 public:
  Grid(int n) : h(0.5), n(n), v(new double[n]()) {}
  ~Grid() { delete[] v; }
  double run() {
    double *p = v; int m = n;
#pragma omp target data map(tofrom: p[0:m])
    { each(n, [=](int i) { p[i] = h * i; });
      each(n, [p](int i) { p[i] = std::sqrt(p[i]); if (i > 1000) return; p[i] += 1; }); }
    return sum(n, [this](int i) { return h * i; }) + v[4];
  }
};
template <class T> T scaled(int n, T by) { return T(sum(n, [by](int i) -> double { return double(by * i); })); }
template <class T> T least(int n, T by) { return T(-sum(n, [by](int i) -> T { return by - i; })); }
template <class T> void fill(T *v, int n, T by) {
#pragma omp target data map(tofrom: v[0:n])
  each(n, [=](int i) { v[i] = by; if (i == 2) return; v[i] += by; });
}
struct Later { Later() { double v[4]; fill(v, 4, 2.0); printf("%g %g %g\n", v[2], v[3], least(4, 1.25)); } } later;
static int apply(int (*f)(int), int x) { return f(x); }
int main() {
  int r[4] = {}; int *p = r; int j = 3, hits = 0; P q[4];
#pragma omp target data map(tofrom: r)
  each(4, [=](int i) { p[i] = i + j; });
  printf("%d\n", r[3]);
  each(4, [&](int i) { r[i] *= 2; 
#pragma omp atomic
    hits++; });
  printf("%d %d\n", r[3], hits);
  points(q, 4, [](int i) { return P{i * 1.0, i * 2.0}; });
  points(q, 4, [&q](int i) -> P { P old = q[i]; old.x += 1; return old; });
  printf("%g %g\n", q[3].x, q[3].y);
  printf("%g %g %d\n", Grid(9).run(), scaled(5, 2.5f), scaled(5, 2));
  auto inc = [](int x) { return x + 1; };
  printf("%d %g\n", apply(inc, 3), sum(4, inc));
  each(4, [&r, inc](int i) { r[i] = inc(i); });
  printf("%d\n", r[2]);
}
