// Comparisons and classes of numbers by <cmath>'s functions, which are made of functions of the compilers.
#include <cmath>
#include <cstdio>
#include <math.h>

struct Own {
  bool isnormal;
  int n;
  Own(int n) : isnormal(n > 2), n(n) {}
  bool isless(int other) const { return n < other; }
};

int main() {
  double x[6] = {1e308, -3, NAN, 0.0, INFINITY, 1e-310};
  float f[6] = {1e38f, -3, NAN, 0.0f, -INFINITY, 1e-40f};
  int standard[36], plain[36], classes[6], own[6];
#pragma omp target map(to : x, f) map(from : standard, plain, classes, own)
  for (int i = 0; i < 6; i++) {
    classes[i] = (std::fpclassify(x[i]) == FP_ZERO) + 2 * (fpclassify(f[i]) == FP_SUBNORMAL) +
                 4 * std::isnormal(x[i]) + 8 * isnormal(f[i]) + 16 * std::isnormal(i) +
                 32 * (std::fpclassify(i) == FP_NORMAL) + 64 * (__builtin_isinf_sign(x[i]) + 1);
    Own one(i);
    own[i] = one.isnormal + 2 * one.isless(3) + 4 * __builtin_isnormal(f[i]) + 8 * __builtin_isless(x[i], 0.5);
    for (int j = 0; j < 6; j++) {
      int k = i * 6 + j;
      standard[k] = std::isgreater(x[i], x[j]) + 2 * std::isgreaterequal(x[i], f[j]) + 4 * std::isless(f[i], f[j]) +
                    8 * std::islessequal(x[i], j) + 16 * std::islessgreater(x[i], x[j]) +
                    32 * std::isunordered(x[i], x[j]);
      plain[k] = isgreater(f[i], x[j]) + 2 * isless(x[i], x[j]) + 4 * isunordered(x[i], f[j]);
    }
  }
  for (int i = 0; i < 6; i++) printf("%d %d\n", classes[i], own[i]);
  for (int k = 0; k < 36; k++) printf("%d %d ", standard[k], plain[k]);
  puts("");
}
