// Lambdas in classes whose parameters and results have types of the class, or of its bases; macros named as in headers.
#include <cstdio>

#define R(x) ((x) + 1)
#define A(x) ((x) - 1)

template <class C, class F> int each(const C *p, F f) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0 : 10])
  for (int i = 0; i < 10; i++) s += f(p[i]);
  return s;
}
template <class C, class F> int made(F f) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < 10; i++) {
    const C c = f(i);
    s += c.v;
  }
  return s;
}

struct Own {
  struct Cell { int v; };
  enum Kind { Few = 2, Many };
  Cell c[10] = {};
  int go() {
    return each(c, [](const Cell &c) -> int { return c.v + 1; }) + made<Cell>([](int i) -> Cell { return {i * Many}; });
  }
  int kinds() {
    return each(c, [k = Few](Cell c) { return c.v + R(k) + A(Many); }) +
           made<Cell>([first = 3](const int &i) -> const Cell { return Cell{i + first}; });
  }
};
struct Base {
  struct Cell { int v; };
  Cell c[10] = {};
};
struct Derived : Base {
  int go() {
    return each(c, [](const Cell &c) { return c.v + 2; });
  }
};
template <class T> struct Common {
  struct Cell { T v; };
  using Number = T;
  Cell c[10] = {};
  template <class F> T all(F f) const {
    T s{};
    const Cell *p = c;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0 : 10])
    for (int i = 0; i < 10; i++) s += f(p[i]);
    return s;
  }
};
struct Special : Common<int> {
  int go() {
    return each(c, [](Cell c) { return c.v + 3; });
  }
  int heavy() const {
    return all([m = 3](const Cell &c) { return c.v < m ? m : c.v; }) + all([](Cell c) -> Number { return c.v + 5; });
  }
};

int main() {
  std::printf("%d %d %d %d %d\n", Own().go(), Own().kinds(), Derived().go(), Special().go(), Special().heavy());
  return 0;
}
