#include <cstdio>
template <typename T> constexpr T two = T(2);
int main() {
  int r = 0;
#pragma omp target map(from : r)
  r = two<int>;
  std::printf("%d\n", r);
}
