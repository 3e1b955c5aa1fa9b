/* What no map clause names: implicit rules, defaultmap, first-private and private items, device addresses. */
#include "shape.h"

#include <omp.h>

#define N 12

struct pair {
  int a;
  double b;
};

static void scalar(void) {
  int x = 3, a[1] = {0};
  shape("scalar, implicit");
  NOTE(x), NOTE(a);
#pragma omp target
  a[0] = x++;
  check(a[0] == 3 && x == 3);
}

static void scalar_with_one_value(void) {
  int x = 3, a[1] = {0};
  shape("scalar that nothing changes, implicit");
  NOTE(a);
#pragma omp target
  a[0] = x;
  check(a[0] == 3);
}

static void scalars_of_many_types(void) {
  char c = -1;
  short s = -2;
  float f = 3;
  double d = 4;
  _Bool b = 1;
  unsigned long u = 5;
  double sum[1];
  shape("scalars of many types, implicit");
  NOTE(sum);
#pragma omp target
  sum[0] = c + s + f + d + b + (double)u;
  check(sum[0] == 10);
  c++, s++, b = 0, u++; // so the compiler knows no value of theirs
}

static void large_scalar(void) {
  __int128 l = 3;
  double r[1];
  shape("scalar of 16 bytes, implicit");
  NOTE(l), NOTE(r);
#pragma omp target
  r[0] = (double)l;
  check(r[0] == 3);
}

static void array(void) {
  int a[N] = {1};
  shape("array, implicit");
  NOTE(a);
#pragma omp target
  a[0]++;
  check(a[0] == 2);
}

static void array_2d(void) {
  double a[3][4] = {{1}};
  shape("array of two dimensions, implicit");
  NOTE(a);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 3; i++) a[i][1] = i;
  check(a[2][1] == 2 && a[0][0] == 1);
}

static void structure(void) {
  struct pair s = {1, 2};
  shape("struct, implicit");
  NOTE(s);
#pragma omp target
  s.b += s.a;
  check(s.b == 3);
}

static void pointer_to_mapped(void) {
  int a[N] = {1}, *p = a;
  shape("pointer, implicit, to what is mapped");
  NOTE(a), NOTE(p);
#pragma omp target data map(tofrom : a)
  {
#pragma omp target
    p[0]++;
  }
  check(a[0] == 2);
}

static void vla(int n) {
  int a[n];
  a[1] = 1;
  shape("VLA, implicit");
  NOTE(a);
#pragma omp target
  a[1]++;
  check(a[1] == 2);
}

static void firstprivate_scalar(void) {
  int x = 3, r[1];
  shape("firstprivate scalar");
  NOTE(r);
#pragma omp target firstprivate(x) map(from : r)
  r[0] = x++;
  check(r[0] == 3 && x == 3);
}

static void firstprivate_array(void) {
  int a[N] = {3}, r[1];
  shape("firstprivate array");
  NOTE(a), NOTE(r);
#pragma omp target firstprivate(a) map(from : r)
  r[0] = a[0]++;
  check(r[0] == 3 && a[0] == 3);
}

static void firstprivate_struct(void) {
  struct pair s = {3, 4};
  double r[1];
  shape("firstprivate struct");
  NOTE(s), NOTE(r);
#pragma omp target firstprivate(s) map(from : r)
  {
    r[0] = s.a + s.b;
    s.a = 9;
  }
  check(r[0] == 7 && s.a == 3);
}

static void firstprivate_pointer(void) {
  int a[N] = {3}, *p = a, r[1];
  shape("firstprivate pointer, a device pointer");
  int *device = 0;
#pragma omp target data map(to : a) use_device_ptr(p)
  device = p;
  note("@device", device, sizeof a), NOTE(r);
#pragma omp target firstprivate(device) map(from : r)
  r[0] = device != 0;
  check(r[0]);
}

