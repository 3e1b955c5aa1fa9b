/* Kernels with `nowait` that a `taskwait` waits for at once, which are queued, behind tasks that another file's function
   could have made, and what the host reads behind them. */
#include <stdio.h>

#define N 64

static int distance[N * N], by[N * N];

static void shortest(int *d, int *p) {
#pragma omp target data map(tofrom : d[0 : N * N], p[0 : N * N])
  for (int k = 0; k < N; k++) {
#pragma omp target teams distribute parallel for collapse(2) nowait
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        if (d[i * N + k] + d[k * N + j] < d[i * N + j]) {
          d[i * N + j] = d[i * N + k] + d[k * N + j];
          p[i * N + j] = k;
        }
#pragma omp taskwait
  }
}

static long rounds(int *a, int *b, int n) {
  long sum = 0;
#pragma omp target data map(tofrom : a[0 : n], b[0 : n])
  for (int round = 0; round < 20; round++) {
#pragma omp target teams distribute parallel for nowait
    for (int i = 0; i < n; i++) a[i] += round;
#pragma omp target teams distribute parallel for nowait
    for (int i = 0; i < n; i++) b[i] -= round;
#pragma omp taskwait
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) a[i] += b[i] & 7;
    if (round % 8 == 7) {
#pragma omp target update from(a[0 : n])
      for (int i = 0; i < n; i++) sum += a[i];
    }
  }
  return sum;
}

int main(void) {
  int a[1000], b[1000];
  for (int i = 0; i < N * N; i++) distance[i] = i % (N + 1) ? i * 7919 % 1009 + 1 : 0;
  for (int i = 0; i < 1000; i++) a[i] = i, b[i] = 3 * i;
  shortest(distance, by);
  long sum = 0, steps = 0;
  for (int i = 0; i < N * N; i++) sum += (long)distance[i] * (i % 31 + 1), steps += (long)by[i] * (i % 29 + 1);
  printf("%ld %ld\n", sum, steps);
  printf("%ld\n", rounds(a, b, 1000));
  for (int i = 0; i < 1000; i += 199) printf("%d %d\n", a[i], b[i]);
  return 0;
}
