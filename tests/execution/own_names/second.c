#include <stdio.h>
#include "shared.h"
struct pair { double a; };
#pragma omp declare target
static int counter = 100;
static const int steps[2] = {10, 20};
static double of_pair(struct pair p) { return p.a + steps[0]; }
static int step(int d) { static int total = 50; total += 10 * d; return total; }
int second(int x) { counter += 10; return x + counter + of_table(2) + step(1); }
static int of_mapped(int i) { return mapped[i]; }
#pragma omp end declare target
static int outside(int x) { return x + 1000; }
void use_second(void) {
  int r = 0;
  double all = 0;
  struct pair p = {0.5};
#pragma omp target map(r) firstprivate(p) map(mapped)
  r = first(2) + second(2) + third(2) + (int)(2 * of_pair(p)) + outside(1) + of_mapped(1);
#pragma omp target teams distribute parallel for reduction(+ : all) firstprivate(p)
  for (int i = 0; i < 100; i++) all += p.a;
#pragma omp target update from(counter)
  printf("second %d %g %d\n", r, all, counter);
}
