#include <cstdio>

namespace deep {
enum class Color { RED = 3, BLUE = 4, GREEN = 5 };
}
namespace names {
using enum deep::Color;
}
struct Shades {
  using enum deep::Color;
  static int sum() { return (int)RED + (int)BLUE; }
};

int main() {
  using enum deep::Color;
  int r = 0;
  auto f = [](int i) { return i * (int)GREEN; };
#pragma omp target map(tofrom : r)
  {
    r += (int)BLUE + Shades::sum() + (int)names::RED + f(2);
    using enum deep::Color;
    r += (int)RED;
  }
  printf("%d\n", r);
}
