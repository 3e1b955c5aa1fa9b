// Regions in friends that are defined in class templates: they have the parameters and names of the class.
#include <cstdio>
#include <type_traits>
namespace ns {
template <typename T, int N> class Row {
  T v[N];
  static constexpr int width = N;
  static constexpr T weights[2] = {T(1), T(2)};
  using value = T;
  struct Part { T p; };
  enum { twice = 2 * N };
  T scaled(T k) const { return v[0] * k; }
public:
  explicit Row(T start) { for (int i = 0; i < width; i++) v[i] = start + i; }
  friend T total(const Row &r) {
    value s = 0;
#pragma omp target teams distribute parallel for map(to: r) reduction(+: s)
    for (int i = 0; i < width; i++) { Part part = {r.v[i]}; s += part.p * weights[i & 1] + twice + r.scaled(1); }
    return s;
  }
  friend auto operator*(Row r, T k) -> Row {
#pragma omp target teams distribute parallel for map(tofrom: r)
    for (int i = 0; i < N; i++) r.v[i] *= k;
    return r;
  }
  template <typename... U> friend T added(const Row &r, U... u) {
    T s = 0;
#pragma omp target map(to: r) map(tofrom: s)
    s = r.v[1] + (T(u) + ... + T(0));
    return s;
  }
  template <typename U, int M> friend auto mixed(const Row &r, const Row<U, M> &o);
  friend T folded(const Row &r, T (*)(T)) { T s = 0; auto f = [](T a) { return a + width; };
#pragma omp target map(to: r) map(tofrom: s)
    for (int i = 0; i < N; i++) s += f(r.v[i]);
    return s; }
};
template <typename T> class Row<T *, 1> {
  T *p;
public:
  Row(T *p) : p(p) {}
  friend void raise(Row r, int n) { T *q = r.p;
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
    for (int i = 0; i < n; i++) q[i] += sizeof(T);
  }
};
template <typename T> struct Outer { struct Inner { T x; friend T get(Inner in) { T r = 0;
#pragma omp target map(tofrom: r)
    r = in.x + T(0.5);
    return r; } }; };
}
// Friends that have to be declared before the class, of which no region calls any.
template <typename T> class Span;
template <typename T> Span<T> operator*(T, const Span<T> &);
template <typename T> T product(const Span<T> &, const Span<T> &);
namespace far { template <typename T> T look(const Span<T> &); int plain(const Span<int> &); }
template <typename T> class Span {
  T x, y;
public:
  Span(T a, T b) : x(a), y(b) {}
  T sum() const { return x + y; }
  friend Span operator*<>(T, const Span &);
  friend T product<T>(const Span &, const Span &);
  friend T far::look<>(const Span &); friend int far::plain(const Span<int> &);
};
template <typename T> Span<T> operator*(T k, const Span<T> &v) { return {k * v.x, k * v.y}; }
template <typename T> T product(const Span<T> &a, const Span<T> &b) { return a.x * b.x + a.y * b.y; }
template <typename T> T far::look(const Span<T> &s) { return s.x; }
int far::plain(const Span<int> &s) { return s.y; }

// A class of which kernels name private members, with a friend that is declared in front of a body.
template <typename T> class Closed {
  T *p;
  static constexpr T zero{};
  enum { two = 2 };
public:
  template <typename> friend struct Inspector;
  explicit Closed(T *p) : p(p) {}
  void raise(T by) {
    T *q = p;
#pragma omp target teams distribute parallel for map(tofrom: q[0:2])
    for (int i = 0; i < 2; i++) q[i] += by + zero + two;
  }
};

int main() {
  int closed[2] = {1, 2};
  Closed<int>(closed).raise(3);
  printf("%d %d ", closed[0], closed[1]);
  int spans[2] = {0, 0};
#pragma omp target map(tofrom: spans)
  { Span<int> s(1, 2); spans[0] = s.sum(); }
  Span<int> span(3, 4);
  printf("%d %d %d ", spans[0], product(span, 2 * span), far::look(span) + far::plain(span));
  ns::Row<double, 4> a(1); ns::Row<int, 3> b(2);
  printf("%g %d ", total(a * 2.), total(b * 3));
  printf("%g %d %g ", added(a, 1, 2.5f), added(b, 4), added(a));
  printf("%g %d ", folded(a, nullptr), folded(b, nullptr));
  double d[3] = {1, 2, 3}; short s[2] = {5, 6};
  raise(ns::Row<double *, 1>(d), 3); raise(ns::Row<short *, 1>(s), 2);
  printf("%g %d ", d[2], s[1]);
  printf("%g %d\n", get(ns::Outer<double>::Inner{2}), get(ns::Outer<int>::Inner{3}));
}
