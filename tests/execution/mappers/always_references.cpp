// `always` with references, and with classes made from templates: copies leave pointers attached.
#include "checks.h"
template <class I> struct Buf { I *whole; I *&h; I **&hh; I &one; int extra; };
template <class T> struct Vec { T *p; int n; };
struct Ref { int &r; int k; };
template <class I> struct Work {
  Buf<I> b;
  void members() {
    int bad = 0;
#pragma omp target enter data map(alloc : b.h, b.h[2:3])
#pragma omp target enter data map(always, to : b.h, b.h[2:3])
#pragma omp target map(alloc : b.h, b.h[2:3]) map(from : bad)
    { bad = b.h[2] != 46; b.h[2] = 36; }
#pragma omp target exit data map(always, from : b.h, b.h[2:3])
#pragma omp target exit data map(release : b.h, b.h[2:3])
    CHECK(!bad && b.h[2] == 36);
  }
};
template <class I> static void one(Buf<I> b) {
#pragma omp target data map(tofrom : b.one)
  {
    b.one = 5;
#pragma omp target map(always, tofrom : b.one)
    b.one += 1;
    CHECK(b.one == 6);
  }
  int seen = 0;
#pragma omp target data map(to : b.hh, b.hh[0][0:4])
  {
#pragma omp target map(always, to: b.hh) map(always, tofrom: b.hh[0][0:4]) map(from : seen)
    { seen = b.hh[0][3]; b.hh[0][3] = 12; }
  }
  CHECK(seen == 7 && b.hh[0][3] == 12);
  b.hh[0][3] = 7;
}
template <class T> static void vec(Vec<T> v) {
#pragma omp target data map(to : v, v.p[0:v.n])
  {
    v.p[0] = 9;
    T seen = 0;
#pragma omp target map(always, to : v) map(from : seen)
    { seen = v.p[0]; v.p[1] = 3; }
    CHECK(seen != 9 && v.n == 4);
#pragma omp target update to(v.p[0:1])
#pragma omp target map(always, tofrom : v) map(tofrom : v.p[0:v.n]) map(from : seen)
    seen = v.p[0];
    CHECK(seen == 9);
#pragma omp target update from(v.p[0:v.n])
    CHECK(v.p[1] == 3);
  }
}
static void ref() {
  int x = 1;
  Ref s{x, 2};
#pragma omp target data map(to : s, s.r)
  {
    int seen = 0;
    x = 50;
#pragma omp target map(always, to : s) map(from : seen)
    { seen = s.r; s.r = 8; s.k = 3; }
    CHECK(seen == 1);
#pragma omp target update from(s.r)
    CHECK(x == 8);
  }
}
template <class T> struct Method {
  T *&p; int n;
  void go() {
#pragma omp target enter data map(to : this[0:1], p[0:n])
    p[0] = 4;
    T seen = 0;
#pragma omp target map(always, to : p[0:n]) map(from : seen)
    { seen = p[0]; p[1] = 5; }
    CHECK(seen == 4);
#pragma omp target map(always, to : this[0:1]) map(from : seen)
    seen = p[1];
    CHECK(seen == 5);
#pragma omp target exit data map(from : p[0:n]) map(release : this[0:1])
    CHECK(p[1] == 5 && !here(p) && !here(this));
  }
};
int main() {
  int store[7] = {8, 9, 10, 46, 7, 8, 4};
  int *h = store + 1, **hh = &h, single = 3;
  h[2] = 46;
  Work<int>{{store, h, hh, single, 3}}.members();
  one(Buf<int>{store, h, hh, single, 3});
  double d[4] = {1, 2, 3, 4};
  vec(Vec<double>{d, 4});
  ref();
  double *dp = d;
  Method<double>{dp, 4}.go();
  auto lam = [&](Buf<int> &b) {
    int bad = 0;
#pragma omp target enter data map(to : b.h, b.h[2:3])
    b.h[2] = 77;
#pragma omp target enter data map(always, to : b.h, b.h[2:3])
#pragma omp target map(alloc : b.h, b.h[2:3]) map(from : bad)
    { bad = b.h[2] != 77; b.h[2] = 36; }
#pragma omp target exit data map(always, from : b.h, b.h[2:3])
#pragma omp target exit data map(release : b.h, b.h[2:3])
    CHECK(!bad && b.h[2] == 36);
  };
  Buf<int> bb{store, h, hh, single, 3};
  lam(bb);
  printf("failures: %d\n", failures);
}
