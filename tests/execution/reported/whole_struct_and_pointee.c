/* A struct, the struct that its pointer points to, and what a pointer in that one points to: each comes before the next. */
#include <stdio.h>
#include <stdlib.h>

struct inner {
  double b[5];
  int c, *f;
};
struct outer {
  int a[5];
  struct inner *b;
};
struct outer s;

static void show(void) {
  printf("%g %g %d %d\n", s.b->b[2], s.b->b[3], s.b->f[0], s.b->c);
}

int main(void) {
  s.b = (struct inner *)malloc(sizeof(struct inner));
  s.b->f = (int *)malloc(6 * sizeof(int));
  s.b->c = 3;
  s.a[3] = 9;
  for (int i = 0; i < 5; i++) s.b->b[i] = i;
#pragma omp target map(from : s.b->f[0 : 6]) map(tofrom : *s.b) map(always, tofrom : s)
  {
    s.b->b[2] = 100 + s.a[3] + s.b->c;
    for (int i = 0; i < 6; i++) s.b->f[i] = 7;
  }
  show();
#pragma omp target map(from : s.b->f[0 : 6]) map(tofrom : s.b[0 : 1]) map(tofrom : s)
  {
    s.b->b[2] = 200 + s.a[3] + s.b->c;
    for (int i = 0; i < 6; i++) s.b->f[i] = i + 1;
  }
  show();
  free(s.b->f);
  free(s.b);
  return 0;
}
