// Expression templates: the names of their types have dozens of template arguments in each other.
#include <cstdio>

template <class E> struct Expression {
  const E &self() const { return static_cast<const E &>(*this); }
};
template <class T> struct Ramp : Expression<Ramp<T>> {
  T step, from[3];
  explicit Ramp(int s) : step(s), from{0, 1, 2} {}
  double at(int i) const { return step * i + from[i % 3]; }
};
template <class L, class R> struct Sum : Expression<Sum<L, R>> {
  L l;
  R r;
  Sum(const L &a, const R &b) : l(a), r(b) {}
  double at(int i) const { return l.at(i) + r.at(i); }
};
template <class L, class R> struct Product : Expression<Product<L, R>> {
  L l;
  R r;
  Product(const L &a, const R &b) : l(a), r(b) {}
  double at(int i) const { return l.at(i) * r.at(i); }
};
template <class L, class R> Sum<L, R> operator+(const Expression<L> &a, const Expression<R> &b) {
  return Sum<L, R>(a.self(), b.self());
}
template <class L, class R> Product<L, R> operator*(const Expression<L> &a, const Expression<R> &b) {
  return Product<L, R>(a.self(), b.self());
}
template <class E> double total(const Expression<E> &expression, int n) {
  const E e = expression.self();
  double sum = 0;
#pragma omp target teams distribute parallel for firstprivate(e) reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += e.at(i);
  return sum;
}

int main() {
  Ramp<double> a(1), c(3);
  Ramp<float> b(2);
  auto x = a + b * c + b + a + c * a;
  auto y = b * b + c + a + b * c;
  std::printf("%g\n", total(x, 10));
  std::printf("%g\n", total(x * x + y * y + x, 10));
  std::printf("%g\n", total((x * y + a) * (x + y * y) + x * y, 10));
}
