/* Macros whose text names members of the class around the region: the kernel names them by the object or the class. */
#include <stdio.h>

#define AT(i, j) [(i) * n + (j)]
#define TWICE (n * 2)
#define CELL(i) cur[(i) * n + n - 2]
#define N n
#define LIMIT most
#define STEP(x) ((x) + stride)
#define SUM total
#define SUM2 (total)
#define TABLE table[k]
#define CALL(x) shifted(x) + shift
#define KIND kind_t
#define INNER value_type

int n = 1000;  /* what the names would mean outside of the class */
int shift = 1000;

template <typename T> struct Grid {
  typedef T value_type;
  enum kind_t { small, most = 3 };
  static constexpr int stride = 2;
  static constexpr int table[4] = {1, 2, 3, 4};
  int n, shift;
  T *cur, total;
  int shifted(int x) const { return x + shift; }
  int by_macro(int x) const { return TWICE + N + CALL(x) + STEP(x); }

  void fill() {
#pragma omp target teams distribute parallel for map(tofrom: cur[0:n * n])
    for (int i = 0; i < 4; i++) {
      cur AT(i, 1) = i + TWICE;
      CELL(i) += 1 + N;
      cur[N * i] += LIMIT + STEP(i);
      INNER v = CALL(i);
      KIND k = LIMIT;
      cur[i * N + 3] = v + k + by_macro(i);
    }
  }
  T sum() {
    total = 0;
#pragma omp target teams distribute parallel for map(to: cur[0:n * n]) reduction(+ : total)
    for (int i = 0; i < n * n; i++) {
      int k = i & 3;
      SUM += cur[i] * TABLE;
      SUM2 += TWICE;
    }
    return total;
  }
  T in_lambda() {
    T found = 0;
#pragma omp target map(from: found) map(to: cur[0:n * n])
    {
      auto f = [&](int i) { return cur AT(i, 2) + TWICE + LIMIT; };
      found = f(1) + f(2);
    }
    return found;
  }
};

struct Plain {
  int n;
  double *a;
  void run() {
#define A a
#define COUNT (n + 1)
#pragma omp target teams distribute parallel for map(tofrom: A[0:COUNT])
    for (int i = 0; i < COUNT; i++) A[i] = i * COUNT + N;
  }
};

int main() {
  double a[16] = {}, b[9] = {};
  int c[16] = {};
  Grid<double> d{4, 5, a, 0};
  Grid<int> e{4, 6, c, 0};
  d.fill(), e.fill();
  for (int i = 0; i < 16; i++) printf("%g %d ", a[i], c[i]);
  printf("\n%g %d %g %d\n", d.sum(), e.sum(), d.in_lambda(), e.in_lambda());
  Plain p{8, b};
  p.run();
  for (double x : b) printf("%g ", x);
  printf("%d\n", TWICE + shift);
  return 0;
}
