#include <cstdio>
template <typename F> int apply(F f) {
  int r = 0;
#pragma omp target map(from : r)
  r = f(20);
  return r;
}
struct Doubled {
  int extra;
  int operator()(int x) const { return x + x + extra; }
};
int main() { std::printf("%d\n", apply(Doubled{2})); }
