// Lambdas in methods that name members of the class which need no object: constants, enumerators, types, functions.
#include <cstdio>
template <class F> void forall(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
class sim {
  static constexpr int hidden = 4;
  static int half(int x) { return x / 2; }
public:
  static constexpr double g = 9.5;
  enum kind { first = 3, second };
  using number = double;
  struct pair { int a, b; };
  double *x;
  int n;
  template <class F> void each(F f) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) f(i);
  }
  void constants() {
    double *p = x;
    const double d = 0.5;
    each([=](int i) { p[i] += d * g; });
    forall(n, [=](int i) { p[i] += d * sim::g + int(second) + int(sim::first); });
  }
  void types() const {
    double *p = x;
    forall(n, [=](int i) { p[i] += number(2) + sizeof(sim) * 0 + sizeof(number); });
    forall(n, [p](int i) { pair q = {i, first}; p[i] += q.a * q.b; });
  }
  void privates() {
    double *p = x;
    forall(n, [=](int i) { p[i] += half(i) + hidden + sim::hidden; });
  }
  template <class T> void template_parameters(T by) {
    double *p = x;
    forall(n, [=](int i) { p[i] += T(g) * by; });
  }
  void outside();
  void with_object(int by) {
    double *p = x;
    forall(2, [=, this](int i) { p[i] += g * by + n; });
  }
};
void sim::outside() {
  double *p = x;
  forall(n, [=](int i) { p[i] += g + int(second); });
}
template <class T, int K> struct box {
  static constexpr T unit = T(K);
  enum { size = K * 2 };
  T *x;
  void fill(int n) {
    T *p = x;
    forall(n, [=](int i) { p[i] += unit * int(size) + K; });
  }
};
int main() {
  double a[6] = {}, *p = a;
  sim s;
  s.x = a;
  s.n = 6;
  int b[4] = {}, *q = b;
  box<int, 3> c{b};
#pragma omp target data map(tofrom : p[0 : 6], q[0 : 4]) map(to : s)
  {
    s.constants();
    s.types();
    s.privates();
    s.template_parameters(2);
    s.template_parameters(0.25f);
    s.outside();
    s.with_object(2);
    c.fill(4);
  }
  for (double v : a) std::printf("%g ", v);
  std::printf("%d %d\n", b[0], b[3]);
}
