/* Pointers in device memory, of declare target: mapping what they point to attaches them, functions see it. */
#include <stdio.h>
#include <stdlib.h>
struct S { double *q; int n; };
#pragma omp declare target
double *p; struct S s; int table[4];
double get(int i) { return p[i] + s.q[i] + table[i % 4]; }
#pragma omp end declare target
int main(void){ p=malloc(80); s.q=malloc(80); for(int i=0;i<10;i++) p[i]=s.q[i]=i; double r=0;
  for (int i = 0; i < 4; i++) table[i] = i;
#pragma omp target update to(table)
#pragma omp target map(to: p[0:10], s.q[0:10]) map(tofrom: r)
  r = get(3);
  printf("%g\n", r);
#pragma omp target enter data map(to: p[0:10], s.q[2:8])
#pragma omp target map(tofrom: r)
  r = get(4) + p[5] + s.q[7];
  printf("%g\n", r);
#pragma omp target map(p[0:10])
  p[5] = get(2);
#pragma omp target update from(p[5:1])
  printf("%g\n", p[5]);
#pragma omp target exit data map(delete: p[0:10], s.q[2:8])
#pragma omp target data map(tofrom: p[2:3], s.q[0:10], s.n) map(to: table)
  {
#pragma omp target
   { p[3]=get(4); s.q[1] = 5; s.n = 3; }
#pragma omp target update from(s.n)
  }
  printf("%g %g %d\n", p[3], s.q[1], s.n);
}
