// Functions, members and templates as arguments of templates with regions.
#include <cstdio>
static int twice(int v) { return v * 2; }
namespace lib { int third(int v) { return v / 3; } double half(double v) { return v / 2; } }
template <class T> T neg(T v) { return -v; }
struct Ops { static int inc(int v) { return v + 1; } };

template <int (*F)(int)> int each(int n, const int *a) {
  int s = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += F(a[i]);
  return s;
}
template <class T, T (*F)(T)> struct Map {
  T *p;
  int n;
  void run() {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] = F(p[i]);
  }
};
template <int (&F)(int)> int once(int v) {
  int r = 0;
#pragma omp target map(from : r)
  r = F(v);
  return r;
}
#pragma omp declare target
template <int (*F)(int)> int apply(int v) { return F(F(v)); }
#pragma omp end declare target
template <auto F, class T> T any(T v) {
#pragma omp target map(tofrom : v)
  { auto twice_more = [&](T x) { return F(F(x)); }; v = twice_more(v); }
  return v;
}
struct Body { int x, y; int sum(int k) const { return x + y * k; } };
template <int Body::*M, int (Body::*F)(int) const> int member(Body b) {
  int r = 0;
#pragma omp target map(from : r)
  r = b.*M + (b.*F)(3);
  return r;
}
struct Chooser {
  template <int (*F)(int)> int with(int v) {
#pragma omp target map(tofrom : v)
    v = F(v) + apply<F>(v);
    return v;
  }
};
int indirect(int v) {
  int r = 0;
#pragma omp target map(from : r)
  r = apply<twice>(v) + apply<Ops::inc>(v) + apply<neg<int>>(v);
  return r;
}

template <class T> struct Pair { T a, b; T sum() const { return a + b; } };
template <class T> struct One { T a; T sum() const { return a; } };
namespace lib { template <class T, int N> struct Arr { T v[N]; T sum() const { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; } }; }
template <template <class> class C> int total(int n, const C<int> *p) {
  int s = 0;
#pragma omp target map(to : p[0 : n]) map(tofrom : s)
  for (int i = 0; i < n; i++) { C<int> c = p[i]; C<char> d{(char)i}; s += c.sum() + d.sum(); }
  return s;
}
template <template <class, int> class C, int N> struct Holder {
  C<double, N> c;
  double run() {
    double s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s) map(to : c) reduction(+ : s)
    for (int i = 0; i < N; i++) { const C<double, N> &r = c; s += r.sum(); }
    return s;
  }
};

void templates() {
  Pair<int> p[2] = {{1, 2}, {3, 4}};
  One<int> o[2] = {{1}, {2}};
  Holder<lib::Arr, 3> h{{1, 2, 3.5}};
  printf("%d %d %g\n", total(2, p), total(2, o), h.run());
}

int main() {
  int k[5] = {10, 20, 30, 40, 50};
  double d[3] = {1, 2, 3};
  printf("%d %d %d %d\n", each<twice>(5, k), each<lib::third>(5, k), each<neg<int>>(5, k), each<&Ops::inc>(5, k));
  Map<int, twice> m{k, 5};
  Map<double, lib::half> h{d, 3};
  m.run(), h.run();
  printf("%d %g\n", k[3], d[2]);
  printf("%d %d %d\n", once<twice>(4), once<lib::third>(9), indirect(7));
  printf("%d %g %d\n", any<twice>(3), any<neg<double>>(2.5), any<&neg<int>>(2));
  printf("%d %d\n", member<&Body::x, &Body::sum>({1, 2}), member<&Body::y, &Body::sum>({3, 4}));
  Chooser c;
  printf("%d %d\n", c.with<twice>(5), c.with<Ops::inc>(5));
  templates();
}
