// Constant members and variables without values.
#include <stdio.h>
struct S { const int a; int b; };
struct T { const int a[2]; struct S s; const char *const name; int *const at, rest; const unsigned k : 3, l : 4; int (*const f)(int); };
typedef struct { volatile const int v; union { const float x; const int y; }; const struct S in[2]; } U;
const int zero;
static const struct S none;
#pragma omp declare target to(zero, none)
static int one(int x) { return x + 1; }
static int first(const struct S *s) { return s->a; }
static struct S made(void) { struct S s = {4, 5}; return s; }
int main(void) {
  int r[16] = {0}, q = 3;
  struct S hs = {1, 2}, list[2] = {{3, 4}, {5, 6}};
  U u = {7, {.y = 3}, {{1, 2}, {3, 4}}};
#pragma omp target map(tofrom: r) map(to: hs, u)
  {
    struct S s;
    s.b = 4;
    struct T t = {.a = {1, 2}, .s = {3, 4}, .name = "abc", .at = &r[15], .rest = 6, .k = 5, .f = one};
    struct T late;
    late.s.b = 3;
    r[0] = s.b + late.s.b;
    struct S *p = &hs;
    r[1] = p->a + p->b;
    const int k;
    const struct S ks;
    r[2] = sizeof k + sizeof ks;
    struct S arr[3];
    arr[1].b = 7;
    r[3] = arr[1].b;
    struct S z = {.b = 5};
    r[4] = z.a + z.b;
    *t.at = t.f(t.name[1]) + t.k + t.a[1];
    r[5] = first(&z) + first(&hs) + made().a;
    r[6] = _Generic(&hs.a, const int *: 1, int *: 2);
    r[7] = u.v + u.y + u.in[1].b;
    r[8] = zero + none.b;
  }
#pragma omp target firstprivate(hs, list) map(tofrom: r)
  r[9] = hs.a * 10 + hs.b + list[1].a;
#pragma omp target private(hs, list) map(tofrom: r)
  {
    hs.b = 9;
    list[1].b = 8;
    r[10] = hs.b + list[1].b;
  }
#pragma omp target teams distribute parallel for firstprivate(list) lastprivate(q) map(tofrom: r)
  for (int i = 11; i < 14; i++) {
    struct S each = {i, i}, copy = each;
    q = r[i] = copy.a + list[0].a;
  }
  r[14] = q;
  for (int i = 0; i < 16; i++) printf("%d ", r[i]);
  puts("");
  return 0;
}
