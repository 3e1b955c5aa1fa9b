#include <cstdio>
namespace lib {
static constexpr double table[] = {1.5, 2.5, 3.5};
static int numbers[3] = {1, 2, 3};
int scale = 2;
} // namespace lib
int main() {
  double r = 0;
#pragma omp target map(from : r)
  r = lib::table[2] + lib::numbers[1] * lib::scale;
  std::printf("%g\n", r);
}
