#include <cstdio>
#include <tuple>
#include <utility>
// arrays by reference, mapped
template <class... T> double arrays(T (&...a)[4]) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < 4; i++) s += ((a[i] * 1.0) + ... + 0.0);
  return s;
}
template <class... A> int count(A... a) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = 3 + sizeof...(a);
  return s;
}
struct Op { int k; int operator()(int v) const { return v * k + 1; } };
template <class... F> int composed(int n, int *out, F... f) {
#pragma omp target teams distribute parallel for map(from : out[0:n])
  for (int i = 0; i < n; i++) {
    int v = i;
    ((v = f(v)), ...);
    out[i] = v;
  }
  return out[n - 1];
}
template <class... A> int team(int n, A... a) {
  int s = 0;
#pragma omp target teams reduction(+ : s) num_teams(1)
  {
    int base = (a + ... + 1);
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += base + ((a * i) + ... + 0);
  }
  return s;
}
template <class... A> int bounds(A... a) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) num_teams(sizeof...(a) + 1)
  for (int i = 0; i < (int)((a + ... + 0)); i++) s += i;
  return s;
}
struct Base {
  int b;
  template <class... A> explicit Base(A... a) : b(0) {
#pragma omp target map(tofrom : b)
    b += (a + ... + 0);
  }
  template <class H, class... A> int method(H h, const A &...a) const {
    int s = 0;
#pragma omp target parallel for reduction(+ : s)
    for (int i = 0; i < 3; i++) {
      s += b * h + (a + ... + i);
      if constexpr (sizeof...(a) > 1) { s += std::get<1>(std::make_tuple(a...)); }
    }
    return s;
  }
};
template <class... A> int types(A... a) {
  int s = 0;
#pragma omp target map(tofrom : s)
  {
    std::tuple<decltype(a)...> t(a...);
    s = std::tuple_size<decltype(t)>::value * 100;
    std::apply([&](auto... x) { s += (x + ... + 0); }, t);
    auto l = [=](int k) { return (a + ... + k); };
    s += l(7);
  }
  return s;
}
template <class... A, class... B> int both(std::tuple<A...> t, B... b) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = (int)sizeof...(A) * 10 + (b + ... + std::get<0>(t)) + (int)(sizeof(A) + ...);
  return s;
}
template <class... A> int outer_lambda(int n, A... a) {
  int s = 0;
  auto f = [=](int i) { return ((a * i) + ... + 0); };
#pragma omp target map(tofrom : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
template <class... P> void fill(int n, P *...p) {
#pragma omp target data map(tofrom : n)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) ((p[i] += (P)i * 2), ...);
}
int twice(int v) { return 2 * v; }
#pragma omp declare target to(twice)
int main() {
  int x[4] = {1, 2, 3, 4}; double y[4] = {.5, 1.5, 2, 3}; const int z[4] = {9, 8, 7, 6};
  printf("%g %g\n", arrays(x, y, z), arrays(x));
  printf("%d %d %d\n", count(), count(1, 2.0), count(Op{1}, "x", 3));
  int o[6];
  printf("%d\n", composed(6, o, Op{2}, Op{3}));
  printf("%d\n", composed(6, o, Op{2}));
  printf("%d\n", composed(6, o, [=, w = x[0]](int v) { return v + w + 5; }, Op{3}));
  printf("%d %d\n", team(5, 1, 2), team(4));
  printf("%d %d\n", bounds(3, 4), bounds());
  Base b(1, 2, 3);
  printf("%d %d %d %d\n", b.b, Base().b, b.method(2, 3, 4), b.method(2));
  printf("%d %d\n", types(1, 2), types());
  printf("%d\n", both(std::make_tuple(1, 2.0), 3, 4));
  printf("%d %d\n", outer_lambda(4, 1, 2), outer_lambda(3));
  int q[4] = {1, 1, 1, 1}; float r[4] = {};
#pragma omp target data map(tofrom : q, r)
  fill(4, q, r);
  printf("%d %g\n", q[3], r[3]);
}
