// Classes and class templates that are members of class templates, defined outside of these.
#include <cstdio>
namespace lib {
template <class T> struct Base { T first; Base(T t) : first(t) {} };
template <class T> struct Mat {
  template <int R, int C> class fixed;
  struct iterator;
  template <class U> struct pair;
  T held;
};
template <class T> template <int R, int C> class Mat<T>::fixed : public Base<T> {
  T all[R * C];

public:
  fixed(T t);
  template <class U> fixed &operator+=(const U &u);
  T sum() const {
    T s = Base<T>::first;
    for (int i = 0; i < R * C; i++) s += all[i];
    return s;
  }
};
template <class T>
struct Mat<T>::iterator {
  T at;
  T next() { return ++at; }
};
template <class T> /* of T */
template <class U>
struct Mat<T>::pair { T t; U u; };
template <> template <class U> struct Mat<char>::pair { U u; char t; U twice() const { return u * 2; } };
template <> struct Mat<char>::iterator { int at; int next() { return at += 3; } };
template <class T> template <int R, int C> Mat<T>::fixed<R, C>::fixed(T t) : Base<T>(t) {
  for (int i = 0; i < R * C; i++) all[i] = t * i;
}
template <class T> template <int R, int C> template <class U> Mat<T>::fixed<R, C> &Mat<T>::fixed<R, C>::operator+=(const U &u) {
  for (int i = 0; i < R * C; i++) all[i] += u;
  return *this;
}
}
int main() {
  double d = 0; int n = 0;
#pragma omp target teams distribute parallel for reduction(+ : d, n)
  for (int i = 0; i < 100; i++) {
    lib::Mat<double>::fixed<2, 3> m(i);
    m += 1;
    lib::Mat<int>::iterator it{i};
    lib::Mat<char>::pair<double> p{1.5, 'a'};
    lib::Mat<int>::pair<float> q{i, 2.f};
    d += m.sum() + p.twice() + q.u;
    lib::Mat<char>::iterator ic{i};
    n += it.next() + q.t + ic.next();
  }
  std::printf("%g %d\n", d, n);
}
