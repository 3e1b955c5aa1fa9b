/* Whole variables: what they are, how they are mapped, on `target` and on a loop. */
#include "shape.h"

#define N 12

enum colour { RED, GREEN };
union both { int i; float f; };
struct plain { int a; double b; char c[5]; };

static void scalar_to(void) {
  int x = 3, r = 0;
  shape("scalar to");
  NOTE(x), NOTE(r);
#pragma omp target map(to : x) map(from : r)
  {
    r = x + 1;
    x = 9;
  }
  check(r == 4 && x == 3);
}

static void scalar_to_by_value(void) {
  int x = 3, r = 0;
  shape("scalar to, nobody else can see it");
  NOTE(r);
#pragma omp target map(to : x) map(from : r)
  r = x + 1;
  check(r == 4);
}

static void scalar_from(void) {
  double x = 3;
  shape("scalar from");
  NOTE(x);
#pragma omp target map(from : x)
  x = 7;
  check(x == 7);
}

static void scalar_tofrom(void) {
  long x = 3;
  shape("scalar tofrom");
  NOTE(x);
#pragma omp target map(tofrom : x)
  x += 7;
  check(x == 10);
}

static void scalar_without_type(void) {
  short x = 3;
  shape("scalar, no type said");
  NOTE(x);
#pragma omp target map(x)
  x += 7;
  check(x == 10);
}

static void scalar_alloc(void) {
  int x = 3, r = 0;
  shape("scalar alloc");
  NOTE(x), NOTE(r);
#pragma omp target map(alloc : x) map(from : r)
  {
    x = 8;
    r = x;
  }
  check(x == 3 && r == 8);
}

static void scalar_always_to(void) {
  int x = 3, r = 0;
  shape("scalar always to");
  NOTE(x), NOTE(r);
#pragma omp target map(always, to : x) map(from : r)
  r = x;
  check(r == 3);
}

static void scalar_always_from(void) {
  int x = 3;
  shape("scalar always from");
  NOTE(x);
#pragma omp target map(always, from : x)
  x = 8;
  check(x == 8);
}

static void scalar_always_tofrom(void) {
  int x = 3;
  shape("scalar always tofrom");
  NOTE(x);
#pragma omp target map(always, tofrom : x)
  x += 8;
  check(x == 11);
}

static void scalar_close_tofrom(void) {
  int x = 3;
  shape("scalar close tofrom");
  NOTE(x);
#pragma omp target map(close, tofrom : x)
  x += 8;
  check(x == 11);
}

static void scalar_always_close(void) {
  int x = 3, r = 0;
  shape("scalar always close to");
  NOTE(x), NOTE(r);
#pragma omp target map(always, close, to : x) map(from : r)
  r = x;
  check(r == 3);
}

static void scalar_hold(void) {
  int x = 3;
  shape("scalar ompx_hold tofrom");
  NOTE(x);
#pragma omp target map(ompx_hold, tofrom : x)
  x += 8;
  check(x == 11);
}

static void scalar_present(void) {
  int x = 3;
  shape("scalar present tofrom");
  NOTE(x);
#pragma omp target data map(from : x)
#pragma omp target map(present, tofrom : x)
  x = 8;
  check(x == 8);
}

static void scalar_twice(void) {
  int x = 3;
  shape("scalar in a to and a from clause");
  NOTE(x);
#pragma omp target map(to : x) map(from : x)
  x += 8;
  check(x == 11);
}

static void scalars_of_all_kinds(void) {
  char c = 1;
  float f = 2;
  long double l = 3;
  _Bool b = 0;
  enum colour e = RED;
  unsigned long long u = 4;
  shape("scalars of many types tofrom");
  NOTE(c), NOTE(f), NOTE(l), NOTE(b), NOTE(e), NOTE(u);
#pragma omp target map(tofrom : c, f, b, e, u) map(to : l)
  {
    c++;
    f *= 2;
    b = 1;
    e = GREEN;
    u += 4;
  }
  check(c == 2 && f == 4 && b && e == GREEN && u == 8 && l == 3);
}

static void scalar_not_used(void) {
  int x = 3, r = 0;
  shape("scalar mapped, not used in the region");
  NOTE(x), NOTE(r);
#pragma omp target map(tofrom : x) map(from : r)
  r = 5;
  check(x == 3 && r == 5);
}

static void pointer_itself(void) {
  int x = 1, *p = &x, same = 0;
  shape("pointer variable to, as a value");
  NOTE(x), NOTE(p), NOTE(same);
#pragma omp target map(tofrom : p) map(from : same)
  {
    same = p != 0;
    p = 0;
  }
  check(same && p == 0);
}

static void array_tofrom(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = i;
  shape("array tofrom");
  NOTE(a);
#pragma omp target map(tofrom : a)
  for (int i = 0; i < N; i++) a[i] *= 2;
  check(a[0] == 0 && a[N - 1] == 2 * (N - 1));
}

static void array_to(void) {
  float a[N] = {1, 2, 3}, r = 0;
  shape("array to");
  NOTE(a), NOTE(r);
#pragma omp target map(to : a) map(from : r)
  {
    r = a[2];
    a[2] = 9;
  }
  check(r == 3 && a[2] == 3);
}

static void array_from(void) {
  char a[N] = "";
  shape("array from");
  NOTE(a);
#pragma omp target map(from : a)
  for (int i = 0; i < N; i++) a[i] = 'a';
  check(a[0] == 'a' && a[N - 1] == 'a');
}

