// Divisions by values of the launch, by constants and by what changes, where reciprocals are allowed.
#include <cmath>
#include <cstdio>

enum { MOST = 4000, PARTS = 7 };
#define STEP 0.37
static double found[MOST];
static int wrong;
static void check(int i, double wanted) {
  if (!(std::fabs(found[i] - wanted) <= 1e-4 * std::fabs(wanted))) wrong++;
}

static void plain(double p, float q, int n, double changed) {
#pragma omp target teams distribute parallel for map(from : found) firstprivate(changed)
  for (int i = 0; i < MOST; i++) {
    double u = i + 1, kept = u;
    kept /= p;
    changed = p + i;
    found[i] = u * u / p + -u / (p * q) / STEP + u / PARTS - u / -q + i / p + kept / changed +
               i / n + u / n + (float)u / q;
  }
  for (int i = 0; i < MOST; i++) {
    double u = i + 1;
    check(i, u * u / p + -u / (p * q) / STEP + u / PARTS - u / -q + i / p + u / p / (p + i) + i / n + u / n + u / q);
  }
}

template <class T> static void instance(T p, double r) {
#pragma omp target teams distribute parallel for collapse(2) map(from : found)
  for (int i = 0; i < MOST / 8; i++)
    for (int k = 0; k < 8; k++) {
      double sum = 0;
      for (int m = 0; m < 9; m++) sum += (i + m) / r + m / p;
      found[i * 8 + k] = sum + k / p;
    }
  for (int i = 0; i < MOST; i++) check(i, (i / 8 * 9 + 36) / r + 36 / p + i % 8 / p);
}

static void teams(double p, int n) {
#pragma omp target teams distribute map(from : found)
  for (int i = 0; i < MOST; i += 100) {
    double shared = i / p;
#pragma omp parallel for
    for (int k = 0; k < 100; k++) found[i + k] = (shared + k) / p + k / (p + n);
  }
  for (int i = 0; i < MOST; i++) check(i, (i / 100 * 100 / p + i % 100) / p + i % 100 / (p + n));
}

int main() {
  plain(2.75, -1.25f, 3, 1);
  plain(-1e-3, 3e4f, -2, 1);
  instance(1.5, 7.0);
  instance(-0.7f, 1e5);
  instance(3, 1e-5);
  teams(12.5, 4);
  double zero = 0;
#pragma omp target map(from : found) firstprivate(zero)
  found[0] = zero == 0 ? 5 : 1 / zero;
  std::printf("%d %g\n", wrong, found[0]);
}
