// Kernels that are queued: loops and rows of regions whose ends nobody sees, with data that moves in between.
#include <math.h>
#include <stdio.h>

enum { N = 1000, STEPS = 7 };
#define UNROLLED _Pragma("GCC unroll 2")

static void scale(double *a, int n, double by) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] *= by;
}

// A structure that is only read: the kernel gets a copy of it.
struct shift {
  int by;
  double factor;
};
static void move(double *a, int n, struct shift s) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] = a[i] * s.factor + s.by;
}

static void exchange(double **a, double **b) {
  double *other = *a;
  *a = *b;
  *b = other;
}

static double sum_of(const double *a) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += a[i];
  return sum;
}

int main(void) {
  static double a[N], b[N], c[N];
  double *from = a, *to = b, total = 0;
  for (int i = 0; i < N; i++) a[i] = i, c[i] = 1;
#pragma omp target data map(tofrom : a, b, c)
  {
    // The next kernel works on what the last one has left.
    for (int step = 0; step < STEPS; step++) {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) to[i] = from[(i + 1) % N] + step;
      double *other = from;
      from = to, to = other;
    }
    // A value that changes behind the launch, a function, arithmetic.
    for (int step = 0; step < STEPS; step++) {
      double by = pow(2, step % 3);
      scale(c, N, by);
      by = 0;
    }
    scale(from, N, 0.5);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) c[i] += from[i];
    exchange(&from, &to);
    // Data that moves in the loop.
    for (int step = 0; step < 3; step++) {
#pragma omp target teams distribute parallel for map(tofrom : total) reduction(+ : total)
      for (int i = 0; i < N; i++) total += c[i];
#pragma omp target update from(c)
      if (step == 1) break;
#pragma omp target
      c[step] += total;
    }
  }
  printf("%.3f %.3f %.3f %.3f\n", sum_of(a), sum_of(b), sum_of(c), total);
  struct shift s = {1, 0.5};
#pragma omp target data map(tofrom : a, b)
  {
    for (int step = 0; step < STEPS; step++) {
      s.by = step;
      move(a, N, s);
      s.factor += 0.25;
    }
    // Tasks that need not be deferred.
    for (int step = 0; step < 10; step++) {
#pragma omp target teams distribute parallel for nowait
      for (int i = 100 * step; i < 100 * step + 100; i++) b[i] += step;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++) a[i] -= step;
    }
#pragma omp taskwait
  }
  printf("%.6e %.3f\n", sum_of(a), sum_of(b));
  // Data that only the kernels map: each launch moves it.
  double own[N], unmapped = 0;
  for (int i = 0; i < N; i++) own[i] = i;
  for (int step = 0; step < STEPS; step++) {
#pragma omp target map(tofrom : unmapped)
    unmapped += step;
    scale(c, 10, unmapped);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) own[i] += unmapped;
  }
  printf("%.3f %.3f\n", sum_of(own), unmapped);
  // Small updates between kernels send what stood there then.
  double rate[2], offset[3], large[N];
#pragma omp target data map(tofrom : a, large) map(alloc : rate, offset)
  for (int step = 0; step < STEPS; step++) {
    rate[1] = 1 + step / 8.0;
    for (int k = 0; k < 3; k++) offset[k] = step * k;
    for (int i = 0; i < N; i++) large[i] = i % (step + 2);
#pragma omp target update to(rate[1 : 1], offset)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) a[i] = a[i] * rate[1] + offset[i % 3];
    rate[1] = offset[1] = 1000;
#pragma omp target update to(large)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) a[i] += large[i] - offset[2];
#pragma omp target update to(offset[1 : 1])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) a[i] -= offset[1];
  }
  printf("%.6e\n", sum_of(a));
  // The host's own memory of mapped data: what it writes there, kernels get with the next update only.
  double *factor = rate;
  factor[0] = 2, factor[1] = 3;
#pragma omp target data map(tofrom : a, large) map(to : factor[0 : 2])
  for (int step = 0; step < factor[1]; step++) {
#pragma omp target update to(factor[0 : 1])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) large[i] = a[i] / factor[0];
    factor[0] = 3 + step;
#pragma omp target update to(factor[0 : 1])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++) a[i] += factor[0] * large[i];
    factor[0] = factor[0] * 2 - step;
  }
  printf("%.6e %.6e %g\n", sum_of(a), sum_of(large), factor[0]);
  // Pragmas of the host compiler's that speak of a loop.
#pragma GCC unroll 2
  for (int step = 0; step < STEPS; step++) scale(c, 10, 2);
  if (unmapped > 0)
#pragma GCC unroll 2
    for (int step = 0; step < STEPS; step++) scale(c, 10, 0.5);
  _Pragma("GCC unroll 2") for (int step = 0; step < STEPS; step++) scale(c, 10, 1.5);
  UNROLLED
  for (int step = 0; step < STEPS; step++) scale(c, 10, 0.25);
  printf("%.6e\n", sum_of(c));
  return 0;
}
