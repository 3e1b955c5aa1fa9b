#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#undef printf
int main(void) {
  int *a = ints(8), below = 0;
  for (int i = 0; i < 8; i++) a[i] = i - 3;
#pragma omp target teams distribute parallel for map(tofrom : a[0 : 8]) reduction(+ : below)
  for (int i = 0; i < 8; i++) {
    below += isneg(a[i]);
    a[i] = (int)sqrt((double)(a[i] * a[i])) + distance(a[i], -8);
  }
  printf("%d %d\n", below, a[0]);
  free(a);
}
