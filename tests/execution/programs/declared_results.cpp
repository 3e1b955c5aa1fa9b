// Functions that are only declared, with results that decltype tells: libclang ends their ranges with the name.
#include <stdio.h>
#include <utility>

template <class T> auto value() noexcept -> decltype(std::declval<T>());
template <class T> auto twice(T x) -> decltype(x * 2);
auto half(int x) -> decltype(x / 2.0);
#pragma omp declare target
auto third(int x) -> decltype(x / 3.0);
#pragma omp end declare target

template <class T> struct box {
  using wide = decltype(value<T>() * 2.0);
  T x;
  wide get() const { return x * 2.0; }
  auto grown(T by) const -> decltype(twice(by));
};
template <class T> auto box<T>::grown(T by) const -> decltype(twice(by)) { return x + by; }
auto third(int x) -> decltype(x / 3.0) { return x / 3.0; }

int main() {
  double r[4] = {0};
#pragma omp target map(tofrom: r)
  {
    box<float> b{1.5f};
    decltype(value<int>()) y = 3;
    decltype(half(1)) z = 0.5;
    r[0] = b.get();
    r[1] = y + z;
    r[2] = b.grown(2);
    r[3] = third(6);
  }
  printf("%g %g %g %g\n", r[0], r[1], r[2], r[3]);
}
