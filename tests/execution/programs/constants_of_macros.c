/* Constants whose declarations macros write, with their values: these stand in no text of the region. */
#include <stdio.h>

#define SCALE static const double scale = 1.5
#define TABLE static const int table[] = {1, 2, 3}
#define CONSTANT(T, n, v) static const T n = v
#define NONE const int none

int main(void) {
  double a = 0;
#pragma omp target map(tofrom : a)
  {
    SCALE;
    TABLE;
    CONSTANT(float, f, 2.5f);
    a += scale + table[1] + f;
    static NONE;
    a += none;
  }
#pragma omp target teams distribute parallel for reduction(+ : a)
  for (int i = 0; i < 10; i++) {
    SCALE;
    CONSTANT(int, k, 3);
    a += scale * k;
  }
#pragma omp target map(tofrom : a)
  {
    double b = 0;
#pragma omp parallel for reduction(+ : b)
    for (int i = 0; i < 10; i++) {
      SCALE;
      CONSTANT(int, k, 3);
      b += scale * k;
    }
    a += b;
  }
  printf("%f\n", a);
  return 0;
}
