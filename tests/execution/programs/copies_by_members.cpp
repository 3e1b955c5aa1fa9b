/* Lambdas that capture objects whose classes write the copy constructor that the compiler would have made. */
#include <cstdio>
#include <type_traits>

template <class T> struct Ref {
  T *place;
  explicit constexpr Ref(T *p) : place(p) {}
  constexpr Ref(Ref const &other) : place(other.place) {}
  Ref &operator=(Ref const &) = delete;
  T operator=(T x) const { return *place = x; }
  void add(T x) const {
#pragma omp atomic
    *place += x;
  }
};
struct Limits {
  int low, high;
  Limits(int a, int b) : low(a), high(b) {}
  Limits(const Limits &l) : low{l.low}, high{l.high} {}
};
template <class T, class Bounds> struct Count {
  Count(T *p, Bounds b) : counter(p), bounds(b) {}
  void operator()(int i) const {
    if (bounds.low <= i && i < bounds.high) counter.add(i);
  }
  Ref<T> counter;
  Bounds bounds;
};

template <class F> void each(int n, F &&f) {
  using Body = typename std::remove_reference<decltype(f)>::type;
  Body body = f;
#pragma omp target teams distribute parallel for firstprivate(body)
  for (int i = 0; i < n; i++) {
    Body own = body;
    own(i);
  }
}
template <class F> void every(int n, F &&f) {
  using Body = typename std::remove_reference<decltype(f)>::type;
  Body body = f;
#pragma omp target teams distribute parallel for map(to : body)
  for (int i = 0; i < n; i++) {
    Body own = body;
    own(i);
  }
}
template <template <class, class> class Counter, class T> void counts(int n, T *there) {
  Counter<T, Limits> count(there, Limits(2, 8));
  each(n, [=](int i) { count(i); });
  every(n, [=](int i) { count(i + 1); });
}

int main() {
  long sum = 0;
  float wide = 0;
#pragma omp target data map(tofrom : sum, wide) use_device_addr(sum, wide)
  {
    counts<Count>(10, &sum);
    counts<Count>(5, &wide);
  }
  std::printf("%ld %g\n", sum, wide);
}
