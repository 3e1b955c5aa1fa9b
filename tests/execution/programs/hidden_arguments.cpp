// Arguments of templates and types of variables whose names mean something else in the namespace of a region.
#include <cstdio>
struct S {
  int v;
};
struct T {
  int v;
  int f() const { return v; }
};
inline T make(int v) { return T{v}; }
namespace N {
struct S {
  int v;
};
}
namespace M {
struct S {
  int u, v, w;
};
namespace N {
struct S {
  int v, w;
};
}
template <class T> int sum(T t) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = t.v * 100 + (int)sizeof(T);
  return s;
}
template <class... T> int sizes(int k) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = k * 100 + (int)(sizeof(T) + ... + 0);
  return s;
}
struct T {
  int v;
  int f() const { return -v; }
};
int deduced() {
  int r = 0;
  auto t = make(3);
  auto &u = t;
  const auto c = make(4);
#pragma omp target map(tofrom : r) map(to : t)
  r = t.f() * 10 + c.f();
#pragma omp target map(tofrom : r) firstprivate(u)
  {
    auto w = u;
    r += w.f();
    auto z = make(2);
    r += z.f();
  }
#pragma omp target teams distribute parallel for private(t) reduction(+ : r)
  for (int i = 0; i < 4; i++) {
    t.v = i;
    r += t.f();
  }
  return r;
}
int all() { return sum(::N::S{1}) + sum(N::S{2, 3}) + sum(::S{4}) + sum(S{5, 6, 7}); }
int counted() { return sizes<::N::S, ::S>(1) + sizes<N::S, S>(2); }
}
int main() { printf("%d %d %d %d\n", M::all(), M::counted(), M::sum(N::S{4}), M::deduced()); }
