// Functions that return 'auto' are instantiated at their first use: their kernels are declared in front of that.
#include <cstdio>
namespace {
template <typename T> auto twice(T x) { T r = 0;
#pragma omp target map(tofrom: r)
  r = x + x;
  return r;
}
}
namespace shapes {
inline namespace first {
template <typename T> auto area(T x, T y) { T r = 0;
#pragma omp target map(tofrom: r)
  r = x * y;
  return twice(r);
}
template <int N> struct Box { auto volume(int h) { int r = 0;
#pragma omp target map(tofrom: r)
    r = N * h;
    return r;
  }
};
}
int square = area(3, 3);
}
namespace users {
inline namespace second {
struct Side { double length; double square() const { return shapes::area(length, length); } };
template <typename T> struct Late { T get(T x) { return shapes::area(x, x); } };
inline int boxed() { return shapes::Box<4>().volume(5); }
}
}
template <typename T, typename R = decltype(twice(T()))> R deduced(T x) { return twice(x) + 1; }
int main() {
  users::Late<float> late;
  std::printf("%d %g %g %d\n", shapes::square, users::Side{1.5}.square(), double(late.get(2)), users::boxed());
  std::printf("%ld %d\n", deduced(4L), shapes::Box<2>().volume(2));
}
