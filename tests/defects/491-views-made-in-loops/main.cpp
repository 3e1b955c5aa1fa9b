// Range-based loops over views that are made where the loop stands.
#include <cstdio>
#include <ranges>
#include <span>
struct S { int lo, hi; };
template <class T> T tsum(const T *p, T n) { T s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
  for (T i : std::views::iota(T(0), n)) s += p[i];
  return s; }
#include "total.h"
int main() { int p[5] = {1, 2, 3, 4, 5}; int s = 0; long m = 5; unsigned u = 4; S q{1, 4}; int *pp = p; int n = 5;
#pragma omp target teams distribute parallel for reduction(+: s)
  for (auto i : std::views::iota(0, n)) s += p[i];
#pragma omp target teams distribute parallel for reduction(+: s)
  for (auto i : std::ranges::iota_view{0L, m}) s += p[i];
#pragma omp target teams distribute parallel for reduction(+: s)
  for (const auto i : std::views::iota(0u, u)) s += p[i];
#pragma omp target teams distribute parallel for reduction(+: s)
  for (int i : std::views::iota(q.lo, q.hi - 1)) s += p[i];
#pragma omp target parallel for reduction(+: s) map(to: pp[0:n])
  for (int v : std::span(pp, n)) s += v;
#pragma omp target parallel for collapse(2) reduction(+: s) 
  for (int i : std::views::iota(0, n)) for (int k : std::views::iota(0, 3)) s += i * k;
#pragma omp target teams distribute reduction(+: s)
  for (int i : std::views::iota(0, n)) {
#pragma omp parallel for reduction(+: s)
   for (int k : std::views::iota(i, n)) s += i * k; }
  long t = tsum<long>(new long[3]{1, 2, 3}, 3);
  printf("%d %ld %d\n", s, t, total(p, 5)); }
