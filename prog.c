#include <stdio.h>
#include "scale.h"
int main(void) {
  double x[100];
  for (int i = 0; i < 100; i++) x[i] = i;
  scale(x, 100);
  printf("%g %g\n", x[1], x[99]);
  return 0;
}
