// Regions in named namespaces of unnamed ones, of which device code needs nothing.
#include <cstdio>
namespace { namespace inner { namespace deep { int f(int x) {
#pragma omp target map(tofrom: x)
  x++;
  return x; } } int g(int x) {
#pragma omp target map(tofrom: x)
  x--;
  return x; } int used(int x) { return x + 2; }
  namespace deep { int h(int x) {
#pragma omp target map(tofrom: x)
  x += used(1);
  return x; } } } }
namespace out { namespace { namespace one { int k(int x) {
#pragma omp target map(tofrom: x)
  x *= 3;
  return x; } } } int call(int x) { return one::k(x); } }
int local(int mode) {
  struct Local { static int go(int x) { int r = x;
#pragma omp target map(tofrom: r)
    r -= 5;
    return r; } };
  return Local::go(mode); }
int main() { printf("%d %d %d %d %d\n", local(9), inner::deep::f(1), inner::g(1), inner::deep::h(1), out::call(2)); }
