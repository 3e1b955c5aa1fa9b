#include <stdio.h>
#define N 3
int main(void) {
  int r = 0;
#pragma omp target map(tofrom : r)
  {
#ifdef NOT_DEFINED
    r = 1;
#elif defined(N)
    r = N;
#endif
  }
  printf("%d\n", r);
  return 0;
}
