// Forms of lambdas that templates with regions get.
#include <cstdio>
#define ON_DEVICES
template <class B> void forall(int n, B body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) body(i);
}
template <class T, class B> T reduce(int n, T init, B body) {
  T s = init;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += body(i);
  return s;
}
struct Vec {
  double x, y;
};

struct S {
  static constexpr auto square = [](int i) { return i * i; };
  int run(int n) { return reduce(n, 0, square); }
};
inline auto twice = [](int i) { return 2 * i; };
template <class F = decltype(twice)> int with(int n, F f = F()) { return reduce(n, 0, f); }

struct Poly {
  double c[3];
  template <class T> double operator()(T x) const { return c[0] + c[1] * x + c[2] * x * x; }
};
template <class F, class G> struct Compose {
  F f;
  G g;
  template <class X> auto operator()(X x) const { return f(g(x)); }
};
template <class F, class G> Compose(F, G) -> Compose<F, G>;
template <class F, class G> Compose<F, G> compose(F f, G g) { return {f, g}; }

template <class T> T typed(int n, T k) {
  using Value = T;
  typedef const Value Constant;
  return reduce(n, Value(), [=] ON_DEVICES (int i /* of n */) { Constant c = k; return Value(i) * c; });
}

int next(int &k) { return ++k; }

void generic(int n, int k) {
  printf("%g\n", reduce(n, 0.0, [k](auto i) { return i * k + 0.5; }));
  printf("%g\n", reduce(n, 0.0, [m = k * 3](auto i) { return i * m + 0.5; }));
  printf("%g\n", reduce(n, 0.0, [=, m = k + 0.25](auto i) { return i * m + k; }));
  printf("%g\n", reduce(n, 0.0, [=]<class I>(I i) { return I(i * k); }));
  printf("%g\n", reduce(n, 0.0, [=](auto &&...i) { return (i + ... + k); }));
  printf("%g\n", reduce(n, 0.0, [](auto i) constexpr noexcept -> double { return i; }));
}

void nested(int n, int k) {
  printf("%g\n", reduce(n, 0.0, [=](int i) {
    auto g = [=](int j) { return j * k + i; };
    return g(i) + g(1);
  }));
  auto add = [](int c) { return [c](int x) { return x + c; }; };
  printf("%d\n", reduce(n, 0, add(3)));
  printf("%d\n", reduce(n, 0, [=](int i) { return add(k)(i); }));
  auto h = [=](int i) { return i * k; };
  printf("%d\n", reduce(n, 0, [=](int i) { return h(h(i)) + 1; }));
  printf("%d\n", reduce(n, 0, [h](int i) { return h(i); }));
  auto fact = [](auto self, int x) -> int { return x < 2 ? 1 : x * self(self, x - 1); };
  printf("%d\n", reduce(n, 0, [=](int i) { return fact(fact, i); }));
}

void places(int n) {
  printf("%d %d %d %d\n", S().run(4), reduce(4, 0, twice), reduce(4, 0, S::square), with(5, twice));
  [&] { printf("%d\n", reduce(n, 0, [=](int i) { return i + n; })); }();
  auto outer = [&](int m) { return reduce(n, 0, [=](int i) { return i * m; }); };
  printf("%d %d\n", outer(2), outer(3));
  auto gen = [&](auto m) { return reduce(n, m, [=](int i) { return i * m; }); };
  printf("%d %g\n", gen(2), gen(2.5));
}

void local_names(int n) {
  struct L {
    int a;
    int f(int i) const { return a * i; }
  };
  L l{3};
  using D = double;
  constexpr int c = 4;
  constexpr double e = .25;
  printf("%g\n", reduce(n, 0.0, [=](int i) { return D(l.f(i)) + c + e; }));
  auto [x, y] = Vec{1, 2};
  printf("%g\n", reduce(n, 0.0, [x = x, y = y](int i) { return x * i + y; }));
  Vec v{2, 3};
  printf("%g\n", reduce(n, 0.0, [=](int i) { auto [a, b] = v; return a + b * i; }));
  printf("%d %g\n", typed(3, 2), typed(3, 2.5));
}

void objects(int k) {
  Poly p{{1, 2, 3}};
  printf("%g\n", reduce(4, 0.0, p));
  printf("%g\n", reduce(4, 0.0, compose(p, p)));
  printf("%g\n", reduce(4, 0.0, compose(p, [=](int i) { return i + k; })));
  printf("%g\n", reduce(4, 0.0, Compose{p, [k](auto i) { return i * k; }}));
  printf("%d\n", reduce(3, 0, [m = next(k)](int i) { return i * m; }));
  printf("%d\n", k);
}

int main() {
  generic(4, 2);
  nested(4, 2);
  places(3);
  local_names(4);
  objects(3);
}
