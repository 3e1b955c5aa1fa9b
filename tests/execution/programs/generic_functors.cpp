// Functors whose call operator is a template.
#include <cstdio>
struct Add { double by; template <class T> T operator()(T x) const { return x + T(by); } };
struct Both { template <class A, class B> auto operator()(A a, B b) const { return a * b + 1; } int operator()(int a) const { return a; } };
template <class U> struct Scale { U f; template <class T> auto operator()(T x) const -> decltype(x * f) { return x * f; } template <class T, class... R> auto operator()(T x, R... r) const { return x * f + (r + ...); } };
template <class F> struct Wrap { F f; template <class T> auto operator()(T x) const { return f(x) + 1; } };
template <class F, class T> T each(int n, const T *a, F f) {
  T s = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(a[i]);
  return s;
}
template <class F> int called(F f, int v) { return f(v) + (int)f(v + 0.5); }
struct Object {
  Scale<int> s;
  int run(int n) {
    int r = 0;
#pragma omp target map(tofrom : r)
    for (int i = 0; i < n; i++) r += s(i) + s(i, 2, 3);
    return r;
  }
};
auto global = [](auto x) { return x * 2; };
int main() {
  int k[4] = {1, 2, 3, 4};
  double d[3] = {1.5, 2.5, 3.5};
  printf("%d %g\n", each(4, k, Add{2.0}), each(3, d, Add{0.5}));
  printf("%d %g\n", each(4, k, Scale<int>{3}), each(3, d, Scale<float>{0.5f}));
  printf("%d %g\n", each(4, k, Wrap<Add>{{1}}), each(3, d, Wrap<Wrap<Scale<int>>>{{{2}}}));
  int r = 0, by = 5;
  Add add{3};
  Both both;
#pragma omp target map(tofrom : r)
  { r = (int)add(1.5) + add(2) + (int)both(2, 1.5) + both(7); }
  printf("%d\n", r);
  auto gen = [=](auto x) { return x + by; };
  auto two = [](auto a, auto... b) { return a + (b + ...); };
#pragma omp target map(tofrom : r)
  { r = gen(1) + (int)gen(2.5) + two(1, 2, 3L); }
  printf("%d\n", r);
#pragma omp target map(tofrom : r)
  {
    auto inside = [&](auto x, auto y) { return x * y + by; };
    r = inside(2, 3) + (int)inside(1.5, 2);
  }
  printf("%d\n", r);
  printf("%d %g\n", each(4, k, [=](auto x) { return x * by; }), each(3, d, [](auto x) { return x - 1; }));
#pragma omp target map(tofrom : r)
  { r = called(add, 3) + called(Scale<int>{4}, 2) + called([](auto q) { return q * 3; }, 3); }
  printf("%d\n", r);
#pragma omp target map(tofrom : r)
  r = called(gen, 1);
  printf("%d\n", r);
#pragma omp target map(tofrom : r)
  r = global(21);
  printf("%d\n", r);
  Object o{{7}};
  printf("%d\n", o.run(4));
}
