#include <cstdio>

template <class F> long run(int n, F f) {
  long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
namespace app {
enum class Color { Red = 1, Blue = 7 };
enum class Other { Red = 100 };
namespace deep {
enum Plain { Few = 2 };
}
long go() {
  using enum Color;
  using enum deep::Plain;
  long first = run(10, [](int i) { return static_cast<int>(i % 2 ? Red : Blue) + Few; });
  {
    using enum Other;
    first += run(2, [](int i) { return i + static_cast<int>(app::Other::Red); });
  }
  return first;
}
}  // namespace app

int main() {
  std::printf("%ld\n", app::go());
}
