#include <stdio.h>
static int old(x) int x; { return x //* divide */ 2
    ; }
int main(void) {
  int r[4] = {0}, a = 8;
#pragma omp target map(tofrom: r, a)
  { r[0] = a //* half */ 2
      ; r[1] = old(9); }
  printf("%d %d\n", r[0], r[1]);
  return 0;
}
