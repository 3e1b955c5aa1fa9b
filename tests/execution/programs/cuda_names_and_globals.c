/* Variables on the device in a file with functions whose names CUDA has too. */
#include <stdio.h>

#pragma omp begin declare target
static int scale = 3;
static int clamp(int a) { return a > 10 ? 10 : a * scale; }
#pragma omp end declare target

int main(void) {
  int r = 0;
  scale = 4;
#pragma omp target update to(scale)
#pragma omp target map(from : r)
  {
    r = clamp(2);
    scale++;
  }
#pragma omp target update from(scale)
  printf("%d %d\n", r, scale);
  return 0;
}
