// Members of *this in private and firstprivate clauses of methods.
#include <cstdio>

struct Grid {
  int n;
  double t;
  double *d;
  int index;
  double part[3];
  double scale;

  double get() const { return n; }

  double combined() {
    double s = 0;
#pragma omp target teams distribute parallel for private(t, index, part) firstprivate(scale) reduction(+ : s) \
    map(to : d[0 : n])
    for (int i = 0; i < n; i++) {
      t = d[i] * scale;
      this->index = i % 3;
      part[index] = t;
      part[(index + 1) % 3] = 1;
      scale += i % 2;
      scale -= i % 2;
      s += part[index] + part[(index + 1) % 3] + get();
    }
    return s;
  }

  double separate() {
    double s = 0;
#pragma omp target map(to : d[0 : n]) map(tofrom : s)
#pragma omp teams distribute parallel for private(t) firstprivate(scale) reduction(+ : s)
    for (int i = 0; i < n; i++) {
      t = d[i] * scale;
      s += t + 1;
    }
    return s;
  }

  double first() {
    double s = 0;
    const double before = t;
#pragma omp target parallel for firstprivate(t) reduction(+ : s)
    for (int i = 0; i < n; i++) s += t;
    return s - n * before;
  }
};

int main() {
  double values[100];
  for (int i = 0; i < 100; i++) values[i] = i;
  Grid grid = {100, 1.5, values, 7, {1, 2, 3}, 2.0};
  const Grid saved = grid;
  const double a = grid.combined(), b = grid.separate(), c = grid.first();
#ifndef _OPENMP
  grid = saved; // there are no copies
#endif
  std::printf("%g %g %g\n", a, b, c);
  std::printf("kept %g %d %g %g %g\n", grid.t, grid.index, grid.part[0], grid.part[1], grid.scale);
  return 0;
}
