/* Metadirectives and variants in templates, lambdas, attributes and macros. */
#include <cstdio>
#include <vector>
#include <omp.h>
#define META _Pragma("omp metadirective when(device={kind(nohost)}: nothing) otherwise(target teams distribute parallel for map(tofrom: p[0:n]))")
template <class T> struct Box {
  T v;
  void scale(T *p, int n) {
    META
    for (int i = 0; i < n; i++) p[i] *= v;
  }
};
inline int clamp(int x) { return x < 0 ? 0 : x; }
int clamp_device(int x);
[[omp::directive(declare variant(clamp_device), match(device={kind(nohost)}))]]
int limit(int x) { return clamp(x); }
int clamp_device(int x) { return x < 0 ? 0 : x; }
int main() {
  int a[10]; double d[10]; int n = 10, k = 2;
  for (int i = 0; i < n; i++) { a[i] = i - 5; d[i] = i; }
  Box<int>{3}.scale(a, n);
  Box<double>{0.5}.scale(d, n);
  [[omp::directive(metadirective when(user={condition(k > 1)}: target map(tofrom: a)) otherwise(parallel for))]]
  for (int i = 0; i < n; i++) a[i] = limit(a[i]);
  auto f = [&](int x) {
#pragma omp metadirective when(user={condition(x > 3)}: target map(tofrom: k)) otherwise(nothing)
    {
#pragma omp metadirective when(user={condition(x > 4)}: parallel) otherwise(nothing)
#pragma omp single
      k += x;
    }
    return k;
  };
  std::vector<int> r{f(1), f(4), f(5)};
  for (int v : r) printf("%d ", v);
  for (int i = 0; i < n; i++) printf("%d %g ", a[i], d[i]);
  printf("%d\n", __LINE__);
}
