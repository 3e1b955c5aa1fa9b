// Lambdas of templates that templates with regions get by way of other lambdas, without the type of their results: in C++11
// functions do not deduce it.
#include <cstdio>
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
template <class T> T half(T x) { return x / 2; }
template <class T> struct G {
  T scale; T table[4]; T *q;
  T times(T x) const { return scale * x; }
  double go(T *p) {
    auto by_member = [this](int i) { return i * scale; };
    auto by_method = [this](int i) { return times(i) + table[i]; };
    auto element = [=](int i) { return p[i]; };
    double s = 0;
    s += sum(4, [=](int i) { return by_member(i) + 1; });
    s += sum(4, [=](int i) { return by_method(i); });
    s += sum(4, [=](int i) { return element(i); });
    return s;
  }
};
template <class T> double pts(T *p, int n) {
  const T k = 3;
  auto point = [=](int i) { return P{double(i), double(k)}; };
  auto choose = [=](int i) { return i > 1 ? half(k) : k; };
  auto ref = [=](int i) { return p[i] += choose(i); };
  auto cond = [](T a, T b) { return a < b; };
  each(n, [=](int i) { return ref(i); });
  return sum(n, [=](int i) { return point(i).y + choose(i) + cond(i, 2); });
}
int main() {
  int p[4] = {1, 2, 3, 4}; double d[4] = {1, 2, 3, 4};
  G<int> g = {2, {1, 2, 3, 4}, nullptr}; G<double> h = {2.5, {1, 2, 3, 4}, nullptr};
  double a, b, c, e;
#pragma omp target data map(tofrom: p, d) map(to: g, h)
  { a = g.go(p); b = h.go(d); c = pts(p, 4); e = pts(d, 4); }
  printf("%g %g %g %g %d %g\n", a, b, c, e, p[3], d[3]);
}
