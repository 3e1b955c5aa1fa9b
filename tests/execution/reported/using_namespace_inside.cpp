#include <cstdio>
namespace shapes {
constexpr int SIDES = 4;
inline int area(int a) { return a * a; }
} // namespace shapes
int main() {
  using namespace shapes;
  int r = 0;
#pragma omp target map(from : r)
  r = area(SIDES);
  std::printf("%d\n", r);
}
