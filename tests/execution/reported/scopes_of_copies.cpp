// The host version's own copies of variables that the user names with a scope.
#include <cstdio>

namespace ns {
int x = 3;
int v[4] = {1, 2, 3, 4};
}
struct box {
  static int count;
};
int box::count = 9;

int main() {
  int a[16] = {};
#pragma omp target firstprivate(ns::v)
  {
    a[2] = ns::x++;
    ns::v[1] += box::count++;
    a[3] = ns::x + ns::v[1] + box::count;
  }
  printf("%d %d\n", a[2], a[3]);
}
