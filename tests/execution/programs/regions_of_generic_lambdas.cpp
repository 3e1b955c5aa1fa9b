// Regions in generic lambdas, which use their parameters and what they capture.
#include <cstdio>

struct Point {
  double x, y;
};
template <class T> T of_template(int n, T first) {
  T values[40];
  for (int i = 0; i < 40; i++) values[i] = first;
  auto add = [&, n](auto by, T *into) {
#pragma omp target teams distribute parallel for map(tofrom : into[0 : n])
    for (int i = 0; i < n; i++) into[i] += by * i + sizeof(T) + first;
  };
  add(2, values);
  add(0.5, values);
  T sum = 0;
  for (T value : values) sum += value;
  return sum;
}
class Held {
  double values[10] = {};

public:
  double fill(double by) {
    double *into = values;
    auto all = [=](auto... each) {
#pragma omp target map(tofrom : into[0 : 10])
      for (int i = 0; i < 10; i++) into[i] += (each + ...) * 3;
    };
    all(by), all(by, 1, 2L);
    return values[3] + values[9];
  }
};

template <class F> void call(F f) { f(1); }

// Types of one name that the lambdas' blocks declare, and regions that use no parameter.
int of_local_types() {
  int s = 0, n = 4;
  auto generic = [&](auto k) {
    struct P {
      double x;
      int y[3];
    } p = {2.5, {1, 2, n}};
#pragma omp target map(tofrom : s)
    {
      P q = p;
      s += q.x + q.y[2];
    }
    s += k;
  };
  generic(1);
  generic(2.5);
  call([&](auto k) {
    struct P {
      int x;
    } p = {2};
#pragma omp target map(tofrom : s)
    {
      P q = p;
      s += q.x;
    }
    s += k;
  });
  return s;
}

int main() {
  int p[100] = {};
  double q[100] = {};
  const int size = 100;
  auto fill = [&](auto n) {
#pragma omp target teams distribute parallel for map(tofrom : p)
    for (int i = 0; i < n; i++) p[i] = i * n + (i < size);
  };
  fill(100), fill(50L);
  printf("%d %d\n", p[49], p[99]);
  auto axpy = [](int n, auto a, auto *x) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : n])
    for (int i = 0; i < n; i++) x[i] += a * i + a / 2;
  };
  axpy(100, 3, p), axpy(100, 1.0, q);
  printf("%d %g\n", p[99], q[99]);
  double total = 1;
  auto sum = [&](auto s, const auto &weights) {
#pragma omp target teams distribute parallel for reduction(+ : s, total) map(to : weights)
    for (int i = 0; i < 100; i++) {
      s += p[i] + weights[i % 3];
      total += s - s + 1;
    }
    return s;
  };
  const float weights[] = {0.25f, 1, 2};
  printf("%g ", sum(0.0, weights));
  printf("%d ", sum(0, p));
  printf("%g\n", total);
  Point at = {1, 2}, *where = &at;
  auto move = [=, &at](auto by) mutable {
#pragma omp target data map(tofrom : at)
    {
#pragma omp target firstprivate(by)
      at.x += by;
#pragma omp target map(tofrom : where[0 : 1])
      where->y += by;
    }
    where = nullptr;
  };
  move(2);
  printf("%g %g\n", at.x, at.y);
  auto outer = [&](auto scale) {
    auto inner = [&](auto *to, auto n) {
#pragma omp target teams distribute parallel for map(tofrom : to[ : n])
      for (int i = 0; i < n; i++) to[i] *= scale;
    };
    inner(q, 10), inner(p, 20L);
  };
  outer(3), outer(0.5);
  printf("%g %d %g %d\n", q[9], p[19], q[10], p[20]);
  auto typed = []<class T, int count>(T(&values)[count]) {
    T largest = values[0];
#pragma omp target parallel for reduction(max : largest) map(to : values)
    for (int i = 0; i < count; i++) largest = values[i] > largest ? values[i] : largest;
    return largest;
  };
  printf("%d %g\n", typed(p), typed(q));
  auto counted = [total](auto n) {
    int found = 0;
#pragma omp target enter data map(to : found)
#pragma omp target parallel for default(none) firstprivate(n, total) reduction(+ : found) map(tofrom : found)
    for (int i = 0; i < n; i++) found += i < total;
#pragma omp target exit data map(from : found)
    return found;
  };
  printf("%d %d\n", counted(500), counted(20L));
  printf("%g %d %g\n", of_template(40, 1.5), of_template(40, 2), Held().fill(0.5));
  printf("%d\n", of_local_types());
}
