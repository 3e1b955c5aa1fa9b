/* Variables of types without a name in declare target: C++ gives them no linkage, and the runtime found no symbol. */
#include <stdio.h>

#pragma omp declare target
struct { int a; double b; } g = {1, 2.5}, h[2];
union { int i; float f; } u, *q;
enum { ONE = 1, TWO } e = TWO;
static struct __attribute__((aligned(32))) { struct { int x; } in; int k; } s = {{3}, 4};
typedef struct { int z; } Z;
typedef struct { int v; } *Pointer;
Z z = {5};
Pointer pointer;
const struct { int t[2]; } table = {{6, 7}};
#pragma omp end declare target
struct { int m; } mapped = {8};

int main(void) {
  int r = 0;
#pragma omp target map(from : r) map(tofrom : mapped)
  {
    g.a += 1;
    g.b *= 2;
    h[1].a = g.a;
    u.i = 9;
    q = &u;
    e = ONE;
    s.in.x += s.k;
    z.z++;
    pointer = 0;
    mapped.m += 1;
    r = 2 * table.t[1] + q->i + !pointer;
  }
#pragma omp target update from(g, h, u, e, s, z)
  printf("%d %g %d %d %d %d %d %d %d\n", g.a, g.b, h[1].a, u.i, e, s.in.x, z.z, mapped.m, r);
  return 0;
}
