// Function objects of the C++ library in device code: they are variables of the host's for nvcc.
#include <algorithm>
#include <cstdio>
#include <ranges>
namespace rv = std::views;
static int smallest(int *p, int n) {
  std::ranges::sort(p, p + n); // std::ranges::sort
  return p[0];
}
template <class R> int sum(R &&range) {
  int total = 0;
  std::ranges::for_each(range, [&](int x) { total += x; });
  return total;
}
int main() {
  int a[6] = {5, 3, 8, 1, 9, 2}, r[4] = {};
#pragma omp target map(tofrom : a, r)
  {
    r[0] = smallest(a, 6);
    r[1] = std::ranges::binary_search(a, 8);
    for (int i : rv::iota(0, 4) | std::views::transform([](int x) { return x * x; })) r[2] += i;
    r[3] = sum(a | rv::take(2));
  }
  printf("%d %d %d %d\n", r[0], r[1], r[2], r[3]);
}
