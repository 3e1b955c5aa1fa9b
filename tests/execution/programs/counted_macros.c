// Macros whose value depends on the text around them: __COUNTER__, __INCLUDE_LEVEL__.
#include <stdio.h>

int a0 = __COUNTER__;
#define UNIQ2(a,b) a##b
#define UNIQ1(a,b) UNIQ2(a,b)
#define UNIQ(x) UNIQ1(x,__COUNTER__)
#define NEXT __COUNTER__
#define SAME(x) x
#define STRING(x) #x
#define STRING_OF(x) STRING(x)
#define NEXT_BUT_ONE() (1 + __COUNTER__)
#define LOOP(n) _Pragma("omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)") \
  for (int i = 0; i < n; i++) sum += NEXT_BUT_ONE()
enum { E0 = __COUNTER__, E1, E2 = NEXT };
static const int ids[] = {__COUNTER__, 100, NEXT};
static int dev_fn(int x) { int UNIQ(v) = x, UNIQ(w) = 10; return __COUNTER__ + x; }
struct sized { char c[__COUNTER__ + 1]; enum { E3 = __COUNTER__ } e; };
int main(void) {
  int r[14] = {0};
  int h1 = __COUNTER__;
#pragma omp target map(tofrom: r)
  {
    r[0] = __COUNTER__;
    r[1] = dev_fn(100);
    r[2] = __INCLUDE_LEVEL__;
    r[3] = __COUNTER__;
    r[4] = NEXT + NEXT * 100;
    r[5] = E0; r[6] = E1; r[7] = E2; r[8] = ids[0]; r[9] = ids[2];
    r[10] = sizeof(struct sized); r[11] = E3; enum { IN = __COUNTER__ }; r[12] = IN;
    r[13] = SAME(__COUNTER__);
  }
  for (int i = 0; i < 14; i++) printf("%d ", r[i]);
  int sum = 0;
  LOOP(10);
  printf("%d %d %d %d %s %s\n", a0, h1, __COUNTER__, sum, STRING(__COUNTER__), STRING_OF(__COUNTER__));
  return 0;
}
