/* Constructs in functions that regions call without naming them: each is all that its kernel has of its kind. */
#include <cstddef>
#include <cstdio>
#include <tuple>

struct Base {
  Base(int *r) {
#pragma omp single
    r[0] += 1;
  }
  template <class T> Base(T *r, int) {
#pragma omp masked
    r[1] += 2;
#pragma omp barrier
  }
};
struct Derived : Base {
  using Base::Base;
};
template <class T> struct BaseOf {
  BaseOf(T *r) {
#pragma omp single
    r[2] += 3;
  }
};
template <class T> struct DerivedOf : BaseOf<T> {
  using BaseOf<T>::BaseOf;
};

namespace views {
struct View {
  int *r, a[2];
};
static int *begin(View &v) {
  int *r = v.r;
#pragma omp single
  r[3] += 4;
  return v.a;
}
static int *end(View &v) { return v.a + 2; }

struct Pair {
  int *r;
};
template <int I> int get(const Pair &p) {
  int *r = p.r;
#pragma omp single
  r[4 + I] += 5;
  return I;
}
}  // namespace views
namespace std {
template <> struct tuple_size<views::Pair> {
  static constexpr int value = 2;
};
template <size_t I> struct tuple_element<I, views::Pair> {
  using type = int;
};
}  // namespace std

struct Pooled {
  int v;
  static void *operator new(std::size_t, int *r) {
#pragma omp single
    r[6] += 6;
    return r + 10;
  }
};
template <class T> struct PooledOf {
  T v;
  static void *operator new(std::size_t, T *r) {
#pragma omp single
    r[7] += 7;
    return r + 11;
  }
};

struct Step {
  virtual void take(int *r) = 0;
};
template <class T> struct Walk : Step {
  void take(int *) override {}
};
template <> void Walk<int>::take(int *r) {
#pragma omp single
  r[8] += 8;
}

#define ALL _Pragma("omp target parallel num_threads(8) map(tofrom : r)")

int main() {
  int r[12] = {0};
  ALL { Derived d(r); }
  ALL { Derived d(r, 1); }
  ALL { DerivedOf<int> d(r); }
  ALL {
    views::View v{r, {1, 2}};
    for (int x : v) (void)x;
  }
  ALL {
    views::Pair p{r};
    auto [x, y] = p;
    (void)x, (void)y;
  }
  ALL { new (r) Pooled; }
  ALL { new (r) PooledOf<int>; }
  ALL {
    Walk<int> w;
    Step &s = w;
    s.take(r);
  }
  for (int k = 0; k < 10; k++) std::printf("%d ", r[k]);
  std::printf("\n");
}
