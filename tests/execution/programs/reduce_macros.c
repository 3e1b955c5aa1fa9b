/* Reductions declared and used through macros and _Pragma. */
#include <stdio.h>

#define TEXT(x) #x
#define PRAGMA(x) _Pragma(TEXT(x))
#define REDUCE(v) PRAGMA(omp target teams distribute parallel for reduction(both : v))

struct pair { int a, b; };
PRAGMA(omp declare reduction(both : struct pair : omp_out.a += omp_in.a, omp_out.b *= omp_in.b)                          \
       initializer(omp_priv = {0, 1}))

int main(void) {
  struct pair x = {1, 2};
  REDUCE(x)
  for (int i = 0; i < 10; i++) {
    x.a += i;
    if (i == 3) x.b *= 5;
  }
  _Pragma("omp declare reduction(other : int : omp_out += omp_in)")
  int s = 3;
  _Pragma("omp target parallel for reduction(other : s)")
  for (int i = 0; i < 10; i++) s += i;
  printf("%d %d %d\n", x.a, x.b, s);
  return 0;
}
