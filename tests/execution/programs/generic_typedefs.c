/* Associations of _Generic that are named by typedefs: of the file, of a header, of a block, of pointers and structures. */
#include <stdint.h>
#include <stdio.h>
typedef double real;
typedef struct { int a; } shape;
typedef char *text;
#define KIND(x) _Generic((x), uint32_t: 1, int64_t: 2, real: 3, shape: 4, text: 5, const real *: 6, uint8_t: 7, default: 9)
int main(void) {
  int kinds[9], local = 0;
  typedef float small;
#pragma omp target map(from : kinds) map(tofrom : local)
  {
    typedef short tiny;
    uint32_t u = 1;
    const double d = 2;
    shape s = {3};
    kinds[0] = KIND(u), kinds[1] = KIND((int64_t)u), kinds[2] = KIND(d), kinds[3] = KIND(s), kinds[4] = KIND((text)0);
    kinds[5] = KIND(&d), kinds[6] = KIND((unsigned char)1), kinds[7] = KIND(1.0f), kinds[8] = KIND(1);
    local = _Generic(1.0f, real: 1, small: 2, default: 3) * 10 + _Generic((tiny)1, int: 1, tiny: 2);
  }
  for (int i = 0; i < 9; i++) printf("%d ", kinds[i]);
  printf("%d\n", local);
  return 0;
}
