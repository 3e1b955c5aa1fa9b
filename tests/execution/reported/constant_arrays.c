#include <stdio.h>
static const int primes[5] = {2, 3, 5, 7, 11};
int main(void) {
  static const int steps[3] = {4, 5, 6};
  const int local[2] = {8, 9};
  int r = 0;
#pragma omp target map(from : r)
  r = primes[3] + steps[2] + local[1];
  printf("%d\n", r);
  return 0;
}
