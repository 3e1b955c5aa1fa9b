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
// Overloaded methods of a class template, of which arguments and objects tell which one is meant.
template <class T> class overloaded {
  int twice(int i) const { return 2 * i; }
  double twice(double x) const { return 2.5 * x; }
public:
  T v = 3;
  int cells[3] = {1, 2, 3};
  int get() { return 1; }
  int get() const { return 2; }
  template <class A> static int size(A &a) { return sizeof a; }
  static int pick(int) { return 3; }
  static int pick(double) { return 4; }
  void constant(int *r) const {
    forall(2, [this, r](int i) { r[i] = get() + size(v) * 10; });
    forall(2, [=](int i) { r[i] += twice(cells[i]) * 100 + int(twice(2.)) * 1000; });
    forall(2, [*this, r](int i) { r[i] += get() * 10000 + pick(T(1)) * 100000; });
  }
  void changing(int *r) {
    forall(2, [this, r](int i) { r[i] = get() + size(v) * 10; });
    forall(2, [*this, r](int i) mutable { r[i] += get() * 10000 + this->get() * 100000; });
  }
};

int main() {
  overloaded<int> some;
  const overloaded<double> others;
  int told[4] = {};
  {
    int *t = told;
#pragma omp target data map(tofrom : t[0 : 4]) map(to : some, others)
    {
      some.changing(t);
      others.constant(t + 2);
    }
  }
  for (int v : told) std::printf("%d ", v);
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
