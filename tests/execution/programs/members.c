/* Structs: members, pointers in structs, structs behind pointers, nested. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n;
  double *p, *q;
  float inside[6];
  struct {
    int lo, hi;
  } range;
} Vector;

struct node {
  int value;
  struct node *next;
};

static double sum(const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += p[i] * (i + 1);
  return s;
}

static void by_value(int n) {
  Vector v = {n, malloc(n * sizeof(double)), malloc(n * sizeof(double)), {1, 2, 3, 4, 5, 6}, {2, 5}};
  for (int i = 0; i < n; i++) v.p[i] = i, v.q[i] = 0;
#pragma omp target teams distribute parallel for map(tofrom : v.p[0 : n], v.q[0 : n])
  for (int i = 0; i < n; i++) v.q[i] = v.p[i] * 2;
  printf("s.p[0:n], s.q[0:n]: %g\n", sum(v.q, n));
#pragma omp target teams distribute parallel for map(to : v.n, v.range) map(tofrom : v.p[0 : n])
  for (int i = 0; i < v.n; i++) v.p[i] += v.range.lo;
  printf("s.n, s.range: %g\n", sum(v.p, n));
#pragma omp target map(tofrom : v.inside[1 : 3])
  for (int i = 1; i < 4; i++) v.inside[i] *= 10;
  printf("s.inside[1:3]: %g %g %g %g\n", v.inside[0], v.inside[1], v.inside[3], v.inside[4]);
#pragma omp target map(tofrom : v.inside)
  v.inside[5] = 60;
  printf("s.inside: %g\n", v.inside[5]);
#pragma omp target map(tofrom : v, v.p[0 : n])
  {
    v.n += 1;
    v.p[2] = -1;
    v.range.hi = 9;
  }
  printf("s, s.p[0:n]: %d %g %d\n", v.n, sum(v.p, n), v.range.hi);
#pragma omp target map(tofrom : v)
  v.range.lo++;
  printf("s: %d\n", v.range.lo);
#pragma omp target
  v.inside[0] += v.range.lo;
  printf("implicit s: %g\n", v.inside[0]);
  free(v.p), free(v.q);
}

static void by_pointer(Vector *v, int lo, int n) {
#pragma omp target teams distribute parallel for map(tofrom : v->p[0 : n])
  for (int i = 0; i < n; i++) v->p[i] += 0.5;
  printf("p->x[0:n]: %g\n", sum(v->p, n));
#pragma omp target teams distribute parallel for map(tofrom : v->p[lo : n - lo]) map(to : v->q[0 : n], v->n)
  for (int i = lo; i < v->n; i++) v->p[i] += v->q[i];
  printf("p->x[lo:n]: %g\n", sum(v->p, n));
#pragma omp target map(tofrom : v[0 : 1])
  v->range.hi = 21;
  printf("p[0:1]: %d\n", v->range.hi);
#pragma omp target map(tofrom : *v)
  v->range.hi++;
  printf("*p: %d\n", v->range.hi);
#pragma omp target map(tofrom : v->range.lo)
  v->range.lo = 31;
  printf("p->range.lo: %d\n", v->range.lo);
#pragma omp target data map(to : v[0 : 1]) map(tofrom : v->p[0 : n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) v->p[i] *= 2;
#pragma omp target update from(v->p[0 : 2])
    printf("update of a member: %g\n", v->p[1]);
  }
  printf("target data with members: %g\n", sum(v->p, n));
#pragma omp target enter data map(to : v[0 : 1])
#pragma omp target enter data map(to : v->p[0 : n])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) v->p[i] += 1;
#pragma omp target exit data map(from : v->p[0 : n])
#pragma omp target exit data map(release : v[0 : 1])
  printf("enter data with members: %g\n", sum(v->p, n));
}

static void arrays_of_structs(int n) {
  Vector *many = calloc(n, sizeof *many);
  struct node nodes[5];
  for (int i = 0; i < 5; i++) nodes[i].value = i, nodes[i].next = 0;
#pragma omp target teams distribute parallel for map(tofrom : many[0 : n]) map(tofrom : nodes)
  for (int i = 0; i < n; i++) {
    many[i].n = i;
    many[i].range.lo = 2 * i;
    many[i].inside[i % 6] = i;
    if (i < 5) nodes[i].value *= 3;
  }
  int s = 0;
  for (int i = 0; i < n; i++) s += many[i].n * many[i].range.lo + (int)many[i].inside[i % 6];
  printf("arrays of structs: %d %d\n", s, nodes[4].value);
#pragma omp target map(tofrom : many[3 : 1])
  many[3].n = 99;
  printf("one of them: %d\n", many[3].n);
  int total = 0;
#pragma omp target map(tofrom : total, nodes)
  {
    for (int i = 0; i < 4; i++) nodes[i].next = &nodes[i + 1];
    for (struct node *p = nodes; p; p = p->next) total += p->value;
  }
  printf("a list on the device: %d\n", total);
  free(many);
}

int main(void) {
  by_value(8);
  double p[10], q[10];
  Vector v = {10, p, q, {0}, {0, 0}};
  for (int i = 0; i < 10; i++) p[i] = i, q[i] = 100 * i;
  by_pointer(&v, 3, 10);
  arrays_of_structs(12);
  return 0;
}