static void private_items(void) {
  int x = 3, a[N] = {1}, r[1];
  shape("private scalar and array");
  NOTE(r);
#pragma omp target private(x, a) map(from : r)
  {
    a[0] = x = 4;
    r[0] = a[0];
  }
  check(r[0] == 4 && x == 3 && a[0] == 1);
}

static void device_pointer(int n) {
  int *p = omp_target_alloc((size_t)n * sizeof *p, omp_get_default_device()), r = 0;
  shape("is_device_ptr");
  NOTE(r), note("@p", p, (size_t)n * sizeof *p);
#pragma omp target is_device_ptr(p) map(from : r)
  {
    p[1] = 5;
    r = p[1];
  }
  check(r == 5);
  omp_target_free(p, omp_get_default_device());
}

static void device_address(void) {
  int a[N] = {1}, x = 2;
  shape("has_device_addr of an array and a scalar");
  NOTE(a), NOTE(x);
#pragma omp target data map(tofrom : a, x) use_device_addr(a, x)
  {
#pragma omp target has_device_addr(a, x)
    a[0] += x++;
  }
  check(a[0] == 3 && x == 3);
}

static void default_tofrom_scalar(void) {
  int x = 3;
  shape("defaultmap(tofrom: scalar)");
  NOTE(x);
#pragma omp target defaultmap(tofrom : scalar)
  x++;
  check(x == 4);
}

static void default_to_aggregate(void) {
  int a[N] = {1}, r = 0;
  shape("defaultmap(to: aggregate)");
  NOTE(a), NOTE(r);
#pragma omp target defaultmap(to : aggregate) map(from : r)
  r = a[0]++;
  check(r == 1 && a[0] == 1);
}

static void default_from_aggregate(void) {
  int a[N];
  shape("defaultmap(from: aggregate)");
  NOTE(a);
#pragma omp target defaultmap(from : aggregate)
  for (int i = 0; i < N; i++) a[i] = i;
  check(a[3] == 3);
}

static void default_alloc_aggregate(void) {
  int a[N] = {1}, r = 0;
  shape("defaultmap(alloc: aggregate)");
  NOTE(a), NOTE(r);
#pragma omp target defaultmap(alloc : aggregate) map(from : r)
  {
    a[0] = 7;
    r = a[0];
  }
  check(r == 7 && a[0] == 1);
}

static void default_firstprivate_aggregate(void) {
  int a[N] = {1}, r = 0;
  struct pair s = {2, 3};
  shape("defaultmap(firstprivate: aggregate)");
  NOTE(a), NOTE(r), NOTE(s);
#pragma omp target defaultmap(firstprivate : aggregate) map(from : r)
  {
    r = a[0]++ + s.a;
    s.a = 5;
  }
  check(r == 3 && a[0] == 1 && s.a == 2);
}

static void default_present_aggregate(void) {
  int a[N] = {1};
  shape("defaultmap(present: aggregate)");
  NOTE(a);
#pragma omp target data map(tofrom : a)
  {
#pragma omp target defaultmap(present : aggregate)
    a[0]++;
  }
  check(a[0] == 2);
}

static void default_none(void) {
  int a[N] = {1}, x = 2;
  shape("defaultmap(none) with everything named");
  NOTE(a), NOTE(x);
#pragma omp target defaultmap(none) map(tofrom : a, x)
  a[0] += x++;
  check(a[0] == 3 && x == 3);
}

static void default_default(void) {
  int a[N] = {1}, x = 2;
  shape("defaultmap(default)");
  NOTE(a);
#pragma omp target defaultmap(default)
  a[0] += x++;
  check(a[0] == 3);
}

static void default_tofrom_all(void) {
  int a[N] = {1}, x = 2;
  shape("defaultmap(tofrom) of everything");
  NOTE(a), NOTE(x);
#pragma omp target defaultmap(tofrom)
  a[0] += x++;
  check(a[0] == 3 && x == 3);
}

