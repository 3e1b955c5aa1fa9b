#include <stdio.h>
int base(int x) { return -x; }
#pragma omp begin declare variant match(device={kind(nohost)})
static int count = 3;
static const int W = 4, tab[3] = {1, 2, 3};
static int help(int x) { return x * W + tab[x]; }
int base(int x) { return help(x) + 1; }
#pragma omp end declare variant
int main(void) {
  int r = 0;
#pragma omp target map(tofrom: r)
  r = base(2) + W;
  printf("%d %d\n", r, base(2));
}
