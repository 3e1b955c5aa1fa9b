// Names of types that functions around regions declare, and types of variables.
#include <cstdio>
#include <vector>
namespace deep { namespace in { struct V { int x; int get() const { return x; } }; enum class Color { RED = 3, BLUE = 4 }; enum Plain { ONE = 1 }; } }
namespace spaces { using deep::in::V; namespace q = deep::in; }
template <class T> struct Box { T t; using type = T; };
template <class T> using Boxed = Box<Box<T>>;
template <class T> static int tf(T v) {
  int r = 0;
  struct In { T q; };
  using Own = Box<T>;
#pragma omp target map(tofrom : r)
  {
    using I = In; using O = Own; using Ty = T; using Tt = typename Own::type;
    I i{v}; O o{v}; Ty t = v; Tt u = v;
    r = i.q + o.t + t + u;
  }
  return r;
}
struct C {
  struct Nested { int n; };
  using N2 = Nested;
  typedef int Num;
  enum E { FIVE = 5 };
  int m[3];
  static int sz() { return sizeof m / sizeof m[0]; }
  template <class T> static int szt(T) { return sizeof(m) + sizeof(T); }
  int go() {
    int r = 0;
    using Loc = N2;
#pragma omp target map(tofrom : r)
    {
      using I = Nested; using J = N2; using K = Loc; typedef Num Q; using EE = E;
      I i{1}; J j{2}; K k{3}; Q q = 4; EE e = FIVE;
      r = i.n + j.n + k.n + q + e + sz() + szt(1.5) + (int)sizeof m + (int)sizeof(C::m);
    }
    return r;
  }
};
int main() {
  int r = 0;
  {
  r += tf(2) + tf(2.5);
  }
  {
  r += C().go();
  }
  {
  using Vec = Boxed<int>;
  typedef Vec::type Inner;
#pragma omp target map(tofrom : r)
  {
    using X = decltype(r); using Y = Boxed<long>; using W = Inner; using Z = Vec;
    X x = 1; Y y{{2}}; W w{3}; Z z{{4}};
    r += x + y.t.t + w.t + z.t.t;
  }
  }
  {
  using namespace deep;
  namespace s = spaces;
  using s::V;
  using s::q::ONE;
#pragma omp target map(tofrom : r)
  {
    using VV = V; using in::Plain;
    VV v{1}; s::q::V w{2}; Plain p = ONE;
    r += v.get() + w.get() + p;
  }
  }
  {
  auto f = [](int i) { using L = deep::in::V; return L{i}.get(); };
  using V1 = deep::in::V;
  struct Loc { V1 v; using T = V1; };
#pragma omp target map(tofrom : r)
  { using LL = Loc; LL l{{2}}; LL::T t{3}; r += f(2) + l.v.x + t.x; }
  }
  int n = 3, a[4] = {1, 2, 3, 4};
  Box<int> bx{4};
  const int &ref = n;
  using P = decltype(bx);
  typedef decltype(n) N;
#pragma omp target map(tofrom : r)
  {
    decltype(n) k = n;
    decltype(r) q = r;
    decltype(ref) s = n;
    decltype((r)) same = r;
    __typeof__(ref) t = 4;
    decltype(a) b = {5};
    P p{static_cast<decltype(n)>(2.5)};
    N m = 1;
    k++, m++;
    q = 1000;
    b[1] = 9;
    same += k + s + t + p.t + m + b[0] + b[1] + a[1];
  }
  printf("%d %d\n", r, a[1]);
}
