// Small arrays and objects that are brought for each launch, and that the host changes in between.
#include <cstdio>

struct Step {
  double by;
  int shift;
  double others[3];
};

static void weigh(double *y, const double *x, const double *w, int k, int n) {
#pragma omp target teams distribute parallel for map(to: w[0:k])
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < k; j++) sum += w[j] * x[(i + j) % n];
    y[i] += sum;
  }
}
static void shift(double *y, const double *x, Step &step, int n) {
#pragma omp target teams distribute parallel for map(to: step)
  for (int i = 0; i < n; i++) y[i] += step.by * x[(i + step.shift) % n];
}
// A pointer leads into what the same launch brings.
static double together(const double *x, const double *w, const double *part, int k, int n) {
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: w[0:k])
  for (int i = 0; i < n; i++) sum += x[i] * part[i % 3] + w[i % k];
  return sum;
}

int main() {
  constexpr int n = 1000;
  static double x[n], y[n], w[40];
  double *px = x, *py = y, found = 0, total = 0;
  Step step = {};
  for (int i = 0; i < n; i++) x[i] = i % 13;
#pragma omp target data map(to: px[0:n]) map(tofrom: py[0:n])
  {
    for (int r = 0; r < 6; r++) {
      for (int j = 0; j < 40; j++) w[j] = r + j % 4;
      for (int q = 0; q < 3; q++) {
        w[q] += 2;
        weigh(py, px, w, 30 + r / 2, n);
        step.by = q + r;
        step.shift = q;
        shift(py, px, step, n);
        w[0] = -1;
      }
    }
    for (int r = 0; r < 3; r++) found += together(px, w, w + 2, 10, n);
#pragma omp target data map(to: w[0:20])
    {
      for (int r = 0; r < 3; r++) weigh(py, px, w, 20, n);
      found += together(px, w, w + 4, 10, n);
    }
    for (int r = 0; r < 3; r++) weigh(py, px, w, 20, n);
  }
  for (int i = 0; i < n; i++) total += y[i] * (i % 7);
  printf("%.3f %.3f\n", total, found);
}
