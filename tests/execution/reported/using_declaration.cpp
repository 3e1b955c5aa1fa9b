#include <cstdio>
namespace shapes {
struct Vec {
  float x;
};
inline int three() { return 3; }
} // namespace shapes
using shapes::three;
using shapes::Vec;
int main() {
  Vec v{1};
#pragma omp target map(tofrom : v)
  v.x += three();
  std::printf("%g\n", v.x);
}
