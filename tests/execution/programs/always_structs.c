/* `always` copies of structs: their attached pointers stay attached, whatever is copied over them. */
#include <stdio.h>

#define N 8

typedef struct {
  int n;
  double *x;
} Row;
typedef struct {
  Row u, w;
  int tag;
} Pair;

static double total(const double *x) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += x[i];
  return sum;
}

int main(void) {
  double a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 0;
  Pair p = {{N, a}, {N, b}, 3}, *q = &p;
#pragma omp target enter data map(to : q[0 : 1]) map(to : q->u.x[0 : N], q->w.x[0 : N])
  p.tag = 4;
#pragma omp target enter data map(always, to : q[0 : 1]) map(to : q->u.x[0 : N], q->w.x[0 : N])
#pragma omp target
  for (int i = 0; i < q->w.n; i++) q->w.x[i] = q->u.x[i] + q->tag;
#pragma omp target exit data map(release : q->u.x[0 : N], q->w.x[0 : N], q[0 : 1])
#pragma omp target update from(q->w.x[0 : N])
  printf("enter data: %g\n", total(b));

  p.tag = 5;
#pragma omp target map(always, tofrom : q[0 : 1]) map(tofrom : q->u.x[0 : N])
  {
    q->u.x[1] += q->tag;
    q->tag++;
  }
  printf("kernel: %d\n", p.tag);
  p.tag = 9;
#pragma omp target data map(always, tofrom : q[0 : 1])
  {
#pragma omp target
    {
      q->u.x[2] += q->tag;
      q->u.n = 2 * q->tag;
    }
  }
  printf("target data: %d %d, pointers %s\n", p.u.n, p.tag, p.u.x == a && p.w.x == b ? "kept" : "lost");
#pragma omp target exit data map(from : q->u.x[0 : N], q->w.x[0 : N]) map(release : q[0 : 1])
  printf("%g %g\n", total(a), total(b));
  return 0;
}
