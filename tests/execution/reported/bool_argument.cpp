#include <cstdio>
template <bool DOWN> int run(int n) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = DOWN ? -n : n;
  return s;
}
int main() { std::printf("%d %d\n", run<true>(3), run<false>(4)); }
