/* Methods that the compiler makes, inside and outside of classes: they have no qualifiers unless they are virtual; and
   the functions of bases and members that they call, which no expression names. */
#include <cstdio>
#include <utility>
struct A { int n; A() = default; A(const A &) = default; A &operator=(const A &) = default; ~A() = default; A(int k) : n(k) {} };
struct B { A a; B(); B(const B &) = default; virtual ~B() = default; virtual int get() const { return a.n; } };
inline B::B() = default;
template <class T> struct C { T t; C() = default; C(T v) : t(v) {} C(const C &) = default; };
struct Part { int v; Part(int v = 1); Part(const Part &o); Part(Part &&o); Part &operator=(const Part &o); Part &operator=(Part &&o); ~Part(); };
Part::Part(int v) : v(v) {}
Part::Part(const Part &o) : v(o.v + 10) {}
Part::Part(Part &&o) : v(o.v + 100) {}
Part &Part::operator=(const Part &o) { v = o.v + 1000; return *this; }
Part &Part::operator=(Part &&o) { v = o.v + 10000; return *this; }
Part::~Part() { v = 0; }
struct Parts { Part one; Part two[2]; };
struct Whole : Parts { Part more{7}; };
template <class T> struct Own { T v; Own(T v = 2); Own(const Own &o); ~Own(); };
template <class T> Own<T>::Own(T v) : v(v) {}
template <class T> Own<T>::Own(const Own &o) : v(o.v + 10) {}
template <class T> Own<T>::~Own() { v = 0; }
template <class T> struct Owns { Own<T> one[2]; Own<T> more{4}; };
template <class T> struct Above : Own<T> { T get() const { return this->v; } };
template <class... B> struct Mixed : B... {};
template <class T> struct Func { virtual T eval(T x) const; virtual ~Func() {} };
template <class T> T Func<T>::eval(T x) const { return x; }
template <class T> struct Scaled : Func<T> { T k; Scaled(T k) : k(k) {} T eval(T x) const; };
template <class T> T Scaled<T>::eval(T x) const { return k * x; }
template <class B> struct Shifted : B { using B::B; int eval(int x) const override; };
template <class B> int Shifted<B>::eval(int x) const { return B::eval(x) + 50; }
int copies() {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < 3; i++) {
    Whole a; Whole b = a; Whole c(std::move(b)); Whole d; d = c; Whole e; e = std::move(d);
    s += a.one.v + b.more.v + c.two[1].v + d.more.v + e.one.v;
    Owns<int> o; Owns<int> p = o; Above<int> q;
    s += o.one[1].v + p.more.v + q.get();
    Mixed<Parts, Owns<int>> m; auto call = [m] { return m.Parts::one.v + m.more.v; };
    s += call();
    Func<int> f; Scaled<int> g(3); Shifted<Scaled<int>> h(2);
    const Func<int> *all[] = {&f, &g, &h};
    for (const Func<int> *each : all) s += each->eval(i);
  }
  return s;
}
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
  printf("%d %d\n", r, copies());
}
