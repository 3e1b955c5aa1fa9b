/* Pointers with a shape (shape-operator) in maps, updates and dependences. */
#include <stdio.h>
#include <stdlib.h>
struct S { double *p; int n; };
int main(void) { int n=4, m=3; double *p=malloc(12*8); struct S s = {malloc(96), 3}; for(int i=0;i<12;i++) p[i]=s.p[i]=i;
#pragma omp target map(([n])p)
 p[1]=10;
#pragma omp target map(tofrom: ([n][m])p, ([s.n][4])s.p)
 { p[11] = 12; s.p[11] = p[1]; }
#pragma omp target enter data map(to: ([n * m])p)
 p[2] = 20;
#pragma omp target update to(([n][m])p)
#pragma omp target map(alloc: p[0:12])
 p[3] = p[2];
#pragma omp target update from(([2][m - 1])p)
 printf("%g %g %g %g\n", p[1], p[11], p[3], s.p[11]);
#pragma omp target exit data map(delete: ([12])p)
#pragma omp task depend(inout: ([n])p)
 p[0]=3;
#pragma omp taskwait
 printf("%g\n", p[0]);
}
