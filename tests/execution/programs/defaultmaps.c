// Every behaviour of defaultmap for every category of variables. What does not come back from the device is checked
// where the region ran on one: the host has one copy of everything.
#include <omp.h>
#include <stdio.h>

typedef struct {
  int x, y;
} Pair;

#define ON_DEVICE (!omp_is_initial_device())

static void show(const char *what, int inside, int kept) { printf("%s: %d %d\n", what, inside, kept); }

static void scalars(void) {
  int s = 5, got = 0, on = 0;
#pragma omp target defaultmap(to : scalar) map(from : got, on)
  { got = s; s = 99; on = ON_DEVICE; }
  show("to: scalar", got, !on || s == 5);
#pragma omp target defaultmap(from : scalar)
  s = 7;
  show("from: scalar", s, s == 7);
#pragma omp target defaultmap(tofrom : scalar)
  s += 2;
  show("tofrom: scalar", s, s == 9);
#pragma omp target defaultmap(alloc : scalar) map(from : got, on)
  { s = 3; got = s + 1; on = ON_DEVICE; }
  show("alloc: scalar", got, !on || s == 9);
  s = 5;
#pragma omp target defaultmap(firstprivate : scalar) map(from : got, on)
  { got = s; s = 99; on = ON_DEVICE; }
  show("firstprivate: scalar", got, !on || s == 5);
  s = 6;
#pragma omp target defaultmap(default : scalar) map(from : got, on)
  { got = s; s = 99; on = ON_DEVICE; }
  show("default: scalar", got, !on || s == 6);
  s = 8;
#pragma omp target defaultmap(none : scalar) map(from : got) firstprivate(s)
  got = s;
  show("none: scalar", got, s == 8);
#pragma omp target data map(tofrom : s)
  {
#pragma omp target defaultmap(present : scalar)
    s += 4;
  }
  show("present: scalar", s, s == 12);
}

static void aggregates(void) {
  int a[4] = {1, 2, 3, 4}, got = 0, on = 0;
  Pair p = {10, 20};
#pragma omp target defaultmap(to : aggregate) map(from : got, on)
  { got = a[1] + p.y; a[1] = 99; p.y = 99; on = ON_DEVICE; }
  show("to: aggregate", got, !on || (a[1] == 2 && p.y == 20));
#pragma omp target defaultmap(from : aggregate)
  {
    for (int i = 0; i < 4; i++) a[i] = 10 * i;
    p.x = 1;
    p.y = 2;
  }
  show("from: aggregate", a[3] + p.y, a[1] == 10 && p.x == 1);
#pragma omp target defaultmap(tofrom : aggregate)
  { a[0] += 1; p.x += a[2]; }
  show("tofrom: aggregate", a[0] + p.x, a[3] == 30);
#pragma omp target defaultmap(alloc : aggregate) map(from : got, on)
  { a[2] = 4; p.y = 5; got = a[2] + p.y; on = ON_DEVICE; }
  show("alloc: aggregate", got, !on || (a[2] == 20 && p.y == 2));
  a[2] = 6, p.y = 7;
#pragma omp target defaultmap(firstprivate : aggregate) map(from : got, on)
  { got = a[2] + p.y; a[2] = p.y = 99; on = ON_DEVICE; }
  show("firstprivate: aggregate", got, !on || (a[2] == 6 && p.y == 7));
  a[2] = 6, p.y = 7;
#pragma omp target defaultmap(default : aggregate)
  { a[2] += p.y; p.y++; }
  show("default: aggregate", a[2], p.y == 8);
#pragma omp target defaultmap(none : aggregate) map(tofrom : a) firstprivate(p)
  a[1] += p.y;
  show("none: aggregate", a[1], p.y == 8);
#pragma omp target data map(tofrom : a, p)
  {
#pragma omp target defaultmap(present : aggregate)
    a[3] += p.x;
  }
  show("present: aggregate", a[3], p.x == 21);
}

static void pointers(void) {
  int a[4] = {1, 2, 3, 4}, *p = a + 1, *const base = a, got = 0, on = 0;
#pragma omp target defaultmap(to : pointer) map(from : got, on)
  { got = (int)(p - base); p = 0; on = ON_DEVICE; }
  show("to: pointer", got, !on || p == a + 1);
  p = a + 1;
#pragma omp target defaultmap(from : pointer)
  p = 0;
  show("from: pointer", p == 0, 1);
  p = a + 1;
#pragma omp target defaultmap(tofrom : pointer)
  p += 2;
  show("tofrom: pointer", (int)(p - a), 1);
#pragma omp target defaultmap(alloc : pointer) map(from : got, on)
  { p = 0; got = p == 0; on = ON_DEVICE; }
  show("alloc: pointer", got, !on || p == a + 3);
  p = a + 3;
#pragma omp target defaultmap(firstprivate : pointer) map(from : got, on)
  { got = (int)(p - base); p = 0; on = ON_DEVICE; }
  show("firstprivate: pointer", got, !on || p == a + 3);
  p = a + 3;
#pragma omp target data map(tofrom : a)
  {
#pragma omp target defaultmap(default : pointer)
    p[-1] += 5;
#pragma omp target defaultmap(none : pointer) map(alloc : p[0 : 1])
    p[0] += 6;
  }
  show("default, none: pointer", a[2], a[3] == 10);
#pragma omp target data map(tofrom : p)
  {
#pragma omp target defaultmap(present : pointer)
    p -= 2;
  }
  show("present: pointer", (int)(p - a), 1);
}

static void together(void) {
  int s = 1, a[3] = {1, 2, 3}, got = 0;
  Pair p = {1, 2};
#pragma omp target defaultmap(tofrom)
  { s += 1; a[0] += s; p.x += a[0]; }
  show("tofrom", s + a[0], p.x);
#pragma omp target defaultmap(to) map(from : got)
  got = s + a[1] + p.y;
  show("to", got, s);
#pragma omp target defaultmap(firstprivate) map(from : got)
  got = s + a[2] + p.x;
  show("firstprivate", got, s);
#pragma omp target defaultmap(default) map(tofrom : s)
  { a[1] += s; s = p.x; }
  show("default", s, a[1]);
#pragma omp target defaultmap(none) map(tofrom : a) firstprivate(s) map(to : p)
  a[2] += s + p.y;
  show("none", s, a[2]);
#pragma omp target data map(tofrom : s, a, p)
  {
#pragma omp target defaultmap(present)
    { s += 3; a[0] += s; p.y += a[0]; }
  }
  show("present", s + a[0], p.y);
#pragma omp target defaultmap(tofrom : scalar) defaultmap(to : aggregate) defaultmap(firstprivate : pointer)
  s += a[0] + p.y;
  show("three of them", s, a[0]);
}

int main(void) {
  scalars();
  aggregates();
  pointers();
  together();
  return 0;
}
