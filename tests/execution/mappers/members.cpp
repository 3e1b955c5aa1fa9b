// Classes without a mapper whose members, base classes and arrays have one: each part goes through its own.
#include "checks.h"
struct vec { int n; double *p; int host; };
#pragma omp declare mapper(vec v) map(to : v.n) map(v.p[0:v.n])

struct holder { int a; vec in; int z; };
struct deep { char c; holder h[2]; double tail; };
class closed {
  int first = 1;
  vec mine;
  char last = 'l';

 public:
  closed(vec v) : mine(v) {}
  void add() {
#pragma omp target
    { first = 2; mine.p[0] += 1; mine.host = 77; last = 'm'; }
  }
  bool right(double p) const { return first == 2 && mine.p[0] == p && mine.host == 5 && last == 'm' && mine.n == 2; }
};
struct base : vec { short own; };          // own lies behind vec's last member
struct first { virtual int f() { return 1; } int x; };
struct second : base, first { char c; vec more; };
struct plain { union { vec either; int other; }; int k; };
template <class T> struct pair { T t; vec v; };
struct bits { unsigned a : 3, b : 5; struct { int k; vec v; } unnamed; };
struct own { vec v; double *q; };
#pragma omp declare mapper(own o) map(o) map(o.q[0:2])
namespace ns {
struct inner { int *p; };
#pragma omp declare mapper(inner i) map(i.p[0:2])
struct outer { int k; inner i; };
}
class around {
  struct secret { int *p; };
#pragma omp declare mapper(secret s) map(s.p[0:2])
  struct wrap { int k; secret s; };
 public:
  static bool works() {
    int t[2] = {1, 2};
    wrap w{3, {t}};
#pragma omp target map(tofrom : w)
    { w.s.p[1] = w.k; w.k = 4; }
    return t[1] == 3 && w.k == 4 && w.s.p == t;
  }
};

static vec made(double first) { return {2, numbers(2, first), 5}; }
template <class T> static double twice(T x) {
  pair<T> o{x, made(8)};
#pragma omp target map(tofrom : o)
  { o.t *= 2; o.v.p[1] *= 2; }
  return o.t + o.v.p[1];
}

