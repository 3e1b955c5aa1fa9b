// List items in objects of all layouts: several and virtual bases, unions, anonymous members, templates with references
// as members, items that macros write.
#include <cstdio>
#include <cstring>
struct A { int a = 1; double *pa; };
struct B { int b = 2; virtual ~B() {} double *pb; };
struct C : A, B { int c = 3; double *pc; };
struct V { int v = 5; };
struct W : virtual V { int w = 6; double *pw; };
struct U { union { int i; float f; double d[2]; }; struct { int x; double *y; }; union Named { int k; double *m; } n; int last; };
template <typename T> struct R { T pad; int &ref; T *&p; int z;
  R(int &r, T *&q) : ref(r), p(q) {}
  void run(int n) {
#pragma omp target map(ref, z)
    { ref += n; z = ref; }
#pragma omp target map(p[0 : n], this->ref)
    { p[1] += n; ref++; }
  }
};
struct Deep { double *deep; int more[4]; };
struct Outer { int q; Deep in[2]; };
#define ITEM s.pa
#define PART(i) arr[i]
#define LEN 3
int main() {
  double d[3][8] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  C s; s.pa = d[0]; s.pb = d[1]; s.pc = d[2];
#pragma omp target map(s.a, s.b, s.c)
  { s.a += 1; s.b += s.a; s.c += s.b; }
#pragma omp target map(s.pa[0 : 3], s.pb[0 : 3], s.pc[0 : 3], s.b)
  { s.pa[1] = 10; s.pb[1] = s.b; s.pc[1] = s.pa[1]; }
  printf("%d %d %d %g %g %g\n", s.a, s.b, s.c, d[0][1], d[1][1], d[2][1]);
  W w; w.pw = d[0];
#pragma omp target map(w.w, w.pw[0 : 2])
  { w.w += 1; w.pw[0] = w.w; }
  printf("%d %g\n", w.w, d[0][0]);
  U u; memset(&u, 0, sizeof u); u.y = d[1]; u.n.m = d[2];
#pragma omp target map(u.d, u.y[0 : 2], u.last)
  { u.d[1] = u.y[1]; u.y[0] = 4; u.last = 2; }
#pragma omp target map(u.i) map(u.x)
  { u.i = 3; u.x = 4; }
#pragma omp target map(u.n.m[0 : 3], u.last)
  { u.n.m[2] = 5; u.last++; }
  printf("%g %g %d %d %d %g\n", u.d[1], d[1][0], u.i, u.x, u.last, d[2][2]);
  int r = 3; float f[4] = {1, 2, 3}, *fp = f; double *dp = d[0];
  R<float> one(r, fp); one.z = 1; one.run(2);
  R<double> two(r, dp); two.z = 2; two.run(3);
  printf("%d %d %d %g %g\n", r, one.z, two.z, f[1], d[0][1]);
#pragma omp target map(ITEM[0 : LEN])
  s.pa[2] = 8;
  double *arr[2] = {d[0], d[1]};
  int k = 1;
#pragma omp target map(PART(k)[0 : LEN])
  arr[k][0] = 9;
#pragma omp target map(PART(1)[1 : LEN - 1], s.c)
  { arr[1][1] = 7; s.c = 1; }
  printf("%g %g %g %d\n", d[0][2], d[1][0], d[1][1], s.c);
  Outer anon; anon.in[1].deep = d[2]; anon.q = 0;
  auto &ref = anon.in[1];
#pragma omp target map(ref.deep[0 : 2], ref.more[1 : 2])
  { ref.deep[1] = 6; ref.more[2] = 3; }
  printf("%g %d\n", d[2][1], anon.in[1].more[2]);
}
