/* Global variables whose types are defined in their own declarations. */
#include <stdio.h>

#pragma omp declare target
static struct pair {
  int a, b;
} pairs[2], *none;
enum count { ONE = 1, TWO } number = TWO;
#pragma omp end declare target

int main(void) {
  int x = 0;
#pragma omp target map(tofrom : x)
  {
    pairs[1].a = 4;
    x = pairs[1].a + number + (none == 0);
  }
  printf("%d\n", x);
  return 0;
}
