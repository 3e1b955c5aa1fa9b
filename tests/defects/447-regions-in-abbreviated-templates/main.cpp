#include <cstdio>
#include <utility>
int total(int n, auto f) { int r = 0;
#pragma omp target teams distribute parallel for reduction(+ : r)
  for (int i = 0; i < n; i++) r += f(i);
  return r; }
template <class T> T mixed(T a, const auto &b, auto &&...c) { T r = a;
#pragma omp target map(tofrom : r)
  r += b + (c + ... + 0);
  return r; }
struct S { int k; int run(auto n) const { int r = 0;
#pragma omp target map(tofrom : r)
  r = k * n;
  return r; } };
int main() {
  int k = 3;
  printf("%d ", total(5, [=](int i) { return i * k; }));
  printf("%d %g ", mixed(1, 2.5, 3, 4), mixed(1.5, 2));
  printf("%d %d\n", S{3}.run(4), S{2}.run(1.5));
}
