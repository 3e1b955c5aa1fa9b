// Lambdas for templates with regions that name what their functions declare, and many of them for one template.
#include <cstdio>
template <class F> int call(F f, int x) {
  int r = 0;
#pragma omp target map(r)
  r = f(x);
  return r;
}
template <class E> int with(E e, int x) {
  int r = 0;
#pragma omp target map(r)
  r = (int)e + x;
  return r;
}
template <class F> int by_type(int x) {
  int r = 0;
#pragma omp target map(r)
  {
    struct { F f; } *holder = nullptr;
    r = sizeof(*holder) + x;
  }
  return r;
}
static int apply(int (*f)(int), int x) { return f(x); }
template <class F> int by_pointer(F f, int x) {
  int r = 0;
#pragma omp target map(r)
  {
    int (*own)(int) = f;
    r = own(x) + apply(f, x);
  }
  return r;
}
template <class T> int scaled(T by) {
  static const T steps[] = {2, 4};
  return call([=](int x) { return int(steps[x] * by); }, 1);
}
int main() {
  int k = 4;
  struct L {
    int v;
    int twice() const { return 2 * v; }
  };
  L l{8};
  static const int six = 6;
  static const double table[3] = {1.5, 2.5,
                                  3.5};
  constexpr int seven = 7;
  printf("%d\n", call([=](int x) { return l.v + six + seven + x; }, 2));
  printf("%d\n", call([=](int x) { L q{x}; return l.v + q.twice(); }, 2));
  printf("%d\n", call([=](int x) { return (int)(2 * table[x]) + k; }, 2));
  enum { N = 5, M };
  enum class C { a = 2, b };
  enum D { c, d } dd = d;
  enum K : short { kk = 7 };
  printf("%d\n", call([=](int x) { return N + M * x + dd; }, 2));
  printf("%d\n", call([=](int x) { C q = C::b; return (int)q + d + x; }, 2));
  printf("%d %d\n", with(kk, 3), with(C::a, 3));
  struct P {
    int a;
    enum { two = 2 };
    int get() const { return a * two; }
  };
  struct Q { P p; int m; };
  Q q{{3}, 4};
  printf("%d\n", call([q](int x) { P p = q.p; return p.get() + P::two + q.m + x; }, 2));
  printf("%d %d\n", scaled(3), scaled(1.5));
  printf("%d\n", by_pointer([](int x) { return x + 5; }, 3));
  printf("%d\n", by_pointer([](int x) noexcept -> int { return apply([](int y) { return y - 1; }, x); }, 3));
  auto named = [](int x) { return x * 7; };
  printf("%d\n", by_type<decltype(named)>(named(2)));
  printf("%d\n", call([=](int x) { return x * k + 1; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 2; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 3; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 4; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 5; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 6; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 7; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 8; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 9; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 10; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 11; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 12; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 13; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 14; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 15; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 16; }, 2));
  printf("%d\n", call([=](int x) { return x * k + 17; }, 2));
}
