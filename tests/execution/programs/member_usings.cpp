// Types that a class names by using declarations, in regions of its methods: as a cast, a template's argument, in
// sizeof and conditions, in lambdas, in types of the function; of classes and templates, from bases of bases.
#include <array>
#include <cstdio>
#include <type_traits>
struct Node {
  double v;
  double twice() const { return 2 * v; }
};
template <class T> class Base {
protected:
  using value_type = T;
  using node_type = Node;
  using pointer = const T *;
  struct cell {
    T v;
  };
  enum kind { few = 3 };
  static constexpr T eps = T(2);
  template <class U> struct box {
    U u;
  };
};
template <class T> class Derived : protected Base<T> {
  using B = Base<T>;
  using typename B::cell;
  using typename B::kind;
  using typename B::node_type;
  using typename B::pointer;
  using typename Base<T>::value_type;
  using B::eps;
  using B::few;

public:
  double cast(int n) {
    double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += value_type(i % 3) / 2;
    return s;
  }
  double cells(int n) {
    value_type s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
      cell c = cell{eps};
      kind k = few;
      s += c.v + value_type(k);
    }
    return s;
  }
  double asked(int n) {
    long s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
      if constexpr (std::is_same_v<value_type, float>) s += i;
      s += sizeof(node_type);
    }
    return s;
  }
  double arguments(const T *p, int n) {
    using A = std::array<value_type, 3>;
    struct L {
      value_type a;
      node_type b;
      std::array<node_type, 2> c;
    };
    double s = 0;
    auto f = [](value_type x) { return node_type{double(x)}; };
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) {
      A a{p[i], 1, 2};
      std::array<value_type, 2> b{value_type(i), p[i]};
      L l{value_type(2), node_type{3}, {node_type{4}, node_type{5}}};
      pointer q = p + i;
      typename B::template box<value_type> x{*q};
      s += a[0] + a[2] + b[0] / 2 + l.a + l.b.v + l.c[1].twice() + x.u + f(p[i]).v;
      s += [=](value_type y) { return static_cast<value_type>(y + i); }(1);
    }
    return s;
  }
};
class Plain : Base<int> {
  using Base<int>::value_type;
  using Base<int>::node_type;

public:
  int run(int n) {
    struct L {
      value_type a;
    };
    int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) {
      L l{value_type(2.5)};
      s += l.a + value_type(i / 2.0 + 0.75) + int(node_type{1.5}.twice());
    }
    return s;
  }
};
int main() {
  const double d[5] = {1, 2, 3, 4, 5};
  const float f[5] = {1, 2, 3, 4, 5};
  Derived<double> a;
  Derived<float> b;
  Derived<int> c;
  printf("%g %g %g\n", a.cast(9), b.cast(9), c.cast(9));
  printf("%g %g %g\n", a.cells(9), b.cells(9), c.cells(9));
  printf("%g %g\n", a.asked(4), b.asked(4));
  printf("%g %g\n", a.arguments(d, 5), b.arguments(f, 5));
  printf("%d\n", Plain().run(5));
}
