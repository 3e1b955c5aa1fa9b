/* Statements of regions that macros make: calls through pointers, conditional last values, atomic updates. */
#include <stdio.h>
#define CALL(f, x) f(x)
#define SET s = i
#define ADD(x, e) x += e
#define IS ==
static int twice(int x) { return 2 * x; }
#pragma omp declare target enter(twice) indirect
int main(void) {
  int (*g)(int) = twice;
  int r = 0, s = -1, n = 10, sum = 0, once = 3;
#pragma omp target map(from : r)
  r = CALL(g, 3);
#pragma omp target parallel for lastprivate(conditional : s)
  for (int i = 0; i < n; i++)
    if (i % 4 == 1) SET;
#pragma omp target teams distribute parallel for map(tofrom : sum, once)
  for (int i = 0; i < 100; i++) {
#pragma omp atomic
    ADD(sum, i);
#pragma omp atomic compare
    if (once IS 3) { once = 9; }
  }
  printf("%d %d %d %d\n", r, s, sum, once);
  return 0;
}
