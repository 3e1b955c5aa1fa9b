// std::hypot of three numbers, of one type and of several, in templates, methods and functions that regions call.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <type_traits>

using std::hypot;

template <class T> struct Point {
  T x, y, z;
  T norm() const { return std::hypot(x, y, z); }
};

struct Own {
  double hypot(int, int, int) const { return 1; }
};

template <class T> void lengths(T *x, int n) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
  for (int i = 0; i < n; i++) x[i] = std::hypot(x[i], T(i), T(2)) + Point<T>{1, 2, T(i)}.norm();
}

static double nested(double a) {
  return hypot(a, std::hypot(a, 2., 3.), std::max(1., std::hypot(1, a, 2.f))) + Own{}.hypot(1, 2, 3) + std::hypot(a, 2);
}

int main() {
  double d[10] = {};
  float e[10] = {}, g[10];
  lengths(d, 10);
  lengths(e, 10);
#pragma omp target teams distribute parallel for map(tofrom : d) map(from : g)
  for (int i = 0; i < 10; i++) {
    d[i] += nested(i);
    auto length = std::hypot(1.f, 2.f, float(i));
    static_assert(std::is_same<decltype(length), float>::value, "floats have a float");
    g[i] = length;
  }
  for (int i = 0; i < 10; i++) printf("%.6g %.4g %.4g\n", d[i], e[i], g[i]);
}
