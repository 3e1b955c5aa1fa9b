// Using declarations that bring in variables of a namespace or a base class, which kernels get as arguments.
#include <cstdio>
namespace N {
int h = 6, k = 1, far = 3;
enum E { A = 4 };
struct T { int x; };
#pragma omp declare target
int there = 2;
int twice(int x) { return 2 * x; }
#pragma omp end declare target
}
using N::k;
namespace M {
using N::far;
int outer() {
  int s = 0;
#pragma omp target map(from : s)
  s = far;
  return s + far;
}
}
struct Base { static int n; };
int Base::n = 3;
struct Derived : Base {
  using Base::n;
  int read() {
    int s = 0;
#pragma omp target map(from : s)
    s = n;
    return s;
  }
};
int main() {
  int s = 0, out[10];
  using N::h; using N::E; using N::A; using N::T; using N::there; using N::twice;
#pragma omp target map(from : s)
  { T one{3}; E e = A; s = h + k + N::far + e + one.x + there + twice(4); }
  std::printf("%d\n", s);
  Derived d;
  std::printf("%d %d %d\n", M::outer(), d.read(), Derived::n);
  using M::far;
#pragma omp target map(tofrom : N::far, h)
  { far++; h += N::far; }
  std::printf("%d %d\n", far, N::h);
  int before = h;
#pragma omp target teams distribute parallel for private(h) map(from : out)
  for (int i = 0; i < 10; i++) { h = i; out[i] = h * 2; }
  h = before;
  std::printf("%d\n", out[9]);
}
