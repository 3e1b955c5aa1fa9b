// Reductions and mappers that class templates declare for classes that are their members.
#include <cstdio>
template <class R> struct H { R base = 2;
  struct T { R m = 0; T &operator+=(const T &o) { m += o.m; return *this; } };
  struct V { int n; R *p; }; 
#pragma omp declare reduction(+: T: omp_out += omp_in) initializer(omp_priv = T{})
#pragma omp declare mapper(V v) map(v, v.p[0:v.n])
  T sum() const { T t; R b = base; R buf[10]; for (int i = 0; i < 10; i++) buf[i] = R(i); V v{10, buf};
#pragma omp target teams distribute parallel for reduction(+: t) map(tofrom: v)
    for (int i = 0; i < v.n; i++) { t += T{v.p[i] * b}; v.p[i] += 1; }
    t.m += buf[9]; return t; }
  template <class U> struct In { U u; R r; };
#pragma omp declare reduction(add: In<int>: omp_out.u += omp_in.u, omp_out.r += omp_in.r) initializer(omp_priv = {0, 0})
  R two() { In<int> a{1, 2}; In<R> c{3, 4};
#pragma omp target teams distribute parallel for reduction(add: a)
    for (int i = 0; i < 10; i++) { a.u += i; a.r += 1; }
    return a.u + a.r * 100 + c.u * 1000 + c.r; } };
int main() { H<double> h; H<float> g; printf("%g %g\n", h.sum().m, g.sum().m); printf("%g %g\n", h.two(), g.two()); }
