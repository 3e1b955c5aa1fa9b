// What C++ had in 1998: templates with regions, objects of functions, containers.
#include <cstdio>
#include <vector>

template <class T> struct Box {
  T *p;
  int n;
  Box(T *from, int count) : p(from), n(count) {}
  T sum() const {
    T s = 0;
    const T *q = p;
    int m = n;
#pragma omp target teams distribute parallel for map(to : q[0 : m]) reduction(+ : s)
    for (int i = 0; i < m; i++) s += q[i];
    return s;
  }
};

struct Times {
  double k;
  double operator()(int i) const { return k * i; }
};

template <class F> double total(int n, F f) {
  double s = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += f(i);
  return s;
}

namespace scope {
int count = 4;
}

int main() {
  std::vector<double> v(10, 1.5);
  Box<double> box(&v[0], 10);
  Times twice = {2};
  std::printf("%g %g\n", box.sum(), total(5, twice));
  int x = 1;
#pragma omp target map(tofrom : x)
  x += 2;
  std::printf("%d\n", x);
#pragma omp target map(tofrom : x)
  {
    int count = scope::count + 1;
    x += count * scope::count;
  }
  std::printf("%d\n", x);
}
