// A pointer written with parentheses that it does not need; the kernel's parameter has none.
#include <stdio.h>

static int sum(int n, int *given) {
  int(*values) = given, total = 0;
#pragma omp target map(to : values[0 : n]) map(tofrom : total)
  for (int i = 0; i < n; i++) total += values[i];
  return total;
}

int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  printf("%d\n", sum(5, a));
  return 0;
}
