#include <stdio.h>
#include <sysfun.h>
int main(void) {
  int r = 0;
#pragma omp target map(tofrom: r)
  r = sysfun(5);
  printf("%d\n", r);
}
