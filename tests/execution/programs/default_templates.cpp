// Regions in templates whose default arguments are templates.
#include <cstdio>
namespace space {
template <class T> struct Base { T buf[9]; };
template <class T, int N = 9> struct Other { T buf[N]; int more; };
template <class T> struct Plus { static T of(T a, T b) { return a + b; } };
template <class T> struct Times { static T of(T a, T b) { return a * b; } };
template <class T, template <class> class Op = Plus> T fold(const T *p, int n, T start) {
  T s = start;
#pragma omp target map(to : p[0 : n]) map(tofrom : s)
  for (int i = 0; i < n; i++) s = Op<T>::of(s, p[i]);
  return s;
}
}
template <class T, template <class> class B = space::Base> class Derived : public B<T> {
  using B<T>::buf;
  T k;
public:
  explicit Derived(T k) : k(k) { for (T &x : buf) x = k; }
  T grow() {
#pragma omp target teams distribute parallel for map(tofrom : this[0 : 1])
    for (int i = 0; i < 9; i++) buf[i] += k * i;
    T s = 0; for (T x : buf) s += x;
    return s;
  }
  template <template <class, int> class C = space::Other, class F> T each(F f) {
    C<T, 9> c; T *p = c.buf;
#pragma omp target teams distribute parallel for map(from : p[0 : 9])
    for (int i = 0; i < 9; i++) p[i] = f(i) + sizeof(B<T>) / sizeof(T);
    T s = 0; for (T x : c.buf) s += x;
    return s;
  }
};
template <class T> using Alias = Derived<T>;
int main() {
  double d[4] = {1, 2, 3, 4};
  float each = Alias<float>(.5f).each([](int i) { return i * i; });
  printf("%g %d %g\n",
         Derived<double>(1.5).grow(),
         Derived<int, space::Base>(2).grow(),
         each);
  printf("%g %g\n",
         space::fold(d, 4, .5),
         space::fold<double, space::Times>(d, 4, .5));
}
