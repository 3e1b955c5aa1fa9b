// A lambda that a template with a region gets inside of another one, and that a lambda of a region has captured, too: what
// its pointers lead to is the device's in both.
#include <cstdio>
template <class F> void over(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
template <class T> T sums(T *p, int n) {
  T two = T(2), s = T(), t = T();
  auto twice = [=](int i) { return p[i] * two; };
  auto more = [=](int i) -> T {
    T a = twice(i);
    return a + T(1);
  };
  const auto &same = twice;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0 : n]) map(tofrom : s)
  for (int i = 0; i < n; i++) s += more(i);
  over(n, [=](int i) { p[i] = twice(i); });
#pragma omp target teams distribute parallel for reduction(+ : t) map(tofrom : t)
  for (int i = 0; i < n; i++) t += twice(i) + same(i);
  return s + T(3) * t;
}
int main() {
  static double d[100];
  static int e[100];
  for (int i = 0; i < 100; i++) d[i] = i, e[i] = 100 - i;
#pragma omp target data map(tofrom : d, e)
  {
    double a = sums(d, 100);
    int b = sums(e, 100);
    printf("%g %d\n", a, b);
  }
  printf("%g %d\n", d[99], e[3]);
}
