/* Flexible array members: mapped with the struct or without it, behind pointers and members. */
#include <stdio.h>
#include <stdlib.h>
struct row { int n; double v[]; };
struct zero { int n; double v[0]; };
struct tail { int n; struct row *r; };
struct nest { int k; struct row r; };
struct row *make(int n) { struct row *f = malloc(sizeof *f + n * sizeof(double)); f->n = n; for (int i = 0; i < n; i++) f->v[i] = i; return f; }
int main(void) {
  struct row *f = make(10);
  double s = 0;
#pragma omp target map(to : f[0:1]) map(to : f->v[0:10]) map(tofrom : s)
  for (int i = 0; i < f->n; i++) s += f->v[i];
  printf("%g\n", s); s = 0;
#pragma omp target map(to : *f, f->v[2:8]) map(tofrom : s)
  for (int i = 2; i < f->n; i++) s += f->v[i];
  printf("%g\n", s); s = 0;
#pragma omp target map(to : f->n, f->v[0:10]) map(tofrom : s)
  for (int i = 0; i < f->n; i++) s += f->v[i];
  printf("%g\n", s); s = 0;
#pragma omp target map(f->v[0:10]) map(tofrom : s)
  for (int i = 0; i < 10; i++) s += f->v[i]++;
  printf("%g %g\n", s, f->v[9]); s = 0;
#pragma omp target enter data map(to : f[0:1], f->v[0:f->n])
  f->v[3] = 100;
#pragma omp target update to(f->v[3:1])
#pragma omp target map(tofrom : s)
  { for (int i = 0; i < f->n; i++) s += f->v[i]; f->v[9] = 77; }
  printf("%g\n", s); s = 0;
#pragma omp target exit data map(from : f[0:1], f->v[0:f->n])
  printf("%g\n", f->v[9]);
  struct tail t = {1, f};
#pragma omp target map(to : t) map(tofrom : t.r[0:1], t.r->v[0:10]) map(tofrom : s)
  for (int i = 0; i < t.r->n; i++) s += t.r->v[i]++;
  printf("%g %g %d\n", s, f->v[0], t.r == f); s = 0;
  struct zero *z = (struct zero *)f;
#pragma omp target map(z[0:1], z->v[0:10]) map(tofrom : s)
  for (int i = 0; i < z->n; i++) s += z->v[i]++;
  printf("%g %g\n", s, f->v[0]); s = 0;
  struct nest *q = malloc(sizeof *q + 10 * sizeof(double)); q->k = 4; q->r.n = 5; for (int i = 0; i < 5; i++) q->r.v[i] = i;
#pragma omp target map(*q) map(q->r.v[0:5]) map(tofrom : s)
  for (int i = 0; i < q->r.n; i++) s += q->r.v[i]++ + q->k;
  printf("%g %g\n", s, q->r.v[4]); s = 0;
#pragma omp target data map(f[0:1]) map(f->v[0:10])
  {
#pragma omp target map(tofrom : s)
    for (int i = 0; i < f->n; i++) s += f->v[i]++;
  }
  printf("%g %g\n", s, f->v[0]); s = 0;
  static struct row g = {3, {1, 2, 3}};
#pragma omp target map(g) map(g.v[0:3]) map(tofrom : s)
  for (int i = 0; i < g.n; i++) s += g.v[i]++;
  printf("%g %g\n", s, g.v[2]); s = 0;
#pragma omp target map(f->v[0:10], f[0:1]) map(tofrom : s)
  for (int i = 0; i < f->n; i++) s += f->v[i]++;
  printf("%g %g\n", s, f->v[0]); s = 0;
  return 0;
}
