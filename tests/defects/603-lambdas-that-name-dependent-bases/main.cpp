#include <cstdio>
template <class T> struct base {
  static T twice(T x) { return 2 * x; }
  template <class U> static U more(U u) { return u + 1; }
  static const int k = 3;
};
template <class F> int apply(int n, F f) {
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}
template <class T> struct caller : base<T> {
  int a(int n) { return apply(n, [](int i) { return base<T>::twice(i); }); }
  int b(int n) { return apply(n, [](int i) { return caller::twice(i); }); }
  int c(int n) { return apply(n, [](int i) { return caller<T>::twice(i) + caller<T>::k; }); }
  int d(int n) { return apply(n, [](int i) { return caller::template more<int>(i); }); }
  int e(int n) { return apply(n, [=](int i) { return base<T>::template more<int>(i) + n; }); }
  int f(int n) { return apply(n, [this](int i) { return this->twice(i); }); }
};
template <class T> struct user : base<T> {
  using base<T>::twice;
  int b(int n) { return apply(n, [](int i) { return user::twice(i) + base<T>::k; }); }
  int g(int n) { return apply(n, [](int i) { return twice(i); }); }
};
int main() {
  caller<int> c;
  user<long> u;
  std::printf("%d %d %d %d %d %d %d %d\n", c.a(4), c.b(4), c.c(4), c.d(4), c.e(4), c.f(4), u.b(4), u.g(4));
}
