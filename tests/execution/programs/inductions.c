/* induction (OpenMP 6.0, 7.6.13): each iteration begins with the value that the steps before it give the variable. */
#include <stdio.h>

#define N 24

static long found[N];
static double sums[N];

static void on_target(int step, double factor) {
  int times = 1;
  long down = 100;
  double x = 0.5;
#pragma omp target parallel for induction(step(step), *: times) map(tofrom : found)
  for (int i = 0; i < N; i++) {
    found[i] += i + times;
    times *= step;
  }
#pragma omp target map(tofrom : found, sums, down, x)
#pragma omp parallel for simd induction(step(-3), + : down) induction(relaxed, step(factor), * : x)
  for (int i = N - 1; i >= 0; i--) {
    found[i] += down * 1000;
    sums[i] += x;
    down += -3;
    x *= factor;
  }
  printf("target %d %ld %g\n", times, down, x);
}

static void inside(int rows, unsigned char small) {
  int a = 7, b = 1, c = 0;
  float f = 1;
#pragma omp target map(tofrom : found, sums, a, b, f, c)
  {
    c = 1;
#pragma omp parallel num_threads(6)
    {
#pragma omp for induction(step(small), + : a)
      for (int i = 0; i < N; i++) {
        found[i] += a;
        a += small;
      }
#pragma omp for collapse(2) induction(step(2), * : f) schedule(static, 2)
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++) {
          sums[i * 4 + j] += f;
          f *= 2;
        }
    }
#pragma omp simd induction(strict, step(3), * : b)
    for (int i = 0; i < 12; i++) {
      found[i] += b;
      b *= 3;
    }
  }
  printf("inside %d %d %g %d\n", a, b, f, c);
}

static void once(int n) {
  int y = 5;
#pragma omp target simd induction(step(n), + : y) map(tofrom : found)
  for (int i = 0; i < N; i++) {
    found[i] += y;
    y += n;
  }
  printf("once %d\n", y);
}

int main(void) {
  on_target(2, 1.5);
  inside(6, 3);
  once(4);
  long sum = 0;
  double all = 0;
  for (int i = 0; i < N; i++) sum += found[i] * (i + 1), all += sums[i] * (i % 7);
  printf("%ld %g\n", sum, all);
  return 0;
}
