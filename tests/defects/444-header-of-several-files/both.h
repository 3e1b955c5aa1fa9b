#include <stdio.h>
static int add(int x, int y) {
  int r = 0;
#pragma omp target map(tofrom: r)
  r += USED;
  return r;
}
int of_first(void), of_second(void);
