// declare target indirect: overloads, namespaces, static methods, templates and lambdas that call through pointers.
#include <cstdio>

namespace shapes {
#pragma omp begin declare target indirect
int area(int a) { return a * a; }
double area(double a) { return a * a / 2; }
namespace {
int hidden(int a) { return a - 1; }
} // namespace
struct Maker {
  static int make(int a) { return a + 1000; }
  int value;
};
#pragma omp end declare target
} // namespace shapes

extern "C" {
int from_c(int a) noexcept { return a + 7; }
}
#pragma omp declare target enter(from_c) indirect

typedef int (*Unary)(int);

struct Adder {
  int by;
  int operator()(int a) const { return a + by; }
};

template <class F> int apply(F f, int a) { return f(a) + f(a + 1); }

template <class T> struct Holder {
  T (*function)(T);
  T value;
  T get() const { return function(value) + this->function(value); }
};

struct Object {
  Unary first;
  Unary table[2];
  int run(int a) const { return first(a) + table[a & 1](a); }
  int region(int a) {
    int r = 0;
#pragma omp target map(tofrom : r)
    r = first(a) * 2 + this->table[1](a) + run(a);
    return r;
  }
};

template <class T> T in_region(T (*f)(T), T a) {
  T r = 0;
#pragma omp target map(from : r)
  r = f(a) + (*f)(a);
  return r;
}

int main() {
  Unary all[4] = {shapes::area, shapes::hidden, shapes::Maker::make, from_c};
  int out[8];
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < 8; i++) {
    Adder adder{i};
    auto local = [=](int a) { return all[i & 3](a) + 1; };
    out[i] = apply(all[i & 3], i) + apply(adder, i) + local(i);
  }
  for (int value : out) std::printf("%d ", value);
  Holder<int> whole{shapes::area, 6};
  Holder<double> real{shapes::area, 2.5};
  double d = 0;
  int r = 0;
#pragma omp target map(from : d, r)
  {
    d = real.get();
    r = whole.get();
  }
  std::printf("\n%d %g\n", r, d);
  Unary f = from_c;
  auto outside = [f](int a) { return f(a) * 3; };
#pragma omp target map(from : r)
  r = outside(5);
  std::printf("%d\n", r);
  Object object{shapes::hidden, {shapes::area, shapes::Maker::make}};
  std::printf("%d %d\n", object.region(3), object.region(4));
  std::printf("%d %g\n", in_region<int>(shapes::area, 9), in_region<double>(shapes::area, 1.5));
}
