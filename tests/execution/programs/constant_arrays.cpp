// Small arrays of functions in kernels: constants whose values are known, and arrays that are only read.
#include <initializer_list>

#include <stdio.h>

#define EDGE 0.25
#define ROW {1, 2, EDGE}

enum { SIZE = 240 };
typedef float real;
struct Weights {
  double of[3];
  int shift;
};

static double sum_of(const double *values) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++) sum += values[i] * (1 + i % 7);
  return sum;
}

static void known(double *out) {
  const double matrix[2][3] = {ROW, {4, 1.0 / 3}};
  static const long large[2] = {1L << 40, -7};
  const unsigned char bytes[] = {250, 'a', SIZE};
  constexpr real reals[2] = {0.1f, 1e-3};
#pragma omp target teams distribute parallel for map(from: out[0:SIZE])
  for (int i = 0; i < SIZE; i++) {
    auto chosen = [&](int k) { return matrix[k & 1][i % 3] + bytes[k % 3]; };
    out[i] = chosen(i) + large[i & 1] % 1000 + reals[i & 1] * (sizeof matrix / sizeof matrix[0][0]);
  }
}

static void by_teams(double *out) {
  const double steps[3] = {0.5, 1.5, 2.5};
  int places[4] = {3, 2, 1, 0};
  for (int round = 0; round < 3; round++) {
    places[round] += round;
#pragma omp target teams distribute map(tofrom: out[0:SIZE])
    for (int team = 0; team < SIZE / 10; team++) {
      double own = steps[team % 3];
#pragma omp parallel for
      for (int i = 0; i < 10; i++) out[team * 10 + i] += own + steps[i % 3] + places[(i + team) % 4];
    }
#pragma omp target map(tofrom: out[0:SIZE])
    {
      double first = steps[1];
#pragma omp parallel for
      for (int i = 0; i < SIZE; i++) out[i] += first * steps[(i + 1) % 3];
    }
  }
}

template <class T> static void of_type(double *out) {
  const T values[3] = {1, 0, 1};
  T last[2] = {1, T(out[0] != 0)};
#pragma omp target teams distribute parallel for map(tofrom: out[0:SIZE])
  for (int i = 0; i < SIZE; i++) out[i] += values[i % 3] + 2 * last[i % 2];
}

// The values change between launches that need not be waited for.
static void changing(double *out) {
  double factors[2][2] = {{1, 2}, {3, 4}};
  Weights weights = {{0.5, 0.25, 0.125}, 1};
  const Weights fixed = {{1, 2, 3}, 2};
#pragma omp target data map(tofrom: out[0:SIZE])
  for (int round = 0; round < 20; round++) {
    factors[round & 1][0] += round;
    weights.of[round % 3] *= 1.5;
    weights.shift = round;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < SIZE; i++)
      out[i] += factors[i & 1][(i + round) & 1] * weights.of[(i + weights.shift) % 3] + fixed.of[i % 3] * fixed.shift;
  }
}

struct Sizes {
  int rows, columns, more[2];
};
template <int A, int B> struct Table {
  int of[A + B];
};

// Constants whose lists are objects', with and without the braces of their parts, and one that leaves values out.
static void listed(double *out, int n) {
  constexpr Sizes whole{2, 5, {1, 4}}, elided{3, 6, 2, 5}, part{7, 1};
  constexpr int numbers[] = {3, 1, 2};
#pragma omp target map(from : out[0 : 4])
  {
    Table<whole.rows, whole.more[1]> a;
    Table<elided.more[1], elided.columns> b;
    Table<part.rows, part.more[0] + numbers[2]> c;
    int grid[whole.rows][elided.rows] = {{n}};
    switch (n) {
    case whole.columns: out[3] = 1; break;
    case numbers[0]: out[3] = 2; break;
    default: out[3] = grid[0][0] + grid[1][2];
    }
    out[0] = sizeof a.of / sizeof(int);
    out[1] = sizeof b.of / sizeof(int);
    out[2] = sizeof c.of / sizeof(int);
  }
  printf("listed %g %g %g %g\n", out[0], out[1], out[2], out[3]);
}

int main() {
  double out[SIZE];
  known(out);
  printf("known %.10g\n", sum_of(out));
  by_teams(out);
  printf("by teams %.10g\n", sum_of(out));
  of_type<int>(out);
  of_type<bool>(out);
  of_type<float>(out);
  printf("of types %.10g\n", sum_of(out));
  changing(out);
  printf("changing %.10g\n", sum_of(out));
  for (int n : {3, 4, 5}) listed(out, n);
  return 0;
}
