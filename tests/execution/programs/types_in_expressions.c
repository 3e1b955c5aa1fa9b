// Types that casts, compound literals and offsetof define, and what asks about types.
#include <stdio.h>
#include <stddef.h>
#define OFF(t, m) offsetof(t, m)
#define ISINT(x) __builtin_types_compatible_p(__typeof__(x), int)
#define PICK(x, a, b) __builtin_choose_expr(ISINT(x), a, b)
#define BITS(f) (((union { float a; unsigned b; }){f}).b)
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define ONE(a) ({ __auto_type a_ = (a); a_ + 1; })
#define EACH(n, s) for (int k_ = 0; k_ < (n); k_++) { s; }
#define BLOCK(s) { s }
#define OR_ONE(c, s) if (c) s; else r[i] += 1
struct p { int x, y; };
static int sum(const struct p *q) { return q->x * 10 + q->y; }
static int deep(int i) { return MAX(sum(&(struct p){i, 2}), 40); }
static int helper(int x) {
  if (x) return ((struct { int u; int v; }){x, 3}).v + (int)sizeof(struct { char c[3]; });
  for (int i = 0; i < 2; i++) x += ((union { int a; char b[4]; }){.a = 258}).b[i];
  int *p = &((struct { int n; } *)&x)->n;
  switch (x) { case 1: return (enum { TEN = 10 })x; case 3: return *(int *)&(struct { int k, l; }){x, 7} + TEN; }
  return *p;
}
int main(void) {
  int r[16] = {0};
#pragma omp target map(tofrom: r)
  {
    r[1] = (int)sizeof(struct { int a; char b; });
    r[2] = offsetof(struct { int a; char b; }, b);
    r[3] = ((struct { int a, b; }){3, 4}).b;
    r[4] = ((union { float f; int i; }){.f = 1.0f}).i;
    r[5] = __builtin_choose_expr(1, 7, "x");
    r[6] = __builtin_types_compatible_p(int, int) * 2 + __builtin_types_compatible_p(int, long);
    r[7] = ISINT(r[0]) + 10 * ISINT('a') + 100 * ISINT(1.0);
    r[8] = PICK(r[0], 5, "a"); r[9] = PICK(1.0, r, 6);
    r[10] = BITS(1.0f) + (BITS(2.0f) >> 1);
    r[11] = OFF(struct { char c; double d; }, d);
    r[12] = helper(0); r[13] = helper(4); r[14] = helper(3);
    struct named { int m; };
    struct named *q = &(struct named){8}; r[15] = q->m + ((struct late { struct named x; int y; }){{1}, 2}).x.m;
    __builtin_choose_expr(0, 3, r[0]) = 12;
  }
#pragma omp target map(tofrom: r)
  {
    r[0] += sizeof(struct asked { int a; char b; }) + _Alignof(union both { double d; char c; });
    struct asked one = {1, 2}; union both two = {3};
    r[1] += one.a + one.b + (int)two.d + sizeof(enum word { EIGHT = 8, NINE }) + NINE;
    r[2] += offsetof(struct placed { char c; double d; }, d);
    struct placed three = {'a', 4};
    if (r[3]) r[3] += three.d + sizeof(struct alone { int k[3]; });
  }
#pragma omp target teams distribute parallel for map(tofrom: r)
  for (int i = 0; i < 16; i++) {
    r[i] += MAX(((int[]){1, 20, 3})[i % 3], i);
    r[i] += MAX(sum(&(struct p){i, 3}), sum(&(struct p){.y = i}));
    EACH(i, r[i] += sum(&(struct p){k_, i}))
    BLOCK(r[i] += ((int[2]){i, 4})[i & 1];)
    OR_ONE(i > 4, r[i] += sum(&(struct p){1, i}));
    r[i] += MAX(((struct { int a; }){i}).a, 2) + deep(i);
    r[i] += ONE((int)sizeof(struct in { int z[3]; }) + (int)sizeof(struct in));
    r[i] += MAX(MAX(sum(&(struct p){i, 4}), 1), 2) + ONE(((enum { AA, BB = 7 })i) + BB);
  }
#pragma omp target teams distribute parallel for map(tofrom: r)
  for (int i = 0; i < 16; i++) {
    int a = ((enum { AA, BB = 7 })i) + BB, b = sizeof(enum { CC = 3 }) + CC;
    int d = ((struct { enum { DD = 9 } k; int z; }){DD, i}).z + DD + sizeof(struct in { enum { EE = 4 } q; int a[EE]; });
    int f = ((struct s { int z; enum { FF = 9 } k; }){i, FF}).k;
    struct s g = {.k = FF, .z = i};
    r[i] += a + b + d + EE + f + g.k;
    r[i] += ((struct { enum { GG = 9 } k; int z; }){GG, i}).k + GG;
  }
  for (int i = 0; i < 16; i++) printf("%d ", r[i]);
  puts("");
  return 0;
}
