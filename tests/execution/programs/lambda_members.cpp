// Members that lambdas of methods name: of bases, of classes and unions inside, hidden ones, and static ones.
#include <cstdio>
#pragma omp declare target
int v = 1000;
int get() { return 2000; }
#pragma omp end declare target
template <class T, class B> T reduce(int n, T init, B body) { T s = init;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += body(i);
  return s; }
struct Base { protected: int v = 3; int get() const { return 4; } static constexpr int K = 5; };
class D : public Base { int w = 6; union { int x; float y; }; struct In { int q = 8; int m() const { return q + 1; } } in;
public: D() { x = 7; }
  int a() const { return reduce(2, 0, [*this](int i) { int w = 100; return v + get() + this->w + w + K; }); }
  int b() const { return reduce(2, 0, [*this](int i) { return in.q + in.m() + i; }); }
  int c() const { int v = 50; return reduce(2, 0, [=, *this](int i) { return v + this->v; }); }
  int d() const { return reduce(2, 0, [*this](int i) { auto f = [&](int j) { return w + j; }; struct L { int w; int g() { return w; } } l{9}; return f(i) + l.g(); }); }
  int e() const { return reduce(2, 0, [*this](int i) { return x + ::v + ::get(); }); }
  template <class T> T t(T k) const { return reduce(2, T(), [*this, k](int i) { return T(w) * k; }); }
  template <class T> T helper(int i) const { return T(i + w); }
};
int main() {
  D d;
  printf("%d\n", d.a());
  printf("%d\n", d.b());
  printf("%d\n", d.c());
  printf("%d\n", d.d());
  printf("%d\n", d.e());
  printf("%d\n", d.t(2));
  printf("%g\n", d.t(1.5));
}
