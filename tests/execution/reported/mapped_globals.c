/* A variable of 'declare target' that one kernel maps and another one just uses. */
#include <stdio.h>

float v[3][8];
double g;
#pragma omp declare target enter(v, g)

int main(void) {
  float x = 0;
  double seen = 0;
  v[0][1] = 4;
  g = 5;
#pragma omp target update to(v, g)
  g = 6;
#pragma omp target map(alloc : v[0][1 : 7]) map(tofrom : x)
  x = v[0][1] + v[2][6];
#pragma omp target map(tofrom : x)
  x += v[0][1];
#pragma omp target map(tofrom : g) map(from : seen)
  seen = g > 4 ? 1 : 0;
  printf("%g %g %g %g\n", x, v[0][1], g, seen);
  return 0;
}
