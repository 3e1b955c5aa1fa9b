/* Lambdas from outside a region: captures by value that change afterwards, by reference, of this, copies. */
#include <cstdio>
#include <vector>
struct Scale { int w; int k[3]; };
struct Grid {
  int w = 3, k[4] = {1, 2, 3, 4};
  int sum() {
    auto at = [this](int i) { return k[i] * w; };
    int r = 0;
#pragma omp target map(tofrom: r)
    for (int i = 0; i < 4; i++) r += at(i);
    return r;
  }
  int moved(int z) {
    w = 4;
    auto at = [=](int i) { return this->k[i] * w + z; };
    z = 70;
    int r = z;
#pragma omp target teams distribute parallel for reduction(+: r)
    for (int i = 0; i < 4; i++) r += at(i);
    return r;
  }
};
template <typename T> T scaled(T by, int n) {
  auto times = [=](T x) { return x * by; };
  by += 1;
  T sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
  for (int i = 0; i < n; i++) sum += times(T(i)) + by;
  return sum;
}
int main() {
  int step = 1, count = 0, out[8] = {0};
  double data[8], *p = data;
  for (int i = 0; i < 8; i++) data[i] = i * 1.5;
  auto add = [step](int i) { return i + step; };
  step = 100;
  auto both = [&, step](int i) { return add(i) + step + count; };
  step = 1000;
#pragma omp target map(tofrom: out)
  for (int i = 0; i < 8; i++) out[i] = both(i) + step;
  printf("%d %d\n", out[0], out[7]);
  auto tally = [&count](int i) { count += i; return count; };
#pragma omp target map(from: out)
  for (int i = 0; i < 8; i++) out[i] = tally(i);
  printf("%d %d\n", count, out[7]);
  auto at = [p](int i) { return p[i]; };
  p = nullptr;
  double sum = 0;
#pragma omp target data map(to: data)
#pragma omp target teams distribute parallel for reduction(+: sum)
  for (int i = 0; i < 8; i++) sum += at(i);
  printf("%g\n", sum);
  Scale s = {2, {1, 2, 3}};
  auto weigh = [s](int i) { return s.k[i % 3] * s.w; };
  s.w = 50, s.k[1] = 9;
  auto copied = weigh;
  int total = 0;
#pragma omp target teams distribute parallel for reduction(+: total) map(to: weigh)
  for (int i = 0; i < 6; i++) total += copied(i) + s.w;
  printf("%d\n", total);
  for (int t = 0; t < 3; t++) {
    auto later = [=](int i) { return i * t; };
    int r = 0;
#pragma omp target map(tofrom: r)
    r = later(5);
    printf("%d ", r);
  }
  const int three = 3;
  auto any = [by = three * 3](auto x) { return x * by; };
#pragma omp target map(from: sum)
  sum = any(0.5) + any(2);
  printf("%g\n", sum);
  Grid g;
  int first = g.sum(), second = g.moved(5);
  printf("%d %d %d %g\n", first, second, scaled(3, 5), scaled(0.5, 5));
}
