// Variables of files whose declarations end in the argument of a macro, and constants without a value in C.
#include <stdio.h>
#define REAL(x) x
#define VALUE(x) = x
#define DECLARED(t, n) static const t n
#define ARRAY(t, n) static t n[3]
#pragma omp declare target
static const double real = REAL(2.5);
static const int first VALUE(7), second VALUE(3);
static int changed VALUE(8);
DECLARED(double, given) = 1.5;
DECLARED(double, bare);
ARRAY(int, list);
static _Alignas(16) int aligned VALUE(REAL(4));
static const int commented /* = */;
const struct S { int x; const int y; } both;
#pragma omp end declare target
int main(void) {
  double r = 0;
#pragma omp target map(tofrom : r)
  {
    DECLARED(int, here);
    changed++;
    r += real + first + second + changed + given + bare + list[1] + aligned + commented + both.y + here;
  }
  printf("%f\n", r);
}
