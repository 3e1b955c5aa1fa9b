// Range-based loops over numbers of std::views::iota.
#include <cstdio>
#include <ranges>
int main() {
  int total = 0, n = 20; long big = 0; auto r = std::views::iota(3, n); const std::ranges::iota_view<long, long> s{0L, n * 3L}; auto outer = std::views::iota(0u, 7u), inner = std::views::iota(2u, 5u);
#pragma omp target teams distribute parallel for reduction(+: total)
  for (int i : r) total += i * i;
#pragma omp target teams distribute parallel for reduction(+: big)
  for (auto i : s) big += i * i;
#pragma omp target teams distribute parallel for collapse(2) reduction(+: big)
  for (auto i : outer) for (const auto j : inner) big += i * j;
  printf("%d %ld\n", total, big);
}
