/* Constructs in lambdas outside of functions: initialisers of members, and types that are asked of a lambda. */
#include <cstdio>

struct Counted {
  int *of, by, old = [](int *r, int k) {
    int before;
#pragma omp single copyprivate(before)
    before = r[0] += k;
    return before;
  }(of, by);
};

using Masked = decltype([](int *r, int k) {
#pragma omp masked
  r[1] += k;
#pragma omp barrier
});

template <class F> struct Held {
  static void go(int *r, int k) { F()(r, k); }
};
using Shared = Held<decltype([](int *r, int k) {
#pragma omp for
  for (int j = 0; j < 16; j++)
    if (j == k) r[2] += k;
})>;

struct Base {
  template <class F> Base(F f, int *r, int k) { f(r, k); }
};
struct Derived : Base {
  Derived(int *r, int k)
      : Base([](int *r, int k) {
#pragma omp single
          r[3] += k;
        }, r, k) {}
};

int main() {
  int r[5] = {0};
#pragma omp target parallel num_threads(8) map(tofrom : r)
  {
    Counted c{r, 3};
    Masked()(r, 4);
    Shared::go(r, 5);
    Derived d(r, 6);
#pragma omp single
    r[4] += c.old;
  }
  for (int v : r) std::printf("%d ", v);
  std::printf("\n");
}
