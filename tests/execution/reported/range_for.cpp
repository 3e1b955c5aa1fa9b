#include <cstdio>
int main() {
  int r = 0, a[3] = {1, 2, 3};
#pragma omp target map(tofrom : r) map(to : a)
  for (int x : a) r += x;
  std::printf("%d\n", r);
}
