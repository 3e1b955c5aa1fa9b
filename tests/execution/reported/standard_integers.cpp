#include <algorithm>
#include <cstdint>
#include <cstdio>
int main() {
  std::int64_t s = 0;
  std::uint8_t small = 200;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (std::int64_t i = 0; i < 10; i++) s += i * small;
  std::printf("%d\n", (int)s);
}
