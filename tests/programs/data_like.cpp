// C++: templates, methods, lambdas, a data region, trailing comments, no new line at the end of the file.
#include <cstdio>

template <typename T> void scale(T *p, int n, T f) {
#pragma omp target teams distribute parallel for map(tofrom : p[0 : n])
  for (int i = 0; i < n; i++) p[i] *= f;
}

class Counter {
  int value = 0;

public:
  void add(int k) {
#pragma omp target // one thread
    value += k;
  }
  int get() const { return value; }
};

int main() {
  double a[6] = {1, 2, 3, 4, 5, 6};
  float b[3] = {1, 2, 3};
  Counter counter;
#pragma omp target data map(tofrom : a)
  {
    scale(a, 6, 2.0);
  }
  scale(b, 3, 0.5f);
  auto shift = [&](double by) {
#pragma omp target teams distribute parallel for map(tofrom : a) /* inside a lambda */
    for (int i = 0; i < 6; i++) { a[i] += by; }
  };
  shift(1);
  counter.add(4);
  std::printf("%g %g %d\n", a[5], b[2], counter.get());
} // the end