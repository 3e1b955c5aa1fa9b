// The width of a parallel, named with its scope, where parallels differ in width.
#include <cstdio>
namespace ns { int x = 3; }
int main() {
  int a[16] = {};
#pragma omp target teams num_teams(1) map(tofrom : a)
  {
    int m = 1;
#pragma omp parallel num_threads(4)
#pragma omp masked
    a[1] = m;
#pragma omp parallel for num_threads(ns::x) if(parallel : ns::x > 2)
    for (int i = 0; i < 5; i++) a[i] += m;
  }
  printf("%d %d %d\n", a[0], a[1], a[2]);
}
