/* Macros that make several functions and variables of device code, in C. */
#include <stdio.h>
static int on_host(int x) { return fprintf(stderr, "%s", "") + x; }
#define TWO(N)                                \
  static int N##_one(int x) { return x + 1; } \
  static int N##_two(int x) { return on_host(x) + 2; } \
  int N##_three = 3;
TWO(f)
#define PAIR(T, N) typedef struct { T a, b; } N; static T N##_sum(N p) { return p.a + p.b; } static N N##_of(T a, T b) { N p = {a, b}; return p; }
PAIR(int, ints)
PAIR(double, doubles)
#pragma omp declare target
#define GLOBALS(N) int N##_first = 5, N##_second = 6; int N##_sum(void) { return N##_first + N##_second; }
GLOBALS(global)
#pragma omp end declare target

int main(void) {
  int n = 1;
  double x = 0;
#pragma omp target map(tofrom : n, x)
  {
    n = f_one(n) + ints_sum(ints_of(3, 4)) + global_sum() * global_second;
    x = doubles_sum(doubles_of(1.5, 2));
  }
  printf("%d %g %d\n", n, x, f_two(f_three));
  return 0;
}
