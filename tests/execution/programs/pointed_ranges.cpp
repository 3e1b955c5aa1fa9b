// Range-based loops over what a pointer points to.
#include <cstdio>
#include <array>
int main() {
  std::array<int, 4> a{1, 2, 3, 4}; auto *p = &a; int s = 0; int raw[3] = {1, 2, 3}; int (*q)[3] = &raw;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a)
  for (int x : a) s += x;
#pragma omp target map(to : p[0 : 1]) map(tofrom : s)
  for (int x : *p) s += x;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0 : 1])
  for (int x : *p) s += x;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : q[0 : 1])
  for (int x : *q) s += x;
  printf("%d\n", s);
}
