/* Members of a class template that the user has written for one class and that code calls without naming them: what
   copies an object that a lambda or a class holds, what makes one, conversions. */
#include <cstdio>

template <class T> struct Cell {
  T t;
  Cell() : t(1) {}
  Cell(T x) : t(x) {}
  Cell(const Cell &o) : t(o.t) {}
  operator int() const { return (int)t; }
  Cell &operator=(const Cell &o) {
    t = o.t;
    return *this;
  }
};
template <> Cell<int>::Cell(const Cell &o) : t(o.t + 4) {}
template <> Cell<int>::Cell() : t(40) {}
template <> Cell<int>::operator int() const { return t * 2; }
template <> Cell<int> &Cell<int>::operator=(const Cell &o) {
  t = o.t + 300;
  return *this;
}
template <class T> struct Holds { Cell<T> cell; };
template <class T> struct Inherits : Cell<T> {};
template <class T> T same(T t) { return t; }

template <class T> void captured(int *r) {
  Holds<T> held;
  held.cell.t = 5;
#pragma omp target map(tofrom : r[0:1])
  {
    auto f = [=] { return (int)held.cell.t; };
    r[0] = f();
  }
}
template <class T> void converted(int *r) {
#pragma omp target map(tofrom : r[0:1])
  {
    Cell<T> c(7);
    int i = c;
    r[0] = i;
  }
}
template <class T> void made(int *r) {
#pragma omp target map(tofrom : r[0:4])
  {
    Holds<T> one, other = one;
    Inherits<T> third, last = same(third);
    r[0] = one.cell.t;
    r[1] = other.cell.t;
    r[2] = last.t;
    other = one;
    r[3] = other.cell.t;
  }
}
template <class T> void all() {
  int r[6] = {0};
  captured<T>(r);
  converted<T>(r + 1);
  made<T>(r + 2);
  for (int x : r) std::printf("%d ", x);
}
int main() {
  all<int>();
  all<long>();
}
