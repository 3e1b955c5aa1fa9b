#include <stdio.h>
#define FOREACH(i, n) for (int i = 0; i < (n); i++)
int main(void) {
  int a[10] = {0};
#pragma omp target teams distribute parallel for map(tofrom : a)
  FOREACH(i, 10) a[i] = i;
  printf("%d\n", a[9]);
  return 0;
}
