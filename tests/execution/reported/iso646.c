#include <iso646.h>
#include <stdbool.h>
#include <stdio.h>
int main(void) {
  int n = 0, class = 3;
#pragma omp target map(tofrom : n)
  for (int i = 0; i < 100; i++) {
    bool odd = i % 2 ? true : false;
    if (odd and i > 10 or not i) n += i bitand class;
  }
  printf("%d\n", n);
  return 0;
}
