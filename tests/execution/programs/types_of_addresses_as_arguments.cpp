// Types of arguments of templates that are functions and members have aliases that kernels do not see.
#include <cstdio>
namespace lib { struct P { double x; int k; double kin() const { return x * k; } static int st(int a) { return a + 1; } }; typedef double (P::*meth)() const; using mem = int P::*; typedef int (*fn)(int); using rf = int (&)(int); inline int trip(int a) { return 3 * a; } template <class T> using ptr = T (*)(T); inline double dbl(double x) { return 2 * x; } enum class Col { r, g }; typedef Col col_t; }
template <lib::meth M, lib::mem F, lib::fn G, lib::rf H, lib::ptr<double> D, lib::col_t C> double run(const lib::P *p, int n) { double s = 0;
#pragma omp target teams distribute parallel for map(to: p[0:n]) reduction(+: s)
  for (int i = 0; i < n; i++) s += (p[i].*M)() + p[i].*F + G(i) + H(i) + D(i) + (C == lib::Col::g);
  return s; }
template <class T, T (*F)(T), T T::*...> struct W {};
template <class T, T (*F)(T)> T app(T v) { T r = 0;
#pragma omp target map(from: r)
  r = F(v);
  return r; }
int main() { lib::P p[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  printf("%g\n", run<&lib::P::kin, &lib::P::k, lib::P::st, lib::trip, lib::dbl, lib::Col::g>(p, 4));
  printf("%d %g\n", app<int, lib::trip>(2), app<double, &lib::dbl>(2)); }
