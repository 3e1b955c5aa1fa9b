// Lambdas: regions inside of them, and lambdas from outside that regions call.
#include <cstdio>
template <class F> double twice(F f, double x) { return f(f(x)); }
static void from_outside() {
  int n = 6; double a[6] = {1,2,3,4,5,6}, *p = a; int k = 0; k = 3;
  auto h = [](double x) { return x + 1; };
  auto g = [=](double x) { return h(x) * 2; };
  auto put = [&](int i, double v) { p[i] = v; };
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (int i = 0; i < n; i++) put(i, twice(g, p[i]));
  std::printf("%g %g %d\n", a[0], a[5], k);

}
static void inside() {
  double a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int n = 8;
  double add = 0.5;
  auto scale = [&](int m) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : m])
    for (int i = 0; i < m; i++) a[i] *= 2;
  };
  scale(n);
  auto sum = [=]() {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
    for (int i = 0; i < n; i++) s += a[i] + add;
    return s;
  };
  std::printf("inside: %g\n", sum());
}
int main() {
  from_outside();
  inside();
  return 0;
}
