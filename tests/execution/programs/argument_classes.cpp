// Classes that functions declare as arguments of templates with regions; classes that only arguments name.
#include <cstdio>
template <class F, class T> T each(int n, const T *a, F f) {
  T s = 0;
#pragma omp target teams distribute parallel for map(to : a[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(a[i]);
  return s;
}
template <class T> struct Box {
  int n;
  T *at;
  int size() const { return n * (int)sizeof(T); }
  void count() {
#pragma omp target map(tofrom : n)
    n += (int)sizeof(T);
  }
};
struct Inner { double d[3]; };
namespace lib { struct Deep { struct Most { char c[7]; }; }; enum class E : short { A }; template <class T> struct V { T v; }; }
template <class T> struct Tag {};
using Boxed = Box<lib::Deep::Most>;
class Secret {
  struct Part { short s[2]; };
public:
  int run() {
    Box<Part> b{1, nullptr};
    int r = 0;
#pragma omp target map(to : b) map(from : r)
    r = b.n * 2;
    b.count();
    return r + b.n;
  }
};
template <class T> int unused_in_region(int n) {
  T t{};
#pragma omp target map(tofrom : n)
  n += 1;
  return n + (int)sizeof t;
}
static int late() {
  struct Add { int by; explicit Add(int b) : by(b) {} ~Add() = default; int operator()(int x) const { return x + by; } };
  struct Pair { int a, b; } both = {1, 2};
  int k[3] = {1, 2, 3};
  Box<Pair> box{3, &both};
  box.count();
  return each(3, k, Add(4)) + box.n + both.b;
}
int main() {
  int k[4] = {1, 2, 3, 4};
  struct Times {
    int by;
    struct Sub { int z; } sub;
    int operator()(int x) const { return x * by + sub.z; }
  };
  printf("%d\n", each(4, k, Times{3, {1}}));
  {
    struct Times { double operator()(double x) const { return x / 2; } };
    double d[2] = {3, 4};
    printf("%g\n", each(2, d, Times()));
  }
  Box<Inner> b{2, nullptr};
  Boxed c{3, nullptr};
  Box<Tag<lib::E>> e{4, nullptr};
  Box<lib::V<Inner> *> v{5, nullptr};
  int r = 0;
#pragma omp target map(to : b) map(from : r)
  r = b.size();
  printf("%d\n", r);
#pragma omp target map(to : c, v) map(from : r)
  r = c.size() + v.n;
  printf("%d\n", r);
  b.count(), c.count(), e.count(), v.count();
  printf("%d %d %d %d\n", b.n, c.n, e.n, v.n);
#pragma omp target firstprivate(e) map(from : r)
  r = e.n;
  Secret s;
  printf("%d %d %d %d\n", r, s.run(), unused_in_region<Inner>(1), unused_in_region<lib::V<lib::Deep>>(2));
  printf("%d\n", late());
}
