#include <cstdio>
namespace lib {
template <typename T> struct Pair {
  T a, b;
};
template <typename T> using P = Pair<T>;
} // namespace lib
int main() {
  lib::P<int> p{1, 2};
#pragma omp target map(tofrom : p)
  p.a += p.b;
  std::printf("%d\n", p.a);
}
