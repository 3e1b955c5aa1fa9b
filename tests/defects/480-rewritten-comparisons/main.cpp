// Loops over iterators whose comparisons C++20 makes of <=> and ==.
#include <cstdio>
#include <compare>
#include <cstddef>
#include <iterator>
template <class T> struct It {
  using value_type = T; using difference_type = std::ptrdiff_t; using reference = T &; using pointer = T *; using iterator_category = std::random_access_iterator_tag;
  T *p;
  T &operator*() const { return *p; } T &operator[](std::ptrdiff_t n) const { return p[n]; }
  It &operator++() { ++p; return *this; } It &operator--() { --p; return *this; }
  It &operator+=(std::ptrdiff_t n) { p += n; return *this; } It &operator-=(std::ptrdiff_t n) { p -= n; return *this; }
  friend It operator+(It a, std::ptrdiff_t n) { return {a.p + n}; } friend It operator+(std::ptrdiff_t n, It a) { return {a.p + n}; } friend It operator-(It a, std::ptrdiff_t n) { return {a.p - n}; }
  friend std::ptrdiff_t operator-(It a, It b) { return a.p - b.p; }
  friend auto operator<=>(const It &, const It &) = default;
};
struct Range { It<double> b, e; It<double> begin() const { return b; } It<double> end() const { return e; } };
int main() {
  double v[40]; for (int i = 0; i < 40; i++) v[i] = i;
  double s = 0, t = 0, u = 0, w = 0;
#pragma omp target map(tofrom: v, s, t, u, w)
  {
    It<double> b{v}, e{v + 40};
#pragma omp parallel for reduction(+: s)
    for (It<double> i = b; i < e; ++i) s += *i;
#pragma omp parallel for reduction(+: t)
    for (It<double> i = b + 3; i != e; ++i) t += *i;
#pragma omp parallel for reduction(+: u)
    for (It<double> i = e - 1; b <= i; i -= 2) u += *i;
    Range r{b, e};
#pragma omp parallel for reduction(+: w)
    for (double x : r) w += x * 2;
  }
  printf("%g %g %g %g\n", s, t, u, w);
  s = 0;
  It<double> hb{v}, he{v + 40};
#pragma omp parallel for reduction(+: s)
  for (auto i = hb; i < he; ++i) s += *i;
  printf("%g\n", s);
}
