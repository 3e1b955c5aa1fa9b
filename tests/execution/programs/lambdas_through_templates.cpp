// Lambdas and functors that are handed to templates with regions.
#include <cstdio>
#include <vector>
namespace loops {
template <class Body> void forall(int n, Body body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) body(i);
}
template <class Body> void by_clause(int n, Body body) {
#pragma omp target teams distribute parallel for firstprivate(body)
  for (int i = 0; i < n; ++i) body(i);
}
template <class Body> void by_map(int n, const Body &body) {
#pragma omp target teams distribute parallel for map(to : body)
  for (int i = 0; i < n; ++i) body(i);
}
struct parallel {};
template <class Policy> struct runner {
  template <class First, class Body> static void run(First first, First last, Body &&body) {
#pragma omp target teams distribute parallel for
    for (First i = first; i < last; ++i) body(i);
  }
};
template <class Policy, class Body> void apply(long n, Body body) { runner<Policy>::run(0L, n, body); }
template <class T, class Body> T reduce(int n, T first, Body body) {
  T total = first;
#pragma omp target teams distribute parallel for reduction(+ : total)
  for (int i = 0; i < n; ++i) total += body(i);
  return total;
}
template <class Left, class Right> void both(int n, Left left, Right right) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) {
    left(i);
    right(i, i % 3);
  }
}
} // namespace loops
static double twice(double x) { return 2 * x; }
struct point { double x, y; };
struct scaled {
  double *p, by;
  void operator()(int i) const { p[i] *= by; }
};
template <class T> void fill(T *values, int n, T value) {
  loops::forall(n, [=](int i) {
    T doubled = value + value;
    values[i] += doubled; // the template's own type
  });
}
template <int Step> int count(int n) {
  return loops::reduce(n, 0, [](int i) { return i % Step == 0 ? 1 : 0; });
}
int main() {
  const int n = 100;
  std::vector<double> held(n, 1.0);
  double *x = held.data(), shift = 0.5;
  int *marks = new int[n]();
  point centre = {1, 2};
#pragma omp target enter data map(to : x[0 : n], marks[0 : n])
  loops::forall(n, [=](int i) { x[i] += 2.0 * i; });
  loops::forall(n, [x, shift](int i) { x[i] += shift; });
  loops::by_clause(n, [=](int i) { x[n - 1 - i] += twice(shift); });
  loops::by_map(n, [=](int i) { marks[i] += i % 2 ? 1 : 10; });
  double *there = x;
#pragma omp target data use_device_ptr(there)
  loops::forall(n, scaled{there, 3});
  auto kept = [=](const auto i) { x[i] += centre.x * 0.25 + centre.y; };
  loops::apply<loops::parallel>(n, kept);
  loops::apply<loops::parallel>(n / 2, kept);
  loops::both(
      n, [=](int i) { marks[i] += 100; }, [=](int i, int kind) -> void {
        for (int k = 0; k < kind; k++)
          marks[i] += 1000;
      });
  fill(x, n, 4.0);
  fill(marks, n, 7);
  float *pair[2] = {nullptr, nullptr};
  (void)pair;
  double sum = loops::reduce(n, 0.5, [=](int i) { return x[i] - marks[i]; });
  int some = loops::reduce(n, 0, [](int i) noexcept { return i & 1; });
#pragma omp target exit data map(from : x[0 : n], marks[0 : n])
  std::printf("%g %d %d %d\n", sum, some, count<3>(n), count<7>(50));
  for (int i = 0; i < n; i += 9) std::printf("%g %d ", x[i], marks[i]);
  std::printf("\n");
}
