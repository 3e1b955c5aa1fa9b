/* Functions by names of the C++ library's, which has them for arguments of any type. */
#include <stdio.h>

static int isnormal(int state) { return state == 3; }
static int isless(int a, int b) { return 10 * a < b; }

int main(void) {
  int normal = 0, less = 0;
  unsigned char state = 3;
  long two = 2;
#pragma omp target map(from : normal, less)
  {
    normal = 10 * isnormal(state);
    state++;
    normal += isnormal(state);
    less = isless(two, 4L);
  }
  printf("%d %d\n", normal, less);
  return 0;
}
