// Declarations in blocks of what is defined elsewhere, and the same name twice in a declaration.
#include <stdio.h>
extern int twice(int), twice(int);
int same, same;
extern int both_, both_;
int both_ = 5;
int later(int);
static int thrice(int x) { return 3 * x; }
int twice(int x) { return 2 * x; }
#pragma omp declare target
int shared_x, shared_x;
static int st_x, st_x;
static int first_y[3], other_y = 3, first_y[3];
#pragma omp end declare target
static int uses(int x) {
  extern int later(int);
  extern int shared_x;
  int twice(int);
  return later(x) + twice(x) + shared_x;
}
int later(int x) { return x + 100; }
int main(void) {
  int r[8] = {0};
#pragma omp target map(tofrom: r) map(to: same, both_)
  {
    extern int twice(int);
    int later(int), later(int);
    r[0] = twice(4) + same + both_;
    r[1] = later(3);
    shared_x = 4; st_x = 5; first_y[1] = 7;
    r[2] = shared_x + st_x + first_y[1] + other_y;
    r[3] = uses(1);
    extern int thrice(int);
    r[4] = thrice(2);
  }
  for (int i = 0; i < 8; i++) printf("%d ", r[i]);
  puts("");
  return 0;
}
