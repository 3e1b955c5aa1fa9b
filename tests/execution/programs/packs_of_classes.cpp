// Functions of class templates whose parameters are packs of the class's: its own members, and templates in it.
#include <cstdio>
struct view {
  double *p;
  long step;
  double &operator[](long i) const { return p[i * step]; }
};
template <class... V> struct zipped {
  template <class F> static double run(int n, F f, V... v) {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += f(i, v...);
    return s;
  }
  static int total(V... v) {
    int s = 0;
#pragma omp target map(tofrom : s)
    s += (0 + ... + int(v));
    return s;
  }
  template <class... W> struct with {
    static double both(V... v, W... w) {
      double r = 0;
#pragma omp target map(tofrom : r)
      r = (0 + ... + v) * (1 * ... * w);
      return r;
    }
  };
};
template <class F, class... V> double each(int n, F f, V... v) { return zipped<V...>::run(n, f, v...); }
int main() {
  std::printf("%g\n", zipped<double, int>::run(3, [](int i, double a, int b) { return i * a + b; }, 1.5, 2));
  std::printf("%d %d\n", zipped<double, int, char>::total(1.5, 2, 3), zipped<>::total());
  std::printf("%g\n", zipped<double, int>::with<float, long>::both(1.5, 2, 2.5f, 4));
  double a[20], b[20];
  for (int i = 0; i < 20; i++) a[i] = i, b[i] = 2 * i;
#pragma omp target data map(to : a, b) use_device_addr(a, b)
  {
    view even = {a, 2}, all = {b, 1};
    std::printf("%g\n", each(10, [](int i, view x, view y) { return x[i] * y[i]; }, even, all));
  }
}
