#include <cstdio>
namespace lib {
struct Config {
  static const int width = 5;
};
} // namespace lib
int main() {
  using lib::Config;
  int r = 0;
#pragma omp target map(from : r)
  r = Config::width;
  std::printf("%d\n", r);
}
