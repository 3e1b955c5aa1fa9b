/* First-private copies begin with the original's value, though the construct changes it under another name. */
#include <stdio.h>

typedef struct {
  int v, w[3];
} Parts;

static void bump(int *q) { *q += 100; }

int main(void) {
  int wrong[5] = {0}, changed[5] = {0};
#pragma omp target map(tofrom : wrong, changed)
  {
    int x = 1, y[2] = {1, 2}, z = 7;
    Parts s = {3, {4, 5, 6}};
    int *p = &x, *q = y, *t = &z;
    Parts *r = &s;
#pragma omp parallel num_threads(2) firstprivate(x)
    {
#pragma omp critical
      wrong[0] += x != 1, *p = 6;
    }
    changed[0] = x;
#pragma omp parallel num_threads(33) firstprivate(y, s)
    {
#pragma omp critical
      wrong[1] += y[1] != 2 || s.w[2] != 6, q[1] = 9, r->w[2] = 8;
    }
    changed[1] = y[1] + s.w[2];
#pragma omp parallel num_threads(40) default(firstprivate) shared(wrong)
    {
      int before = x;
#pragma omp critical
      {
        wrong[2] += before != 6;
        if (*p == 6) bump(p);
      }
    }
    changed[2] = x;
#pragma omp parallel num_threads(9)
    {
#pragma omp for firstprivate(z)
      for (int i = 0; i < 9; i++) {
#pragma omp critical
        wrong[3] += z != 7, *t = 70;
      }
    }
    changed[3] = z;
#pragma omp parallel sections num_threads(2) firstprivate(z)
    {
#pragma omp section
      {
#pragma omp critical
        wrong[4] += z != 70, *t = 71;
      }
#pragma omp section
      {
#pragma omp critical
        wrong[4] += z != 70, *t = 71;
      }
    }
    changed[4] = z;
  }
#ifndef _OPENMP
  wrong[3] = wrong[4] = 0; /* there is only the original, and several iterations see it */
#endif
  for (int k = 0; k < 5; k++) printf("%d %d\n", wrong[k], changed[k]);
  return 0;
}