static void default_to_scalar(void) {
  int x = 2, r = 0;
  shape("defaultmap(to: scalar)");
  NOTE(x), NOTE(r);
#pragma omp target defaultmap(to : scalar) map(from : r)
  r = x++;
  check(r == 2 && x == 2);
}

static void default_firstprivate_pointer(void) {
  int a[N] = {1}, *p = a, r = 0;
  shape("defaultmap(firstprivate: pointer)");
  NOTE(a), NOTE(p), NOTE(r);
#pragma omp target defaultmap(firstprivate : pointer) map(from : r)
  r = p != 0;
  check(r);
}

static void default_tofrom_pointer(void) {
  int a[N] = {1}, *p = a, r = 0;
  shape("defaultmap(tofrom: pointer)");
  NOTE(a), NOTE(p), NOTE(r);
#pragma omp target defaultmap(tofrom : pointer) map(from : r)
  {
    r = p != 0;
    p = 0;
  }
  check(r && p == 0);
}

static void reduction(void) {
  int a[N], sum = 0;
  for (int i = 0; i < N; i++) a[i] = i;
  shape("reduction variable, implicit");
  NOTE(a), NOTE(sum);
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++) sum += a[i];
  check(sum == N * (N - 1) / 2);
}

static void section_and_implicit(void) {
  int a[N] = {1}, b[N] = {2}, x = 3;
  shape("explicit section beside implicit items");
  NOTE(a), NOTE(b);
#pragma omp target map(tofrom : a[0 : 4])
  {
    a[0] += x++;
    b[0] = a[0];
  }
  check(a[0] == 4 && b[0] == 4);
}

static void named_constant(void) {
  const int limit = N;
  const double table[3] = {1, 2, 3};
  double r[1];
  shape("constants, implicit");
  NOTE(table), NOTE(r);
#pragma omp target
  r[0] = table[1] + limit;
  check(r[0] == 2 + N);
}

static void deferred(void) {
  int a[N] = {1}, x = 2;
  shape("target nowait with implicit items");
  NOTE(a);
#pragma omp target nowait
  a[0] += x++;
#pragma omp taskwait
  check(a[0] == 3);
}

static void region_with_if(int on) {
  int a[N] = {1};
  shape("target if(true in the run)");
  NOTE(a);
#pragma omp target if (target : on)
  a[0]++;
  check(a[0] == 2);
}

static void extents_of_loops(int n) {
  int *p = malloc((size_t)n * sizeof *p);
  double scale = 2;
  shape("loop with bounds of the run and p[0:n]");
  NOTE(p), note("*p", p, (size_t)n * sizeof *p);
#pragma omp target teams distribute parallel for map(from : p[0 : n])
  for (int i = 0; i < n; i++) p[i] = (int)(i * scale);
  check(p[n - 1] == 2 * (n - 1));
  free(p);
}

int main(void) {
  RUN(scalar());
  RUN(scalar_with_one_value());
  RUN(scalars_of_many_types());
  RUN(large_scalar());
  RUN(array());
  RUN(array_2d());
  RUN(structure());
  RUN(pointer_to_mapped());
  RUN(vla(5));
  RUN(firstprivate_scalar());
  RUN(firstprivate_array());
  RUN(firstprivate_struct());
  RUN(firstprivate_pointer());
  RUN(private_items());
  RUN(device_pointer(N));
  RUN(device_address());
  RUN(default_tofrom_scalar());
  RUN(default_to_aggregate());
  RUN(default_from_aggregate());
  RUN(default_alloc_aggregate());
  RUN(default_firstprivate_aggregate());
  RUN(default_present_aggregate());
  RUN(default_none());
  RUN(default_default());
  RUN(default_tofrom_all());
  RUN(default_to_scalar());
  RUN(default_firstprivate_pointer());
  RUN(default_tofrom_pointer());
  RUN(reduction());
  RUN(section_and_implicit());
  RUN(named_constant());
  RUN(deferred());
  RUN(region_with_if(1));
  RUN(extents_of_loops(N));
  return 0;
}
