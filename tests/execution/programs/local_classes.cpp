// Classes with constructors, operators and methods that regions and functions of the device declare.
#include <cstdio>
#include <omp.h>

static int twice(int i) { return 2 * i; }

struct Base {
  int base = 5;
  virtual int value() const { return base; }
};

static int in_function(int n) {
  struct Sum {
    int s;
    Sum(int x) : s(twice(x)) {}
    Sum &operator+=(int y) {
      s += y;
      return *this;
    }
    operator int() const { return s; }
  };
  Sum sum(n);
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}

struct Outer {
  int own = 4, factor = 2;
  int method_with_class(int n) const {
    struct Scaled {
      int x, factor;
      int get() const { return x * factor; }
    };
    return Scaled{n, factor}.get();
  }
  int region(int n) {
    int r = 0;
#pragma omp target map(tofrom : r)
    {
      struct Own {
        int own;
        Own(int x) : own(x) {}
        int get() const { return this->own + own; }
      };
      Own o(n);
      r = o.get() * own + factor + method_with_class(n);
      own++;
    }
    return r;
  }
};

template <class T> static T of_template(int n) {
  T total = 0;
#pragma omp target map(tofrom : total)
  for (int i = 0; i < n; i++) {
    struct Pair {
      T a, b;
      Pair(T x, T y) : a(x), b(y) {}
      Pair operator*(const Pair &o) const { return Pair(a * o.a, b * o.b); }
      T sum() const { return a + b; }
    };
    total += (Pair(T(i), T(0.5)) * Pair(T(2), T(1))).sum();
  }
  return total;
}

int main() {
  constexpr int K = 3;
  int r = 0, n = 3;
#pragma omp target map(tofrom : r)
  {
    enum { FOUR = 4 };
    struct P {
      int a, b, more[K + FOUR] = {1, 2};
      struct Inner {
        int i;
        int next() const { return i + K; }
      } inner{7};
      P(int x, int y) : a(x), b(twice(y)) {}
      P() = default;
      [[nodiscard]] int sum() const {
        if (a < 0) return -1;
        for (int i = 0; i < 2; i++)
          if (more[i] == b) return inner.next();
        return a + b + inner.next();
      }
      P operator+(const P &o) const { return P(a + o.a, b); }
      static int three() { return FOUR - 1; }
      ~P() { a = 0; }
    };
    struct Derived : Base {
      int value() const override { return 10 * base; }
    };
    P p(1, 2), q(n, 4);
    r += (p + q).sum() + P::three();
    for (int i = 0; i < n; i++) {
      P k(i, i);
      r += k.sum();
    }
    Derived d;
    const Base *base = &d;
    r += base->value() + in_function(n);
  }
  printf("%d\n", r);

  int x[16] = {};
#pragma omp target teams distribute parallel for reduction(+ : r) map(tofrom : x)
  for (int i = 0; i < 16; i++) {
    class Acc {
      int s;

    public:
      Acc(int x) : s(x) {}
      void add(int *to, int y) {
        if (y > 5) return;
        s += y;
#pragma omp atomic
        to[0] += y;
      }
      int get() const { return s; }
    };
    Acc a(i);
    for (int k = 0; k < 3; k++) a.add(x, k);
    if (i) x[i] += a.get(); // x[0] is the atomic construct's
    r += a.get();
  }
  printf("%d %d %d %d\n", r, x[0], x[1], x[15]);

  int sums[2] = {};
#pragma omp target teams distribute num_teams(2) map(tofrom : sums)
  for (int b = 0; b < 2; b++) {
    struct Range {
      int first, last;
      Range(int b) : first(b * 10), last(b * 10 + 10) {}
      bool has(int i) const {
        if (i < first) return false;
        return i < last;
      }
      static int level() { return omp_get_level() * 0 + 1; }
    };
    Range range(b);
    int s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < 20; i++) {
      struct Step {
        int by;
        int operator()(int x) const { return x * by; }
      };
      if (range.has(i)) s += Step{b + 1}(i) * Range::level();
    }
    sums[b] = s;
  }
  Outer o;
  const int first = o.region(3);
  printf("%d %d %d %d\n", sums[0], sums[1], first, o.own);
  printf("%d %g\n", of_template<int>(5), of_template<double>(5));
  auto lambda = [](int i) {
    struct Shift {
      int by;
      int of(int x) const { return x << by; }
    };
    return Shift{2}.of(i);
  };
#pragma omp target map(tofrom : r)
  r += lambda(3);
  printf("%d\n", r);
}
