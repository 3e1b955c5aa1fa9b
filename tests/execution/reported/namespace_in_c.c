#include <stdio.h>
int main(void) {
  int namespace = 3, r = 0;
#pragma omp target map(from : r)
  {
    struct {
      int x;
    } unnamed = {4};
    r = unnamed.x + namespace;
  }
  printf("%d\n", r);
  return 0;
}