int main() {
  holder o{1, made(10), 3};
  double *kept = o.in.p;
#pragma omp target map(tofrom : o)
  { o.a += o.in.n; o.in.n = 9; o.in.host = 9; o.in.p[1] = 40; o.z = 30; }
  CHECK(o.a == 3 && o.in.n == 2 && o.in.host == 5 && o.in.p == kept && kept[1] == 40 && o.z == 30 && !here(kept) && !here(&o));
#pragma omp target
  { o.a = 7; o.in.p[0] = 70; o.in.host = 1; }
  CHECK(o.a == 7 && kept[0] == 70 && o.in.host == 5 && !here(&o));
#pragma omp target map(to : o)
  { o.a = 8; o.in.p[0] = 80; }
  CHECK(o.a == 7 && kept[0] == 70);

  holder list[3] = {{1, made(1), 1}, {2, made(2), 2}, {3, made(3), 3}};
  holder *l = list;
#pragma omp target enter data map(to : l[1:2])
  CHECK(!here(&list[0].a) && here(&list[1]) && here(list[2].in.p) && !here(list[0].in.p));
#pragma omp target map(tofrom : l[1:2])
  { l[1].in.p[0] = 100; l[2].z = 200; l[2].in.p[1] = l[2].in.n; }
  CHECK(list[1].in.p[0] == 2 && list[2].z == 3);
#pragma omp target update from(l[2:1])
  CHECK(list[1].in.p[0] == 2 && list[2].z == 200 && list[2].in.p[1] == 2);
  list[1].a = 55, list[1].in.p[1] = 56, list[1].in.host = 57;
#pragma omp target update to(list[1])
  int seen = 0;
#pragma omp target map(tofrom : l[1:2], seen)
  seen = l[1].a + (int)l[1].in.p[1];
  CHECK(seen == 111);
#pragma omp target exit data map(from : l[1:2])
  CHECK(list[1].in.p[0] == 2 && list[1].in.p[1] == 56 && !here(&list[1]) && !here(list[1].in.p) && list[1].in.host == 57);
#pragma omp target data map(tofrom : list)
  {
#pragma omp target
    { list[0].a = 11; list[0].in.p[1] = 12; }
    CHECK(list[0].a == 1 && list[0].in.p[1] == 2);
  }
  CHECK(list[0].a == 11 && list[0].in.p[1] == 12 && !here(list));

  deep d{'c', {{1, made(20), 2}, {3, made(30), 4}}, 5};
#pragma omp target map(tofrom : d)
  { d.c = 'd'; d.h[1].in.p[1] = 33; d.h[1].in.host = 1; d.h[0].z = 22; d.tail = 50; }
  CHECK(d.c == 'd' && d.h[1].in.p[1] == 33 && d.h[1].in.host == 5 && d.h[0].z == 22 && d.tail == 50 && !here(&d));
  deep two[2] = {d, d};
#pragma omp target
  { two[1].h[0].in.p[0] = 44; two[1].tail = 51; }
  CHECK(d.h[0].in.p[0] == 44 && two[1].tail == 51 && !here(two));

  closed c(made(1));
  c.add();
  CHECK(c.right(2));

  second s;
  static_cast<vec &>(s) = made(60);
  s.own = 6, s.x = 7, s.c = 'c', s.more = made(70);
#pragma omp target map(tofrom : s)
  { s.p[0] = s.own + s.x; s.own = 16; s.x = 17; s.c = 'd'; s.more.p[1] = 77; s.more.host = 1; s.host = 1; }
  CHECK(s.p[0] == 13 && s.own == 16 && s.x == 17 && s.c == 'd' && s.more.p[1] == 77 && s.more.host == 5 && s.host == 5);
  CHECK(s.f() == 1 && !here(&s) && !here(s.p));
  struct { int k; base b; } unnamed_kind{1, {made(3), 4}};
  base bs[2] = {unnamed_kind.b, unnamed_kind.b};
  bs[1].p = numbers(2, 9);
#pragma omp target data map(tofrom : bs[1:1])
  {
    CHECK(here(bs[1].p) && !here(bs[0].p) && here(&bs[1]) && !here(&bs[0].n));
#pragma omp target map(tofrom : bs[1:1])
    { bs[1].own++; bs[1].p[0]++; }
  }
  CHECK(bs[1].own == 5 && bs[1].p[0] == 10);

  plain u;
  u.other = 1, u.k = 2;
#pragma omp target map(tofrom : u)
  { u.other++; u.k++; }
  CHECK(u.other == 2 && u.k == 3);
  CHECK(twice(3) == 24);
  bits b;
  b.a = 5, b.b = 9, b.unnamed.k = 3, b.unnamed.v = made(2);
#pragma omp target map(tofrom : b)
  { b.a = 6; b.b += 1; b.unnamed.v.p[0] = b.unnamed.k; }
  CHECK(b.a == 6 && b.b == 10 && b.unnamed.v.p[0] == 3 && b.unnamed.v.host == 5);
  own w{made(5), numbers(2, 3)};
#pragma omp target map(tofrom : w)
  { w.v.p[0] = w.q[1]; w.q[0] = 9; w.v.host = 8; }
  CHECK(w.v.p[0] == 4 && w.q[0] == 9 && w.v.host == 5 && !here(&w) && !here(w.q));
  int t[2] = {1, 2};
  ns::outer no{4, {t}};
#pragma omp target
  { no.i.p[0] = no.k; }
  CHECK(t[0] == 4 && around::works());
  holder always{1, made(1), 1};
#pragma omp target data map(to : always)
  {
    always.a = 2, always.in.p[0] = 3;
#pragma omp target map(always, tofrom : always)
    { always.a *= 10; always.in.p[0] *= 10; }
    CHECK(always.a == 20 && always.in.p[0] == 30);
  }
#pragma omp target map(tofrom : o) map(o.in.p[0:2])
  { o.in.p[0] = 1; o.z = 2; }
  CHECK(o.in.p[0] == 1 && o.z == 2 && !here(&o) && !here(o.in.p));
  printf("failures: %d\n", failures);
  return failures != 0;
}
