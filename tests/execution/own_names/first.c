#include <stdio.h>
#include "shared.h"
struct pair { int a; };
#pragma omp declare target
int table[4] = {1, 2, 3, 4};
int offset = 1;
static int counter = 1;
static const int steps[2] = {1, 2};
static int of_pair(struct pair p) { return p.a + steps[0]; }
static int step(int d) { static int total; total += d; return total; }
int first(int x) { counter++; return x + counter + of_table(1) + step(1); }
#pragma omp end declare target
int mapped[4] = {5, 6, 7, 8};
static int outside(int x) { return x + 1; }
void use_first(void) {
  int r = 0, all = 0;
  struct pair p = {3};
#pragma omp target map(r) firstprivate(p) map(mapped)
  r = first(1) + second(1) + of_pair(p) + outside(1) + mapped[2];
#pragma omp target teams distribute parallel for reduction(+ : all) firstprivate(p)
  for (int i = 0; i < 100; i++) all += p.a;
#pragma omp target update from(counter)
  printf("first %d %d %d\n", r, all, counter);
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    use_first();
    use_second();
    use_third();
    use_fourth();
    table[1] += 100;
#pragma omp target update to(table)
  }
  return 0;
}
