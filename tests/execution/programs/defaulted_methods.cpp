/* Methods that the compiler makes, inside and outside of classes: they have no qualifiers unless they are virtual. */
#include <cstdio>
struct A { int n; A() = default; A(const A &) = default; A &operator=(const A &) = default; ~A() = default; A(int k) : n(k) {} };
struct B { A a; B(); B(const B &) = default; virtual ~B() = default; virtual int get() const { return a.n; } };
inline B::B() = default;
template <class T> struct C { T t; C() = default; C(T v) : t(v) {} C(const C &) = default; };
int main() {
  int r = 0;
#pragma omp target map(from : r)
  {
    A a(3), b(a);
    B x;
    x.a = b;
    B y(x);
    C<int> c(5), d = c;
    r = a.n + y.get() + d.t;
    struct L { int k; L() = default; L(const L &) = default; } l;
    l.k = 1;
    L m(l);
    r += m.k;
  }
  printf("%d\n", r);
}
