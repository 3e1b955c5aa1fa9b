#include <ranges>
inline int total(const int *p, int n) {
  int s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
  for (auto i : std::views::iota(0, n)) s += p[i];
  return s;
}
