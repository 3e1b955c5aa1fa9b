#include <stdio.h>

__typeof__(struct t { int a; double b; }) x;
__typeof__ ( struct { int a; /* a brace } */ } ) y;
__typeof__(enum e { A = 3, B }) z;
typedef __typeof__(struct w { int v; }) W;
W q;
static int first(__typeof__(struct t) *p) { return p->a; }

enum f { C = 3, D } with;
enum g { E = 3, F } __attribute__((packed)) packed = F;
static const enum { G = 9 } constant = G;

struct outer {
  __typeof__(struct in { int v; }) m;
  __typeof__(const struct {
    int k;
  }) n[2];
};
typedef __typeof__(struct { int v; } __attribute__((aligned(8)))) U, *PU;

int main(void) {
  int r = 0;
  x.a = 1, y.a = 2, q.v = 5, z = B;
#pragma omp target map(tofrom : r) map(tofrom : x, y, z, q)
  {
    x.b = 3;
    r = x.a + y.a + q.v + z + A + first(&x);
    y.a++;
  }
  printf("%d %g %d\n", r, x.b, y.a);
  with = D;
#pragma omp target map(tofrom : r) map(tofrom : with, packed)
  r = with + C + packed + E + G + constant;
  printf("%d\n", r);
  struct outer o = {{1}, {{2}, {3}}};
  U u = {4};
  int seven = 7;
#pragma omp target map(tofrom : r) map(tofrom : o, u)
  {
    __typeof__(struct local { int z; }) l = {5};
    struct local copy = l;
    PU p = &u;
    r = o.m.v + o.n[1].k + u.v + F + copy.z + p->v + (int)sizeof(U) - 7 + seven;
  }
  printf("%d\n", r);
}
