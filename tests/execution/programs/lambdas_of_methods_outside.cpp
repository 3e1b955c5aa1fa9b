// Lambdas in methods that are defined outside of their classes, constant methods and templates among them.
#include <cstdio>
template <class C, class F> int each(const C *p, F f) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:10])
  for (int i = 0; i < 10; i++) s += f(p[i]);
  return s;
}
namespace ns {
class Own {
  struct Cell { int v; };
  enum Kind { Few = 2 };
  enum class Level { Low = 1, High = 9 };
  static int twice(int x) { return 2 * x; }
  Cell c[10] = {};
 public:
  int go();
  int more() const;
  template <class T> int typed(T k);
};
int Own::go() {
  return each(c, [](const Cell &c) -> int { return c.v + Few; }) + each(c, [k = Few](Cell c) { Kind q = Kind::Few; return c.v + k + q + Own::twice(3) + int(Level::High); });
}
int Own::more() const {
  return each(c, [this](const Own::Cell &x) { const Own *o = this; return x.v + o->c[0].v + Own::Few + Own::Kind::Few; });
}
template <class T> int Own::typed(T k) {
  return each(c, [k](const Cell &c) { return int(c.v + k + Few); });
}
template <class T> class Box {
  struct Cell { T v; };
  enum Kind { Few = 2 };
  Cell c[10] = {};
 public:
  int go();
  int in() { return each(c, [](const Cell &c) { return int(c.v) + Few; }) + each(c, [b = 3](Cell c) { Kind k = Few; return int(c.v) + b + k; }); }
};
template <class T> int Box<T>::go() {
  return each(c, [](const Cell &c) { return int(c.v) + Few + 1; }) + each(c, [b = 3](Cell c) { Kind k = Few; return int(c.v) + b + k; });
}
}
int main() {
  ns::Own o; ns::Box<float> b; ns::Box<int> bi;
  int own[1];
#pragma omp target data map(to : o)
  own[0] = o.more();
  printf("%d %d %d %d %d %d %d\n", o.go(), own[0], o.typed(2), o.typed(2.5), b.go(), b.in(), bi.go());
}
