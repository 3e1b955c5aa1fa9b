#include <stdio.h>
#define THREADS 64
#define TYPE int
#define NAME addi
#define EXPR a[i] + b[i]
#define IMPL "kern.inc"
#include "driver.h"
#define TYPE double
#define NAME muld
#define EXPR a[i] * b[i]
#define IMPL "kern.inc"
#include "driver.h"
#define TYPE double
#define NAME sumd
#define IMPL "sum.inc"
#include "driver.h"
#undef THREADS
#define THREADS 32
#define STR(x) #x
#define XSTR(x) STR(x)
#define TYPE float
#define NAME sumf
#define IMPL XSTR(sum.inc)
#include "driver.h"
static int inside(int r) {
#define VALUE 3
#define IMPL "stmt.inc"
#include "driver.h"
#define IMPL "stmt2.inc"
#include "driver.h"
#undef VALUE
#define VALUE 5
#define IMPL "stmt.inc"
#include "driver.h"
  return r;
}
#define STEP "one.inc"
#define NEXT
#include "loop.h"
int main(void) {
  int a[5] = {1, 2, 3, 4, 5}, b[5] = {2, 2, 2, 2, 2}, c[5];
  double x[5] = {1, 2, 3, 4, 5}, y[5] = {2, 2, 2, 2, 2}, z[5];
  float f[5] = {.5f, .5f, 1, 1, 1};
  addi(5, a, b, c);
  muld(5, x, y, z);
  printf("%d %g %g %g %d\n", c[4], z[4], sumd(5, x), (double)sumf(5, f), inside(1));
  printf("%d %d %d\n", a1(1), b2(1), b3(1));
}
