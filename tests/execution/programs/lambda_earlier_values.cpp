// Lambdas whose captures have other values when the region is reached: arrays, values of init-captures, what changes
// after it was captured by reference.
#include <cstdio>
#include <cstdlib>

struct Cell {
  int v;
  double s[2];
};

static void arrays() {
  int a[4] = {1, 2, 3, 4};
  double m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  Cell c[2] = {{1, {2, 3}}, {4, {5, 6}}};
  auto f = [a, m, c](int i) { return a[i] + m[i % 2][i % 3] + c[i % 2].v + c[i % 2].s[1] + int(sizeof a); };
  auto g = [=](int i) { return a[i] * m[1][i % 3]; };
  a[1] = 100;
  m[1][1] = 50;
  c[1].v = 1000;
  c[0].s[1] = 17;
  double r[4] = {0};
#pragma omp target map(tofrom : r)
  for (int i = 0; i < 4; i++) r[i] = f(i) + g(i);
  for (int i = 0; i < 4; i++) std::printf("array %g %g\n", r[i], f(i) + g(i));
  int(&same)[4] = a;
  auto h = [same](int i) { return same[i]; };
  a[2] = 200;
#pragma omp target map(tofrom : r)
  r[0] = h(1) + h(2);
  std::printf("reference to an array %g\n", r[0]);
}

struct Grid {
  int width = 3;
  void run(int n) {
    double scale = 2;
    n += std::abs(-1);
    auto at = [this, scale](int i) { return width * i * scale; };
    auto there = [w = n + 2, &n](int i) { return w * i + n; };
    scale = 9;
    n += 1;
    double s = 0, t = 0;
#pragma omp target teams distribute parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += at(i) + there(i);
    for (int i = 0; i < n; i++) t += at(i) + there(i);
    std::printf("method %g %g\n", s, t);
  }
};

template <class T> static void sum(const T *x, int n) {
  T k = 2;
  if (n > 3) k = 5;
  auto f = [&](int i) { return x[i] * k; };
  auto h = [=](int i) { return x[i] + k; };
  auto q = [z = k * 2](T v) { return v * z; };
  k += 1;
  T s = 0, t = 0;
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : x[0 : n])
  for (int i = 0; i < n; i++) s += q(f(i) + h(i));
  for (int i = 0; i < n; i++) t += q(f(i) + h(i));
  std::printf("template %g %g\n", double(s), double(t));
}

static void values(int *at, Cell *cell) {
  int n = 5, r = 0;
  auto p = [first = at[3] + n, second{n * 2}, third(at[n]), fourth = cell->v, all = *cell](int i) {
    return first + second * i + third + fourth + int(all.s[1]);
  };
  at[3] = 77;
  n = 1;
  cell->v = 50;
  cell->s[1] = 60;
#pragma omp target map(from : r)
  r = p(5);
  std::printf("values %d %d\n", r, p(5));
}

static void references(int n) {
  int r = 0;
  for (int step = 0; step < 3; step++) {
    n += step;
    auto f = [&n, step](int i) { return n * i + step; };
#pragma omp target firstprivate(n) map(from : r)
    r = f(3);
    std::printf("first-private %d %d\n", r, f(3));
#pragma omp target teams distribute parallel for reduction(+ : r)
    for (int i = 0; i < n; i++) r += f(i);
    std::printf("read by both %d\n", r);
  }
}

int main() {
  arrays();
  Grid().run(10);
  double x[20];
  float y[20];
  int at[10];
  for (int i = 0; i < 20; i++) x[i] = y[i] = i * 0.25;
  for (int i = 0; i < 10; i++) at[i] = i;
  sum(x, 20);
  sum(y, 20);
  Cell cell = {4, {5, 6}};
  values(at, &cell);
  references(4);
  return 0;
}
