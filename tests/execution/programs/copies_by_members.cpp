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

/* What elements of an array a copy gets, and which bases a class has, is known of what is made of the templates. */
template <int... I> struct Numbers {};
template <int N> struct Upto;
template <> struct Upto<1> { using type = Numbers<0>; };
template <> struct Upto<2> { using type = Numbers<0, 1>; };
template <class I, class T> struct Sizes { T size[2]; };
template <class I, class T> struct Offsets;
template <int... I, class T> struct Offsets<Numbers<I...>, T> {
  using Self = Offsets;
  Sizes<Numbers<I...>, T> sizes;
  T at[sizeof...(I)];
  explicit Offsets(T first) : sizes{{first, 1}}, at{static_cast<T>(first + I)...} {}
  Offsets(Self const &other) : sizes(other.sizes), at{other.at[I]...} {}
};
template <int D> struct Layout : Offsets<typename Upto<D>::type, long> {
  using Offsets<typename Upto<D>::type, long>::Offsets;
  long operator()(long i) const { return i - this->at[D - 1]; }
};
template <class T, class L> struct ViewBase {
  using layout_type = L;
  T *data;
  const layout_type layout;
  ViewBase(T *d, L l) : data(d), layout(l) {}
};
template <class T, class L> struct View : ViewBase<T, L> {
  using ViewBase<T, L>::ViewBase;
  T &operator()(long i) const { return this->data[this->layout(i)]; }
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
template <int D> void views(int n, int *there) {
  using Seen = View<int, Layout<D>>;
  Seen view(there, Layout<D>(3 - D));
  every(n, [=](int i) { view(i + 2) = i; });
  each(n, [=](int i) { view(i + 2) += D * i; });
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
  int seen[9] = {0};
#pragma omp target data map(tofrom : seen) use_device_addr(seen)
  {
    views<1>(9, seen);
    views<2>(5, seen);
  }
  for (int x : seen) std::printf("%d ", x);
}
