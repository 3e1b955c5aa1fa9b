// Regions in generic lambdas that use members, constants of the function around them, and captured packs.
#include <cstdio>

template <class F, class... T> void call(F f, T... values) { f(values...); }

struct Open {
  static inline int times = 5;
  static constexpr int two = 2;
  using Index = int;
  double *p;
  int k;

  void add(int n) {
    constexpr int four = 4;
    auto f = [this](auto x, Index i) {
#pragma omp target map(tofrom : p[0 : 4])
      p[i] += x * k + four;
    };
    f(2, 0), f(2.5, 1);
    call([=, this](auto... each) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
      for (int i = 0; i < n; i++) p[i] += (each + ...) * this->k;
    }, 1, 0.5);
  }
  static void count(int *r) {
    auto f = [=](auto x) {
#pragma omp target map(tofrom : r[0 : 2])
      r[0] += x * two + times;
    };
    f(2), f(2.5f);
  }
};

template <class T> class Hidden {
  T held[4] = {T(1), T(2), T(3), T(4)};
  T scale = T(3);
  int n = 8;
  T scaled(T x) const { return x * scale; }

public:
  template <class U> T fill(U by) {
    T values[8] = {}, *into = values;
    auto f = [this, into, by]<class V>(V more) mutable {
      by += 1;
      int sum = n;
#pragma omp target teams distribute parallel for map(tofrom : into[0 : 8], sum) reduction(+ : sum)
      for (int i = 0; i < 8; i++) {
        into[i] += scaled(U(by)) + V(more);
        sum += sizeof(V);
      }
      return sum;
    };
    int sum = f(1);
    sum += f(0.5);
    return values[7] + sum;
  }
  T copied() const {
    T r = 0;
    auto f = [*this, &r](auto x) {
#pragma omp target map(tofrom : r)
      r += x + scale + held[3];
    };
    f(1), f(2.5);
    return r;
  }
};

// Methods that are defined outside of their class.
namespace inside {
class Apart {
  int k = 2;
  static int base;

public:
  struct Inner {
    double x[2] = {1, 2};
    double add(double by) const;
  };
  int add(int by);
  static int all(int by);
};
} // namespace inside
int inside::Apart::base = 6;
int inside::Apart::add(int by) {
  auto f = [&](auto x) {
#pragma omp target map(tofrom : by)
    by += x * k;
    return base + by;
  };
  return f(1) + f(2.0);
}
namespace inside {
int Apart::all(int by) {
  auto f = [by](auto x) {
    int r = base;
#pragma omp target map(tofrom : r)
    r += x * by;
    return r;
  };
  return f(1) + f(2.5);
}
double Apart::Inner::add(double by) const {
  auto f = [=](auto more) {
    double r = 0;
#pragma omp target map(tofrom : r)
    r += x[0] + x[1] * more + by;
    return r;
  };
  return f(1) + f(0.25);
}
} // namespace inside

// Packs that lambdas capture, by value and by reference; arrays and pointers that regions use as they are.
template <class... A> double packed(A... a) {
  double r = 0, table[3] = {1, 2, 3};
  int host[4] = {1, 2, 3, 4}, *there = host;
  auto by_value = [&r, a...](auto x) {
#pragma omp target map(tofrom : r)
    r += ((a * x) + ...);
  };
  by_value(2), by_value(0.5);
#pragma omp target data map(tofrom : there[0 : 4])
  {
    auto by_reference = [&, table, there](const auto &x) -> int {
#pragma omp target map(tofrom : r)
      {
        r += ((a + x) + ...) + table[1];
        there[2] += 10;
      }
      return sizeof...(a);
    };
    r += by_reference(1);
  }
  return r + host[2];
}

int main() {
  double a[4] = {};
  Open open{a, 3};
  open.add(4);
  int r[2] = {};
  Open::count(r);
  std::printf("%g %g %g %d\n", a[0], a[1], a[3], r[0]);
  Hidden<double> hidden;
  Hidden<int> whole;
  std::printf("%g %d\n", hidden.fill(1), whole.fill(2.5));
  std::printf("%g %d\n", hidden.copied(), whole.copied());
  inside::Apart apart;
  std::printf("%d %d %g\n", apart.add(1), inside::Apart::all(3), inside::Apart::Inner().add(0.5));
  std::printf("%g %g\n", packed(1, 2.5), packed(1, 2, 3L));
  return 0;
}
