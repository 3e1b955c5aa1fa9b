/* Functions of the device with blocks that declare what stands further down, and nowhere before. */
#include <stdio.h>
#pragma omp declare target
int before = 1;
static int f(int x) { extern int before; { extern int later; int x = 2; { extern int before; x += before; } x += later; return x + before; } }
static int g(void) { extern int helper(int); int k = 1; { int helper(int), other(int); k += other(helper(2)); } return helper(3) + k; }
static int h(int x)
{
  extern int table[3], late_global;
  extern double ratio;
  for (int i = 0; i < 3; i++) { extern int last(int); x += last(table[i]); }
  return x + (int)ratio + late_global;
}
int later = 5, late_global = 7;
double ratio = 2.5;
int table[3] = {1, 2, 3};
int last(int k) { return k + 1; }
int helper(int k) { return k * later; }
int other(int k) { return k - 1; }
#pragma omp end declare target
int main(void) { int r = 0;
#pragma omp target map(tofrom: r)
  { int third(int); r = f(1) + g() * 100 + h(2) + third(7); }
  printf("%d\n", r); return 0; }
#pragma omp declare target
int third(int k) { return k / 3; }
#pragma omp end declare target
