#include <stdio.h>
typedef double v4 __attribute__((vector_size(32)));
static char shifts[16][40];
int main(void) {
  v4 last = {0};
  for (int rep = 0; rep < 16; rep++) {
#pragma omp target enter data map(alloc: shifts[rep])
    v4 a[5], b = {1, 2, 3, 4};
    for (int i = 0; i < 5; i++) a[i] = b * i;
#pragma omp target map(tofrom: a) map(to: b)
    for (int i = 1; i < 5; i++) a[i] += b * a[i - 1];
    last = a[4];
  }
  printf("%g %g %g %g\n", last[0], last[1], last[2], last[3]);
}
