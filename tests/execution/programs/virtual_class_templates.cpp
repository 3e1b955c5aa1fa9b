/* Virtual functions and destructors of class templates, which only their objects' classes instantiate. */
#include <cstdio>
#include <memory>
#include <vector>
struct Base {
  virtual ~Base() = default;
  virtual int sum(const int *v, int n) const = 0;
};
template <class T, int D> struct Table : Base {
  int scale;
  Table(int s) : scale(s) {}
  int sum(const int *v, int n) const override {
    T s = 0;
    const int f = scale * D;
#pragma omp target teams distribute parallel for map(to : v[0 : n]) reduction(+ : s)
    for (int i = 0; i < n; i++) s += v[i] * f;
    return (int)s;
  }
};
static std::unique_ptr<Base> make(int which) {
  if (which == 0) return std::make_unique<Table<double, 3>>(2);
  if (which == 1) return std::unique_ptr<Base>(new Table<float, 2>(5));
  return std::make_unique<Table<int, 1>>(7);
}

static int destroyed;
namespace {
template <class T> struct Root {
  virtual ~Root() {
    int n = 1;
#pragma omp target map(tofrom : n)
    n += sizeof(T);
    destroyed += n;
  }
  virtual T twice(T x) {
    T y;
#pragma omp target map(from : y)
    y = x * 2;
    return y;
  }
  virtual T thrice(T x) { return within(x); }
  T within(T x) {
    T y;
#pragma omp target map(from : y)
    y = x * 3;
    return y;
  }
};
template <class T> struct Leaf : Root<T> {
  T twice(T x) override {
    T y;
#pragma omp target map(from : y)
    y = x * 2 + 1;
    return y;
  }
};
template <class T> struct Inheriting : Root<T> {};
struct Plain : Leaf<float> {};
struct Holding { Leaf<long> held; };
struct Kind { int n; Kind operator*(int f) const { return {n * f}; } };
}
template <class T> static T asked(Root<T> &root, T x) { return root.twice(x) + root.thrice(x); }

template <class T> struct Box { virtual T get() const { T y; _Pragma("omp target map(from : y)") y = T(5); return y; } virtual ~Box() {} };
template <class T> struct Box<T *> {
  virtual T get() const {
    T y;
#pragma omp target map(from : y)
    y = T(6);
    return y;
  }
  virtual ~Box() {}
};
template <class B> static int got(const B &box) { return (int)box.get(); }

int main() {
  int v[4] = {1, 2, 3, 4};
  for (int i = 0; i < 3; i++) printf("%d\n", make(i)->sum(v, 4));
  Table<long, 1> local(1);
  Base &base = local;
  printf("%d\n", base.sum(v, 4));
  {
    Leaf<int> i;
    Plain p;
    Holding h;
    Inheriting<double> d;
    auto shared = std::make_shared<Leaf<unsigned>>();
    std::vector<Leaf<short>> many(2);
    printf("%d %g %ld %g %u %d\n", asked<int>(i, 4), asked<float>(p, 1.5f), asked<long>(h.held, 7), asked<double>(d, .25),
           asked<unsigned>(*shared, 9), asked<short>(many[1], 11));
  }
  Box<double> one;
  Box<int *> two;
  printf("%d %d %d\n", got(one), got(two), destroyed);
}
