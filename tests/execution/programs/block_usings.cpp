// Using directives, using declarations and namespace aliases of functions, whose local types name what these bring:
// in functions, in templates, of which an instantiation has no using directives, and in methods of class templates.
#include <cstdio>
namespace lib {
template <class T> struct Two {
  T a, b;
  T sum() const { return a + b; }
};
struct One {
  int v;
};
namespace deep {
enum class kind { x = 3, y };
enum plain { few = 7, many };
constexpr int width = 5;
inline int twice(int v) { return 2 * v; }
struct Base {
  int c = 11;
};
template <class T> struct Adder {
  T v;
  Adder() : v(0) {}
  explicit Adder(T x) : v(x) {}
};
#pragma omp declare reduction(joined : Adder<int> : omp_out.v += omp_in.v)
} // namespace deep
} // namespace lib
namespace other {
struct One {
  long v;
};
constexpr int width = 100;
} // namespace other

template <class T> static T aliases(T *p, int n) {
  using lib::Two;
  using V = Two<T>;
  T s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
  for (int i = 0; i < n; i++) {
    V v{p[i], 1};
    s += v.sum();
  }
  return s;
}

static int in_function(int *p, int n) {
  using lib::One;
  using namespace lib::deep;
  namespace d = lib::deep;
  typedef One W;
  struct L : Base {
    One o;
    kind k;
    int w = width;
    L(One o, kind k) : o(o), k(k) {}
    d::kind e() const { return k; }
    int t() { return twice(w) + c; }
  };
  using lib::Two;
  using V = Two<W>;
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
  for (int i = 0; i < n; i++) {
    V v{W{p[i]}, W{1}};
    L l(v.b, kind::y);
    s += v.a.v + l.o.v + int(l.e()) + l.t() + few;
  }
  return s;
}

template <class T> static int in_template(T *p, int n) {
  using lib::One;
  using namespace lib::deep;
  namespace d = lib::deep;
  typedef One W;
  struct L {
    One o;
    kind k;
    int w = width;
    d::kind e() const { return k; }
    int t() { return twice(w); }
  };
  using lib::Two;
  using V = Two<W>;
  int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
  for (int i = 0; i < n; i++) {
    V v{W{p[i]}, W{1}};
    L l{v.b, kind::y};
    s += v.a.v + l.o.v + int(l.e()) + l.t();
  }
  return s;
}

template <class... T> static int directive_alone(int *p, int n, T... more) {
  int s = 0;
  if (n > 0) {
    using namespace lib::deep;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) s += twice(p[i]) + width + int(kind::y) + many + (0 + ... + more);
  }
  {
    using namespace other;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) {
      One one{i};
      s += width + int(one.v);
    }
  }
  return s;
}

template <class T> struct Solver {
  T k;
  template <class U> int run(U *p, int n) {
    using namespace lib::deep;
    T by = k;
    Adder<int> a;
#pragma omp target teams distribute parallel for reduction(joined : a) map(to : p[0:n])
    for (int i = 0; i < n; i++) a.v += twice(p[i]) * by + width;
    auto f = [&](int by) {
      using namespace other;
      int s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
      for (int i = 0; i < n; i++) {
        One one{1};
        s += p[i] * by + int(one.v);
      }
      return s;
    };
    return a.v + f(3);
  }
  int plain(int n) {
    using namespace lib;
    int s = 0;
    using namespace deep;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += twice(i) + Two<int>{width, 1}.sum();
    return s;
  }
};

static long two_blocks(int *p, int n) {
  long s = 0;
  {
    using lib::One;
    using V = One;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) {
      V v{p[i]};
      s += v.v;
    }
  }
  {
    using other::One;
    struct Z {
      One o;
    };
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) {
      Z z{One{p[i]}};
      s += z.o.v * long(sizeof(Z));
    }
  }
  {
    using namespace lib::deep;
    struct Y {
      int w = width;
    };
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) {
      Y y;
      s += y.w;
    }
  }
  {
    using namespace other;
    struct X {
      int w = width;
    };
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : p[0:n])
    for (int i = 0; i < n; i++) {
      X x;
      s += x.w;
    }
  }
  return s;
}

int main() {
  double d[4] = {1, 2, 3, 4};
  int k[3] = {1, 2, 3};
  printf("%g %d %d\n", aliases(d, 4), in_function(k, 3), in_template(k, 3));
  printf("%d %d\n", directive_alone(k, 3), directive_alone(k, 3, 1, 2L));
  printf("%d %d %ld\n", Solver<int>{4}.run(k, 3), Solver<long>{2}.plain(5), two_blocks(k, 3));
}
