// Call operators that are templates: methods, nested classes, recursion, results of lambdas.
#include <cstdio>
#include <utility>
namespace lib {
struct Out { int k; template <class T> T operator()(T x) const; template <class T> operator T() const { return T(k); }
  template <int N, class T> T times(T x) const { return N * x + k; } };
template <class T> T Out::operator()(T x) const { return x * k; }
template <class T> struct Nested { struct In { template <class U> U operator()(U u) const { return u + U(sizeof(T)); } } in; };
struct Pred { template <class A, class B> bool operator()(const A &a, const B &b) const { return a < b; } };
template <class P> int best(const int *a, int n, P p) { int m = 0; for (int i = 1; i < n; i++) if (p(a[m], a[i])) m = i; return m; }
}
template <class T> struct Two { T a, b; template <int k> T &get() { return k ? b : a; } };
template <class Op> struct Reduce {
  Op op;
  template <class T> T run(const T *a, int n) const {
    T s = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += op(a[i]);
    return s;
  }
};
struct Visitor { int sum; template <class T> void operator()(T v) { sum += (int)v; } };
template <class V> void visit(V &&v) { v(1); v(2.5); v('\3'); }
int main() {
  int k[4] = {1, 2, 9, 4}, r = 0;
  lib::Out f{3}, *pf = &f;
  lib::Nested<double> n;
#pragma omp target map(tofrom : r) map(to : f)
  { r = f(2) + (int)f(1.5) + f.times<4>(2) + f.template operator()<int>(5); int c = f; r += c; }
  printf("%d\n", r);
#pragma omp target map(tofrom : r) map(to : pf[0:1])
  { r = (*pf)(2) + pf->operator()(4) + n.in(3) + lib::Nested<char>::In()(1); }
  printf("%d\n", r);
#pragma omp target map(tofrom : r) map(to : k)
  r = lib::best(k, 4, lib::Pred());
  printf("%d\n", r);
#pragma omp target map(tofrom : r) map(to : k)
  r = lib::best(k, 4, [](auto a, auto b) { return a > b; });
  printf("%d\n", r);
  Reduce<lib::Out> red{{2}};
  printf("%d\n", red.run(k, 4));
#pragma omp target map(tofrom : r)
  {
    Visitor v{0};
    visit(v);
    visit([&](auto x) { v.sum += (int)x; });
    auto fact = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
    r = v.sum + fact(fact, 5);
  }
  printf("%d\n", r);
  auto fact = [](auto self, int n) -> int { return n < 2 ? 1 : n * self(self, n - 1); };
  auto apply = [](auto g, auto... a) { return g(a...); };
#pragma omp target map(tofrom : r)
  r = fact(fact, 4) + apply([](auto a, auto b) { return a - b; }, 9, 3) + apply(fact, fact, 3);
  printf("%d\n", r);
  Visitor w{10};
#pragma omp target map(tofrom : w)
  { w(3); w(2.5f); }
  printf("%d\n", w.sum);
#pragma omp target map(tofrom : r)
  { auto mk = [](auto x) { return [x](auto y) { return x + y; }; }; r = mk(3)(4) + (int)mk(1.5)(2); }
  printf("%d\n", r);
  auto mk = [](auto x) { return [x](auto y) { return x + y; }; };
#pragma omp target map(tofrom : r)
  r = mk(3)(4) + (int)mk(1.5)(2);
  printf("%d\n", r);
  Two<double> two{1.5, 2.5};
#pragma omp target map(tofrom : r) map(to : two)
  {
    auto each = [&](auto index) { r += int(2 * two.template get<decltype(index)::value>()); };
    each(std::integral_constant<int, 0>()); each(std::integral_constant<int, 1>());
  }
  printf("%d\n", r);
}
