/* Types of one name that the blocks of a function declare. */
#include <stdio.h>
struct P { char c; };
static int one(void) {
  int s = 0;
  struct P outer = {1};
#pragma omp target map(tofrom : s) map(to : outer)
  {
    struct P copy = outer;
    s += copy.c + (int)sizeof(struct P);
  }
  {
    struct P { int x; } p = {2};
#pragma omp target map(tofrom : s) map(to : p)
    { struct P q = p; s += 10 * q.x + (int)sizeof(struct P); }
    {
      enum { P2 = 3 };
      struct P { double x; int y[3]; } r = {2.5, {1, 2, P2}};
      struct Q { struct P p; } q = {r};
#pragma omp target map(tofrom : s) map(to : r, q)
      { struct P t = r; s += t.x * 100 + t.y[2] * 1000 + q.p.y[1] * 10000 + (int)sizeof(struct P); }
    }
#pragma omp target map(tofrom : s) map(to : p)
    s += p.x * 100000 + (int)sizeof(struct P);
  }
  for (int i = 0; i < 2; i++) { struct P { int z[2]; } p = {{i, 7}};
#pragma omp target map(tofrom : s) map(to : p)
    s += p.z[0] + p.z[1]; }
  return s;
}
int main(void) { printf("%d\n", one()); return 0; }
