#include <cstdio>
static int neg(int x) { return -x; }
struct Op { int (*f)(int); int k; int run(int x) const { return f(x) + k; } };
struct Table { int (*fs[3])(int); };
static int (*const fixed[2])(int) = {neg, neg};
struct Fn { int operator()(int x) const { return x; } };
template <class F> int with(F f, int x) { return f(x); }
int main() {
  Op o = {neg, 2}; Table t = {{neg, neg, neg}}; int r = 0; Op *p = &o; Fn fn;
#pragma omp target map(to: o) map(tofrom: r)
  r = o.run(3);
#pragma omp target map(to: t) map(tofrom: r)
  r += t.fs[2](1);
#pragma omp target map(to: p[0:1]) map(tofrom: r)
  { int (*h)(int) = p->f; r += (*p->f)(1) + with(fn, 2) + h(2); }
#pragma omp target map(tofrom: r)
  { Op own = {neg, 1}; r += own.f(2); }
#pragma omp target map(tofrom: r)
  r += fixed[1](2);
#pragma omp target map(to: o) map(tofrom: r)
  { auto l = [](int x) { return x; }; r += l(1) + with(l, 2); }
  printf("%d\n", r);
}
