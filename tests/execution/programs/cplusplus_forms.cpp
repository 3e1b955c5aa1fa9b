// Forms of C++ around and in regions: declarations in front of definitions, inherited access, initialisers in braces,
// library functions as variants.
#include <cmath>
#include <cstdio>
#include <cstdlib>

class Arrow;
class Body;
template <class T, unsigned D> struct Tuple;
namespace shapes {
template <class T> struct Box;
class Round;
}  // namespace shapes
template <class T, unsigned D> struct Grid {
  T step;
  Tuple<T, D> first() const;
};
template <class A, class B> struct Set;
template <class T, unsigned D> struct Set<Tuple<T, D>, T> {
  static void all(Tuple<T, D> &v, T s) {
    for (unsigned i = 0; i < D; i++) v.at[i] = s;
  }
};
template <class T, unsigned D> struct Tuple {
  T at[D];
  Tuple() {}
  Tuple(T s) { Set<Tuple<T, D>, T>::all(*this, s); }
};
template <class T, unsigned D> Tuple<T, D> Grid<T, D>::first() const { return Tuple<T, D>(step); }

#pragma omp declare target
double force(Body *b, Arrow &a);
int size_in(const shapes::Box<int> *box, const shapes::Round *round);
class Arrow {
 public:
  double x;
  Arrow() : x(0) {}
  double sq() { return x * x; }
};
class Body {
 public:
  Arrow a;
  double m;
  Body() : m(1) {}
};
double force(Body *b, Arrow &a) { return b->m * a.sq(); }
namespace shapes {
template <class T> struct Box {
  T side;
};
class Round {
 public:
  int radius;
};
}  // namespace shapes
int size_in(const shapes::Box<int> *box, const shapes::Round *round) { return box->side * 10 + round->radius; }
#pragma omp end declare target

namespace roots {
class Root {
 protected:
  int r = 4;
  int twice() const { return 2 * r; }
};
}  // namespace roots
class Base : roots::Root {
 protected:
  int v;
  using roots::Root::r;
  using roots::Root::twice;

 public:
  Base(int a) : v{a} {}
};
class Derived : Base {
  using Base::v;

 public:
  int result;
  Derived(int a) : Base(a), result{0} {}
  void run() {
#pragma omp target map(result)
    { result = v + this->r + twice(); }
  }
};
template <class T> class Inner {
 protected:
  T k = 5;
};
template <class T> class Outer : Inner<T> {
  using Inner<T>::k;

 public:
  T out = 0;
  void run() {
#pragma omp target map(out)
    { out = k + this->k; }
  }
};

#pragma omp declare variant(std::fabs) match(construct = {target})
double magnitude(double d) { return d < 0 ? -d : d; }
#pragma omp declare variant(abs) match(construct = {target})
int size_of(int d) { return d < 0 ? -d : d; }

// Volatile variables whose values kernels get.
static double of_volatile() {
  volatile int count = 4;
  const volatile bool yes = true;
  volatile float part = 1.5f;
  double r = 0;
#pragma omp target parallel for map(tofrom : r) num_threads(count) if (yes)
  for (int i = 0; i < count; i++)
    if (i == 3) r = part + count + yes;
  return r;
}

int main() {
  std::printf("%g\n", of_volatile());
  Body b;
  b.a.x = 3;
  Grid<double, 3> g;
  g.step = 2;
  shapes::Box<int> box{4};
  shapes::Round round;
  round.radius = 3;
  double f = 0, d[8];
  int k = 0;
#pragma omp target map(to : b, box, round) map(from : f, k)
  {
    f = force(&b, b.a);
    k = size_in(&box, &round);
  }
#pragma omp target teams distribute parallel for map(from : d)
  for (int i = 0; i < 8; i++) {
    Tuple<double, 3> t = g.first();
    d[i] = t.at[0] * i;
  }
  std::printf("%g %d %g\n", f, k, d[7]);

  Derived derived(2);
  derived.run();
  Outer<int> outer;
  outer.run();
  std::printf("%d %d\n", derived.result, outer.out);

  static int a[64] = {};
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (const int *q{a}; q < a + 64; q++) a[q - a] += 1;
#pragma omp target teams distribute map(tofrom : a)
  for (int i{0}; i < 8; i++) {
#pragma omp parallel for
    for (unsigned j = {0u}; j < 8; ++j) a[i * 8 + j] += j;
  }
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a)
  for (int i{0}; i < 8; i++)
    for (long j{2}; j < 8; j += 2) a[i * 8 + j] += 100;
  for (int i = 0; i < 64; i += 9) std::printf("%d ", a[i]);

  double r = 0;
  int s = 0;
#pragma omp target map(tofrom : r, s)
  {
    r = magnitude(-3.5);
    s = size_of(-7);
  }
  std::printf("%g %g %d %d\n", r, magnitude(-3.5), s, size_of(-7));
}
