// Functors as members and arguments of templates, of hidden, private and local classes.
#include <cstdio>
struct Add { int by; template <class T> T operator()(T x) const { return x + T(by); } };
template <class F> struct Holder { F f; int n; 
  template <class T> void each(T *p) const {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] = f(p[i]);
  } };
template <class F> Holder<F> hold(F f, int n) { return {f, n}; }
template <class T> T twice(T v) {
  Add a{1};
  auto g = [a](auto x) { return a(x) * 2; };
#pragma omp target map(tofrom : v)
  { v = g(v) + a(v); auto h = [&](auto y) { return y + v; }; v = h(T(1)); }
  return v;
}
template <class A, class B, class F> void zip(int n, const A *a, B *b, F f) {
#pragma omp target teams distribute parallel for map(to : a[0 : n]) map(tofrom : b[0 : n])
  for (int i = 0; i < n; i++) f(a[i], b[i]);
}
namespace { struct Hidden { template <class T> T operator()(T x) const { return x * 3; } }; }
struct Outer { struct In { template <class T> T operator()(T x) const { return x * 4; } }; 
  private: struct Priv { template <class T> T operator()(T x) const { return x * 5; } };
  public: int use(int *k, int n) { hold(Priv(), n).each(k); return k[0]; } };
int main() {
  int k[4] = {1, 2, 3, 4}; double d[2] = {1.5, 2.5};
  hold(Add{2}, 4).each(k); hold(Add{2}, 2).each(d);
  hold(Hidden(), 4).each(k); hold(Outer::In(), 2).each(d);
  printf("%d %g %d %g\n", k[3], d[1], twice(3), twice(1.5));
  int k2[4] = {4, 5, 6, 7}; double d2[2] = {8, 9};
  zip(4, k2, k, [](const auto &x, auto &y) { y += x; });
  zip(2, d2, d, [](auto x, double &y) { y -= x / 2; });
  printf("%d %g\n", k[3], d[1]);
  Outer o; printf("%d\n", o.use(k, 4));
  struct Loc { int operator()(int x) const { return x + 100; } };
  hold(Loc(), 4).each(k);
  printf("%d\n", k[0]);
}