static void array_alloc(void) {
  int a[N] = {5}, r = 0;
  shape("array alloc");
  NOTE(a), NOTE(r);
#pragma omp target map(alloc : a) map(from : r)
  {
    a[1] = 4;
    r = a[1];
  }
  check(a[0] == 5 && a[1] == 0 && r == 4);
}

static void array_of_three_dimensions(void) {
  double a[2][3][4];
  for (int i = 0; i < 24; i++) a[i / 12][i / 4 % 3][i % 4] = i;
  shape("array of three dimensions tofrom");
  NOTE(a);
#pragma omp target map(tofrom : a)
  a[1][2][3] += a[0][1][2];
  check(a[1][2][3] == 23 + 6);
}

static void vla_of_one_dimension(int n) {
  int a[n];
  a[0] = 1, a[n - 1] = 2;
  shape("VLA tofrom");
  NOTE(a);
#pragma omp target map(tofrom : a)
  a[n - 1] += a[0];
  check(a[n - 1] == 3);
}

static void vla_of_two_dimensions(int n, int m) {
  float a[n][m];
  a[0][0] = 1, a[n - 1][m - 1] = 2;
  shape("VLA of two dimensions tofrom");
  NOTE(a);
#pragma omp target map(tofrom : a)
  a[n - 1][m - 1] += a[0][0];
  check(a[n - 1][m - 1] == 3);
}

static void struct_tofrom(void) {
  struct plain s = {1, 2, "abcd"};
  shape("struct tofrom");
  NOTE(s);
#pragma omp target map(tofrom : s)
  {
    s.a += 4;
    s.c[1] = 'x';
  }
  check(s.a == 5 && s.b == 2 && s.c[1] == 'x');
}

static void struct_to(void) {
  struct plain s = {1, 2, "abcd"};
  double r = 0;
  shape("struct to");
  NOTE(s), NOTE(r);
#pragma omp target map(to : s) map(from : r)
  r = s.a + s.b;
  check(r == 3);
}

static void union_tofrom(void) {
  union both u = {5};
  shape("union tofrom");
  NOTE(u);
#pragma omp target map(tofrom : u)
  u.i++;
  check(u.i == 6);
}

static void array_of_structs(void) {
  struct plain s[3] = {{1, 2, "a"}, {3, 4, "b"}, {5, 6, "c"}};
  shape("array of structs tofrom");
  NOTE(s);
#pragma omp target map(tofrom : s)
  for (int i = 0; i < 3; i++) s[i].b += s[i].a;
  check(s[0].b == 3 && s[2].b == 11);
}

static void several_in_one_clause(void) {
  int x = 1, y = 2, a[N] = {3};
  shape("several items in one clause");
  NOTE(x), NOTE(y), NOTE(a);
#pragma omp target map(tofrom : a, y, x)
  {
    x += y;
    a[0] += x;
  }
  check(x == 3 && y == 2 && a[0] == 6);
}

static void several_clauses(void) {
  int x = 1, y = 2, a[N] = {3};
  shape("several clauses of different types");
  NOTE(x), NOTE(y), NOTE(a);
#pragma omp target map(from : y) map(tofrom : x) map(to : a)
  {
    x += a[0];
    y = x;
  }
  check(x == 4 && y == 4 && a[0] == 3);
}

static void loop_of_teams(void) {
  int a[N], b[N], s = 2;
  for (int i = 0; i < N; i++) a[i] = 0, b[i] = i;
  shape("arrays on a loop of teams");
  NOTE(a), NOTE(b);
#pragma omp target teams distribute parallel for map(from : a) map(to : b)
  for (int i = 0; i < N; i++) a[i] = s * b[i];
  check(a[1] == s && a[N - 1] == s++ * (N - 1));
}

static void loop_of_teams_loop(void) {
  int a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = 0, b[i] = i;
  shape("arrays on target teams loop");
  NOTE(a), NOTE(b);
#pragma omp target teams loop map(tofrom : a) map(always, to : b)
  for (int i = 0; i < N; i++) a[i] += b[i];
  check(a[1] == 1 && a[N - 1] == N - 1);
}

static void loop_with_reduction(void) {
  int a[N], sum = 1;
  for (int i = 0; i < N; i++) a[i] = i;
  shape("reduction variable, mapped explicitly");
  NOTE(a), NOTE(sum);
#pragma omp target parallel for map(tofrom : sum) map(to : a) reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i];
  check(sum == 1 + N * (N - 1) / 2);
}

int main(void) {
  RUN(scalar_to());
  RUN(scalar_to_by_value());
  RUN(scalar_from());
  RUN(scalar_tofrom());
  RUN(scalar_without_type());
  RUN(scalar_alloc());
  RUN(scalar_always_to());
  RUN(scalar_always_from());
  RUN(scalar_always_tofrom());
  RUN(scalar_close_tofrom());
  RUN(scalar_always_close());
  RUN(scalar_hold());
  RUN(scalar_present());
  RUN(scalar_twice());
  RUN(scalars_of_all_kinds());
  RUN(scalar_not_used());
  RUN(pointer_itself());
  RUN(array_tofrom());
  RUN(array_to());
  RUN(array_from());
  RUN(array_alloc());
  RUN(array_of_three_dimensions());
  RUN(vla_of_one_dimension(7));
  RUN(vla_of_two_dimensions(3, 5));
  RUN(struct_tofrom());
  RUN(struct_to());
  RUN(union_tofrom());
  RUN(array_of_structs());
  RUN(several_in_one_clause());
  RUN(several_clauses());
  RUN(loop_of_teams());
  RUN(loop_of_teams_loop());
  RUN(loop_with_reduction());
  return 0;
}
