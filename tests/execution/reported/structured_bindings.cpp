#include <cstdio>
#include <utility>
int main() {
  auto [first, second] = std::pair<int, double>{4, 0.5};
  double r = 0;
#pragma omp target map(from : r)
  r = first + second;
  std::printf("%g\n", r);
}
