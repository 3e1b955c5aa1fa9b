// Classes that teams reduce: some can be moved as bytes, others are combined where they lie.
#include <cstdio>

struct complex {
  double re, im;
  complex &operator+=(const complex &o) {
    re += o.re, im += o.im;
    return *this;
  }
};
#pragma omp declare reduction(+ : complex : omp_out += omp_in) initializer(omp_priv = complex{0, 0})

struct counter {
  int count;
  counter() : count(0) {}
  counter(const counter &o) : count(o.count) {}
  ~counter() { count = -1; }
  void add(const counter &o) { count += o.count; }
};
#pragma omp declare reduction(+ : counter : omp_out.add(omp_in)) initializer(omp_priv = counter())

template <class T> T sum(int n) {
  T s = 1;
  complex z = {1, 2};
  counter c;
#pragma omp target teams distribute parallel for reduction(+ : s, z, c) map(tofrom : c)
  for (int i = 0; i < n; i++) {
    s += i % 3;
    z += complex{1, (double)i};
    c.count++;
  }
  std::printf("%g %g %d\n", z.re, z.im, c.count);
  return s;
}

struct owner {
  int kept = 5;
  double sum = 1;
  void run(int n) {
    double &alias = sum;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : kept) map(tofrom : this[0 : 1])
    for (int i = 0; i < n; i++) {
      sum += 1;
      if (i > kept) kept = i;
    }
    std::printf("%d %g\n", kept, alias);
  }
};

int main() {
  std::printf("%d\n", sum<int>(1000));
  std::printf("%g\n", sum<double>(10));
  std::printf("%ld\n", sum<long>(5000));
  owner o;
  o.run(777);
  int value = 3, &name = value;
#pragma omp target teams distribute parallel for reduction(+ : name)
  for (int i = 0; i < 100; i++) name += i;
  std::printf("%d\n", value);
  return 0;
}
