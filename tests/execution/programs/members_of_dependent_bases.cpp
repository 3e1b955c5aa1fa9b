/* Regions in class templates name members of bases that depend on the template, with the base and by 'this'. */
#include <cstdio>
template <class T, int D> struct Cell {
  T length;
  T distance(T x) const { return x < 0 ? -x * length : x * length * D; }
  static T twice(T x) { return 2 * x; }
};
template <class T, int D> struct Table : Cell<T, D> {
  int more;
  Table(T l) : Cell<T, D>{l}, more(1) {}
  void all(const T *x, T *d, int n) const {
#pragma omp target teams distribute parallel for map(to : this[0 : 1], x[0 : n]) map(from : d[0 : n])
    for (int i = 0; i < n; i++) d[i] = Cell<T, D>::distance(x[i]) + Cell<T, D>::twice(x[i]) + more;
#pragma omp target teams distribute parallel for map(to : this[0 : 1]) map(tofrom : d[0 : n])
    for (int i = 0; i < n; i++)
      d[i] += Cell<T, D> :: length + this->distance(i) + this->Cell<T, D>::distance(1);
  }
};
template <class T> struct Last : Table<T, 2> {
  using Base = Table<T, 2>;
  Last() : Base(3) {}
  T sum() const {
    T s = 0;
#pragma omp target map(tofrom : s)
    s = Base::length + Base::distance(4) + Base::more + Table<T, 2>::twice(5);
    return s;
  }
};
int main() {
  double x[3] = {-1, 2, 3}, d[3];
  Table<double, 3> t(2);
  t.all(x, d, 3);
  float y[2] = {5, -6}, e[2];
  Table<float, 1> u(4);
  u.all(y, e, 2);
  printf("%g %g %g %g %g %g %d\n", d[0], d[1], d[2], e[0], e[1], Last<double>().sum(), (int)Last<int>().sum());
}
