// Quotients by several roots, sines, and rows whose terms have members in common, in C++11.
#include <cmath>
#include <cstdio>

struct Matrix {
  int *row, *column;
  double *value;
};

static float x[300], y[300], z[300], w[300];
static int rows[301], columns[3000];
static double values[3000], product[300];

static void quotients(int n) {
#pragma omp target teams distribute parallel for map(to: x) map(from: y, z)
  for (int i = 0; i < n; i++) {
    float s = 0, t = 0;
    for (int j = 0; j < n; j++) {
      float d = x[j] - x[i], e = d * d + 0.5f;
      s += 1.0f / sqrtf(e) * d;
      t += 2.0f / sqrtf(e + 1) * d;
    }
    y[i] = s;
    z[i] = t;
  }
}

static void waves(int n) {
#pragma omp target teams distribute parallel for map(to: x) map(from: w)
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < n; j++) s += x[j] * std::sin(x[i] * x[j]);
    w[i] = s;
  }
}

static void multiply(int n, const Matrix *m, const double *from, double *to) {
  int all = m->row[n];
#pragma omp target teams distribute parallel for map(to: m[0 : 1], m->row[0 : n + 1], m->column[0 : all]) \
    map(to: m->value[0 : all], from[0 : n]) map(from: to[0 : n])
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = m->row[i]; k < m->row[i + 1]; k++) s += m->value[k] * from[m->column[k]];
    to[i] = s;
  }
}

int main() {
  for (int i = 0; i < 300; i++) {
    x[i] = static_cast<float>(i % 37) * 0.25f;
    rows[i + 1] = rows[i] + i % 20;
  }
  for (int k = 0; k < 3000; k++) {
    columns[k] = k * 7 % 300;
    values[k] = k % 11 - 5;
  }
  const Matrix matrix = {rows, columns, values};
  double from[300];
  for (int i = 0; i < 300; i++) from[i] = i % 13 * 0.5;
  quotients(300);
  waves(300);
  multiply(300, &matrix, from, product);
  double sum = 0, others = 0;
  for (int i = 0; i < 300; i++) {
    sum += std::fabs(y[i]) * (i % 7) + std::fabs(z[i]) + std::fabs(w[i]);
    others += product[i] * (i % 5 + 1);
  }
  std::printf("%.3e %.6f\n", sum, others);
}
