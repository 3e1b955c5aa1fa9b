#include <stdio.h>
int main(void) {
  int a[100] = {0}, s = 0;
#pragma omp target parallel map(tofrom : a)
#pragma omp for
  for (int i = 0; i < 100; i++) a[i]++;
  for (int i = 0; i < 100; i++) s += a[i];
  printf("%d\n", s);
  return 0;
}
