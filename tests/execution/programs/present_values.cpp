// A structure or scalar that a function, an object or a pointer has put on the device: regions use that value, and not
// the one that the host has given it since. Each check says what it must be on a device and on the host.
#include <omp.h>

#include <cstdio>
#include <memory>
#include <functional>
static bool on_device() {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  return !host;
}
static void check(const char *what, long value, long device, long host) {
  const bool right = value == (on_device() ? device : host);
  if (right) std::printf("%s: right\n", what);
  else std::printf("%s: %ld\n", what, value);
}

struct P { int *p; int n; };
struct B { int *p; int n; }; struct D : B { int k; };
struct Holder { P inner; int z; };
void in1(P &s) { 
#pragma omp target enter data map(to: s.p[0:4])
}
void out1(P &s) {
#pragma omp target exit data map(delete: s.p[0:4])
}
void in2(P *s) {
#pragma omp target enter data map(to: s[0:1])
}
void out2(P *s) {
#pragma omp target exit data map(delete: s[0:1])
}
void in3(B &b) {
#pragma omp target enter data map(to: b)
}
void out3(B &b) {
#pragma omp target exit data map(delete: b)
}
void in4(Holder &h) {
#pragma omp target enter data map(to: h.inner)
}
void out4(Holder &h) {
#pragma omp target exit data map(delete: h.inner)
}
template <class T> void in5(T &s) {
#pragma omp target enter data map(to: s)
}
template <class T> void out5(T &s) {
#pragma omp target exit data map(delete: s)
}
template <class T> struct Guard { T &s; Guard(T &s) : s(s) {
#pragma omp target enter data map(to: s)
 } ~Guard() {
#pragma omp target exit data map(delete: s)
 } };
struct Made { int v; Made(int x) : v(x) {
#pragma omp target enter data map(to: this[0:1])
 } ~Made() {
#pragma omp target exit data map(delete: this[0:1])
 } };
struct Outer { Made m; int z; Outer() : m(5), z(1) {} };
struct Base2 { int v; Base2() : v(3) {
#pragma omp target enter data map(to: this[0:1])
 } ~Base2() {
#pragma omp target exit data map(delete: this[0:1])
 } };
struct Derived2 : Base2 { int w = 1; };
P &same(P &s) { return s; }
void keep(P *s, P **k) { *k = s; }
struct Keeper { P *s; };
int a[4] = {1,2,3,4};
void c1() { P s{a, 4}; int r = 0; in1(s);
#pragma omp target map(tofrom: r)
 r = s.p[1];
 check("section in callee", r, 2, 2); out1(s); }
void c2() { P s{a, 4}; int r = 0; in2(&s); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("whole by pointer", r, 4, 9); out2(&s); }
void c3() { D d; int r = 0; d.p = a; d.n = 4; d.k = 1; in3(d); d.n = 9;
#pragma omp target map(tofrom: r)
 r = d.n;
 check("base", r, 4, 9); out3(d); }
void c4() { Holder h; int r = 0; h.inner.p = a; h.inner.n = 4; h.z = 1; in4(h); h.inner.n = 9;
#pragma omp target map(tofrom: r)
 r = h.inner.n;
 check("member", r, 4, 9); out4(h); }
void c5() { P s{a, 4}; int r = 0; in5(s); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("template", r, 4, 9); out5(s); }
void c6() { P s{a, 4}; int r = 0; auto l = [&] {
#pragma omp target enter data map(to: s)
 }; l(); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("lambda", r, 4, 9);
 auto m = [&] {
#pragma omp target exit data map(delete: s)
 }; m(); }
void c7() { Made m(7); int r = 0; m.v = 9;
#pragma omp target map(tofrom: r)
 r = m.v;
 check("constructor", r, 7, 9); }
void c8() { Outer o; int r = 0; o.m.v = 9;
#pragma omp target map(tofrom: r)
 r = o.m.v;
 check("constructor of a member", r, 5, 9); }
void c9() { Derived2 o; int r = 0; o.v = 9;
#pragma omp target map(tofrom: r)
 r = o.v;
 check("constructor of a base", r, 3, 9); }
void c10() { P s{a, 4}; int r = 0; { Guard<P> g(s); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("guard", r, 4, 9); } }
void c11() { P s{a, 4}; int r = 0; P &t = same(s); in2(&t); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("returned reference", r, 4, 9); out2(&t); }
void c12() { P s{a, 4}; int r = 0; P *k; keep(&s, &k); in2(k); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("kept pointer", r, 4, 9); out2(k); }
void c13() { P s{a, 4}; int r = 0; Keeper k{&s}; in2(k.s); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("pointer in a structure", r, 4, 9); out2(k.s); }
void c14() { P s{a, 4}; int r = 0; std::function<void()> f = [&s] { in2(&s); }; f(); s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("function object", r, 4, 9); out2(&s); }
void c15() { P s{a, 4}; int r = 0; int *q = &s.n; 
#pragma omp target enter data map(to: q[0:1])
 s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("address of a member", r, 4, 9);
#pragma omp target exit data map(delete: q[0:1])
}
void c16() { P s{a, 4}; int r = 0; void *v = &s; P *q = static_cast<P *>(v);
#pragma omp target enter data map(to: q[0:1])
 s.n = 9;
#pragma omp target map(tofrom: r)
 r = s.n;
 check("void pointer", r, 4, 9);
#pragma omp target exit data map(delete: q[0:1])
}
void c17() { P s{a, 4}; int r = 0; P t = s; int n = s.n; 
#pragma omp target enter data map(to: t)
 t.n = 9; s.n = 7;
#pragma omp target map(tofrom: r)
 r = s.n * 10 + t.n + n;
 check("copies", r, 78, 83);
#pragma omp target exit data map(delete: t)
}
int main() {
  c1(); c2(); c3(); c4(); c5(); c6(); c7(); c8(); c9(); c10(); c11(); c12(); c13(); c14(); c15(); c16(); c17(); }
