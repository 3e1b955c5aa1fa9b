#include <stdio.h>
int main(void) {
  int r = 0;
#pragma omp target map(from : r)
  r = sizeof 'a';
  printf("%d\n", r);
  return 0;
}
