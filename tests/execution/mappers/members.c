/* Structures without a mapper that have members with one. */
#include "checks.h"
typedef struct { int n; double *p; } vec;
struct early { int a; vec v[2]; int z; };
#pragma omp declare mapper(vec v) map(to : v.n) map(v.p[0:v.n])
typedef struct { struct early e; struct { char c; vec v; } unnamed; } late;
struct linked { vec v; struct linked *next; };
struct own { double *own; int first, n, k; double *p, w[4]; };
#define COUNT own.n
#pragma omp declare mapper(struct own own) map(own.own[own.first : COUNT], *(own.p + own.k), own.w[own.k])

int main(void) {
  struct early e = {1, {{2, numbers(2, 1)}, {3, numbers(3, 5)}}, 2};
#pragma omp target
  { e.v[1].p[2] = e.v[0].n + e.a; e.v[1].n = 8; e.z = 9; }
  CHECK(e.v[1].p[2] == 3 && e.v[1].n == 3 && e.z == 9 && !here(&e) && !here(e.v[1].p));
  late l = {e, {'x', {1, numbers(1, 4)}}};
  late *q = &l;
#pragma omp target enter data map(to : q[0:1])
  l.unnamed.c = 'y', l.unnamed.v.p[0] = 8;
#pragma omp target update to(q->unnamed)
  char c = 0;
  double d = 0;
#pragma omp target map(tofrom : q[0:1]) map(from : c, d)
  { c = q->unnamed.c; d = q->unnamed.v.p[0]; q->e.v[0].p[0] = 66; q->unnamed.v.p[0] = 67; }
  CHECK(c == 'y' && d == 8 && l.unnamed.v.p[0] == 8);
#pragma omp target exit data map(from : q[0:1])
  CHECK(l.e.v[0].p[0] == 66 && l.unnamed.v.p[0] == 67 && !here(&l) && !here(l.e.v[0].p));
  struct linked tail = {{1, numbers(1, 3)}, 0}, head = {{1, numbers(1, 2)}, &tail};
#pragma omp target map(tofrom : head) map(tofrom : head.next[0:1])
  { head.v.p[0] = 20; head.next->v.p[0] = 30; }
  CHECK(head.v.p[0] == 20 && tail.v.p[0] == 30 && head.next == &tail && !here(&tail) && !here(&head) && !here(tail.v.p));
  struct own own = {numbers(6, 0), 2, 3, 1, numbers(2, 4)};
#pragma omp target map(own)
  { own.own[2] = 7; own.own[4] = 8; own.p[1] = 9; own.w[1] = 10; }
  CHECK(own.own[2] == 7 && own.own[4] == 8 && own.p[1] == 9 && own.w[1] == 10 && own.own[5] == 5 && own.p[0] == 4);
  printf("failures: %d\n", failures);
  return failures != 0;
}
