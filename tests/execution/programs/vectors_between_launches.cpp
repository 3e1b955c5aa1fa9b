// Elements of vectors that the host reads between launches and in bounds.
#include <cstdio>
#include <utility>
#include <vector>
struct Level { int n; double *u; };

static void solve(const std::vector<int> &start, std::vector<long> ends, double *x) {
  for (int l = 0; l < 4; l++) {
#pragma omp target teams distribute parallel for
    for (int i = start[l]; i < start[l + 1]; i++) x[i] += (i ? 0.5 : 1) + l;
  }
  for (int l = 0; l < 4; l++) {
    long from = start[l], to = ends[l] + (start[0] ? 1 : 0);
#pragma omp target teams distribute parallel for
    for (long i = from; i < to; i++) x[i] += i;
    std::swap(from, to);
  }
}

template <class T> static void halve(std::vector<T> &weights, const std::vector<Level> &levels, double *x) {
  const Level *level = levels.data();
  for (size_t l = 0; l < 2; l++) {
    double by = weights[l];
    int n = level[l].n;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) x[i] *= by;
    weights[l] = 0;
  }
}

int main() {
  std::vector<int> start = {0, 10, 20, 30, 40};
  std::vector<double> all(40, 1.0), weights = {0.5, 3};
  std::vector<float> floats = {2, 0.25f};
  std::vector<Level> levels = {{40, nullptr}, {7, nullptr}};
  double *x = all.data(), sum = 0;
#pragma omp target data map(tofrom : x[0 : 40])
  {
    solve(start, {10, 20, 30, 40}, x);
    halve(weights, levels, x);
    halve(floats, levels, x);
  }
  for (int i = 0; i < 40; i++) sum += x[i] * (i % 5 + 1);
  std::printf("%g %g\n", sum, weights[0] + floats[1]);
}
