// Regions of ten kinds, each with a place to stop and what is to be seen there.
#include <cstdio>

struct point { int x; double y; };
#pragma omp declare target
static double twice(double value) {
  double result = 2 * value; // stop: value = 3
  return result;
}
#pragma omp end declare target

static double *new_numbers(int n) {
  double *a = new double[n];
  for (int i = 0; i < n; i++) a[i] = i;
  return a;
}

template <class T> T sum_of(const T *a, int n) {
  T sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(to : a[0:n])
  for (int i = 0; i < n; i++) {
    T term = a[i] + 1;
    sum += term; // stop: term = 127, i = 0, a[5] = 10
  }
  return sum;
}

struct grid {
  double *cells;
  int width;
  void scale(double by) {
#pragma omp target teams distribute parallel for map(tofrom : cells[0:width])
    for (int i = 0; i < width; i++) {
      double old = cells[i];
      cells[i] = old * by; // stop: by = 2, old = 63
    }
  }
};

template <class Body> void for_all(int n, Body body) {
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++) body(k);
}

int main() {
  const int n = 64;
  double *a = new_numbers(n);
  point p = {7, 1.5};
  int rows = 4, columns = 16;
#pragma omp target data map(tofrom : a[0:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
      double moved = a[i] + p.y;
      a[i] = moved; // stop: moved = 1.5, p.x = 7, n = 64
    }
#pragma omp target teams distribute parallel for collapse(2)
    for (int r = 0; r < rows; r++)
      for (int c = 0; c < columns; c++) {
        int at = r * columns + c;
        a[at] = at; // stop: r = 0, c = 0, columns = 16
      }
#pragma omp target teams distribute
    for (int r = 0; r < rows; r++) {
      double first = a[r * columns];
#pragma omp parallel for
      for (int c = 0; c < columns; c++) {
        double next = first + c;
        a[r * columns + c] = next; // stop: first = 0, next = 0
      }
    }
#pragma omp target
    {
      int best = 0;
      for (int i = 1; i < n; i++)
        if (a[i] > a[best]) best = i;
      a[0] = best; // stop: best = 63
    }
#pragma omp target parallel num_threads(4)
    {
      int wanted = 3;
#pragma omp single
      a[wanted] = 3; // stop: wanted = 3
    }
#pragma omp target map(always, from : a[3:1])
    a[3] = twice(a[3]);
  }
  grid g = {a, n};
  g.scale(2);
  double sum = sum_of(a, n);
  int *counts = new int[n]();
#pragma omp target data map(tofrom : counts[0:n])
  for_all(n, [=](int k) {
    int square = k * k;
    counts[k] = square; // stop: square = 0
  });
#pragma omp target teams distribute parallel for simd map(tofrom : counts[0:n])
  for (int i = 0; i < n; i++) {
    int more = counts[i] + i;
    counts[i] = more; // stop: more = 0
  }
  std::printf("%g %d\n", sum, counts[9]);
}
