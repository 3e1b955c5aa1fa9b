/* Loops of kernels of one thread load many elements before the first iteration computes: of all lengths, up and down. */
#include <stdio.h>

enum { N = 140 };
static unsigned values[N], sums[N];
static double weights[N];

static unsigned sum_up(unsigned *v, int n) {
  unsigned sum = 0;
#pragma omp target map(tofrom : v[0 : N], sum)
  {
    for (int i = 0; i < n; i++) {
      unsigned one = v[i];
      v[i] = sum;
      sum += one;
    }
  }
  return sum;
}
static unsigned sum_down(unsigned *v, unsigned *to, double *w, int n, int step) {
  unsigned sum = 7;
#pragma omp target map(tofrom : v[0 : N], to[0 : N], w[0 : N], sum)
  {
    for (int i = n - 1; i >= 0; i -= 3) {
      double one = w[i];
      w[i] = one / (v[i] + 1.5);
      sum += (unsigned)(one * 4) + v[i];
      to[i * step % N] = sum;
    }
  }
  return sum;
}

int main(void) {
  for (int n = 0; n <= N; n += n < 70 ? 1 : 5) {
    for (int i = 0; i < N; i++) values[i] = i * 2654435761u >> 20, sums[i] = i, weights[i] = 0.25 * (i % 23);
    unsigned up = sum_up(values, n), down = sum_down(values, sums, weights, n, 1 + n % 3);
    unsigned shifted = n > 8 ? sum_down(values, values + 1 - 1, weights, n, 1) : 0;
    unsigned hash = 0;
    double all = 0;
    for (int i = 0; i < N; i++) hash = hash * 31 + values[i] + sums[i], all += weights[i];
    printf("%d: %u %u %u %u %.6f\n", n, up, down, shifted, hash, all);
  }
  return 0;
}
