// Lambdas that templates with regions get: captures by reference, of arrays, of the object of a method.
#include <cstdio>
template <class B> void forall(int n, B body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) body(i);
}
template <class T, class B> T reduce(int n, T init, B body) {
  T s = init;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += body(i);
  return s;
}
struct Vec {
  double x, y;
};

// Pointers and references are attached to what is mapped.
struct Field {
  int n;
  double *d, k;
  static constexpr int twice = 2;
  enum Mode { off, on };
  using Value = double;
  void scale() {
    double *p = d;
    forall(n, [=](int i) { p[i] *= k; });
  }
  void add(double v) {
    forall(n, [this, v](int i) { d[i] += v + k * twice + on; });
  }
  double total() const {
    return reduce(n, 0.0, [&](int i) { return this->d[i] * k + Value(twice); });
  }
};

class Hidden {
  int n;
  double k;
  double get(int i) const { return k * i; }
  static int step(int i) { return i + 1; }

 public:
  Hidden(int n, double k) : n(n), k(k) {}
  double total() const {
    return reduce(n, 0.0, [*this](int i) { return get(i) + this->k + step(i); });
  }
  double more();
  struct Inner {
    double of(const Hidden &h, int n) const {
      return reduce(n, 0.0, [=](int i) { return h.n + i + 0.5; });
    }
  };
};
double Hidden::more() {
  return reduce(n, 0.0, [*this](int i) { return get(i) * 2 + k + Hidden::step(i); });
}

template <class T> class Holder {
  T v;
  int n;

 public:
  Holder(T v, int n) : v(v), n(n) {}
  T sum() const {
    T w = v;
    return reduce(n, T(), [=](int i) { return w + T(i); });
  }
  T pointer() {
    T s = 0;
#pragma omp target data map(to : this[0 : 1])
    s = reduce(n, T(), [this](int i) { return v + T(i); });
    return s;
  }
  T copy() const;
};
template <class T> T Holder<T>::copy() const {
  return reduce(n, T(), [*this](int i) { return v * 2 + T(i); });
}

template <class T> T in_a_template(int n, T k) {
  T t[2] = {k, 1}, b;
#pragma omp target data map(to : t, k)
  b = reduce(n, T(), [&](int i) { return t[i % 2] + k; });
  return b + reduce(n, T(), [=](int i) { return T(i) * k + t[1]; });
}

int main() {
  int n = 4;
  double a[4] = {1, 2, 3, 4}, k = 3;
  double *p = a;
#pragma omp target data map(tofrom : a, k)
  {
    forall(n, [&](int i) { a[i] = a[i] * k; });
    forall(n, [&a, p](int i) { a[i] += p[i]; });
    forall(1, [&](int) { k += 1; });
  }
  printf("%g %g %g\n", a[0], a[3], k);
  double t[3] = {1, 2, 3};
  Vec v{1, 2};
  const Vec &w = v;
#pragma omp target data map(to : t, v, k)
  {
    printf("%g\n", reduce(n, 0.0, [&](int i) { return i * k + t[i % 3] + v.x + w.y; }));
    auto f = [&r = t[1], k](int i) { return i * k + r; };
    printf("%g\n", reduce(n, 1.0, f));
  }
  const int m[2][2] = {{1, 2}, {3, 4}};
  const Vec vs[2] = {{1, 2}, {3, 4}};
  printf("%g\n", reduce(n, 0.0, [=](int i) { return t[i % 3] + m[i % 2][1] + vs[i % 2].y; }));
  printf("%d\n", reduce(n, 0, [t](int i) { return (int)t[i % 3]; }));
  Field f{4, a, 2};
#pragma omp target data map(tofrom : a)
#pragma omp target data map(to : f, f.d[0 : 4])
  {
    f.scale();
    f.add(1);
    printf("%g\n", f.total());
  }
  printf("%g %g\n", a[0], a[3]);
  Hidden h(4, 2);
  printf("%g %g %g\n", h.total(), h.more(), Hidden::Inner().of(h, 3));
  printf("%d %g\n", in_a_template(4, 3), in_a_template(4, 2.5));
  Holder<int> hi(2, 4);
  Holder<double> hd(.5, 3);
  printf("%d %d %d\n", hi.sum(), hi.pointer(), hi.copy());
  printf("%g %g %g\n", hd.sum(), hd.pointer(), hd.copy());
}
