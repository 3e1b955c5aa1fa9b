/* C as it was before C99: functions and parameters without types. */
#include <stdio.h>

#pragma omp declare target
static inline twice(v) { return 2 * v; }
static sum(a, p, b) double *p; { return a + b + (int)p[0]; }
static mixed(a, c, b) char c; { return a - c * b; }
static const seven = 7;
#pragma omp end declare target

main()
{
  int r = 0, i;
  double d[1] = {2};
#pragma omp target map(tofrom : r, d)
  {
    static count;
    register z = 3;
    auto w = 4;
    const q = 5;
    r = twice(21) + sum(1, d, 5) + mixed(9, 2, 3) + seven + z + w + q + ++count;
  }
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
  for (i = 0; i < 10; i++) r += twice(i);
  printf("%d\n", r);
  return 0;
}
