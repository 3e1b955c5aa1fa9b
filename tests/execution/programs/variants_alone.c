// Functions of which there are only variants, between 'begin declare variant' and its end.
#include <stdio.h>

#pragma omp begin declare variant match(device = {kind(host)})
static int where(int x, /* a comment */
                 int y) { // and one more
  return x + y;
}
long both(void) { return 1; }
#pragma omp end declare variant
#ifdef _OPENMP
#pragma omp begin declare variant match(device = {kind(nohost)})
static int where(int x, int y) { return x + y; }
long both(void) { return 1; }
static inline double half(double x) { return x / 2; }
#pragma omp end declare variant
#endif
#pragma omp begin declare variant match(device = {kind(host)})
static inline double half(double x) { return x * 0.5; }
#pragma omp end declare variant

int main(void) {
  int inside = 0;
  double halves = half(3);
#pragma omp target map(tofrom : inside, halves)
  {
    inside = where(2, 3) + (int)both();
    halves += half(5);
  }
  printf("%d %d %g\n", where(1, 2) + (int)both(), inside, halves);
}
