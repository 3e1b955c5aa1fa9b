#include "more.h"
#include <stdio.h>
#include <string.h>
int main(void) {
  int r = 1;
#pragma omp target map(tofrom : r)
  r = more(r);
  printf("%d %zu\n", r, strlen("abc"));
}
