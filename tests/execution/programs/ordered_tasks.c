/* Kernels and updates that depend on each other, with `nowait`: what is queued in order, what stays a task because the host
   works beside it, and what the host reads behind them. */
#include <stdio.h>

#define N 64
#define TILE 8
#define TILES (N / TILE)

static double matrix[N * N];

static void factor(double *a, int k) {
#pragma omp target nowait depend(inout : a[k * N * TILE + k * TILE])
  for (int j = 0; j < TILE; j++) {
    double *at = a + (k * TILE + j) * N + k * TILE;
    for (int i = 0; i < j; i++)
      for (int l = 0; l < i; l++) at[i] -= at[l] * a[(k * TILE + i) * N + k * TILE + l];
    for (int i = 0; i < j; i++) at[i] /= a[(k * TILE + i) * N + k * TILE + i];
    for (int l = 0; l < j; l++) at[j] -= at[l] * at[l];
    at[j] = at[j] > 1 ? at[j] / 2 + 1 : 1;
  }
}

static void solve(double *a, int k, int m) {
#pragma omp target teams distribute parallel for nowait depend(in : a[k * N * TILE + k * TILE])                               \
    depend(inout : a[m * N * TILE + k * TILE])
  for (int r = 0; r < TILE; r++) {
    double *row = a + (m * TILE + r) * N + k * TILE;
    for (int i = 0; i < TILE; i++) {
      for (int l = 0; l < i; l++) row[i] -= row[l] * a[(k * TILE + i) * N + k * TILE + l];
      row[i] /= a[(k * TILE + i) * N + k * TILE + i];
    }
  }
}

static void change(double *a, int k, int m, int n) {
#pragma omp target teams distribute parallel for collapse(2) nowait                                                           \
    depend(in : a[m * N * TILE + k * TILE], a[n * N * TILE + k * TILE]) depend(inout : a[m * N * TILE + n * TILE])
  for (int i = 0; i < TILE; i++)
    for (int j = 0; j < TILE; j++) {
      double sum = 0;
      for (int l = 0; l < TILE; l++) sum += a[(m * TILE + i) * N + k * TILE + l] * a[(n * TILE + j) * N + k * TILE + l];
      a[(m * TILE + i) * N + n * TILE + j] -= sum;
    }
}

static void tiles(double *a) {
#pragma omp target data map(tofrom : a[0 : N * N])
  {
    for (int k = 0; k < TILES; k++) {
      factor(a, k);
      for (int m = k + 1; m < TILES; m++) solve(a, k, m);
      for (int m = k + 1; m < TILES; m++)
        for (int n = k + 1; n <= m; n++) change(a, k, m, n);
    }
#pragma omp taskwait
  }
}

/* Chunks that are brought, changed and fetched. The same memory comes and goes again before anything waits. */
static long pipeline(int *x, int n, int chunk) {
  long sum = 0;
#pragma omp target data map(alloc : x[0 : n])
  for (int round = 0; round < 3; round++) {
    for (int at = 0; at < n; at += chunk) {
#pragma omp target update to(x[at : chunk]) nowait depend(out : x[at])
#pragma omp target teams distribute parallel for nowait depend(inout : x[at])
      for (int i = at; i < at + chunk; i++) x[i] = 2 * x[i] + round;
#pragma omp target update from(x[at : chunk]) nowait depend(in : x[at])
    }
    for (int at = 0; at < n; at += chunk) {
#pragma omp target update to(x[at : chunk]) nowait depend(inout : x[at])
#pragma omp target teams distribute parallel for nowait depend(inout : x[at])
      for (int i = at; i < at + chunk; i++) x[i] -= 3;
#pragma omp target update from(x[at : chunk]) nowait depend(inout : x[at])
    }
#pragma omp taskwait
    for (int i = 0; i < n; i++) sum += x[i];
  }
  return sum;
}

/* The same where nothing waits in between: what comes home is brought again before it has to be there. */
static void there_and_back(int *x, int *y, int n, int chunk) {
  for (int at = 0; at + chunk <= n; at += chunk) {
#pragma omp target update to(x[at : chunk]) nowait depend(inout : x[at])
#pragma omp target teams distribute parallel for nowait depend(inout : x[at])
    for (int i = at; i < at + chunk; i++) x[i] = 5 * x[i] + i;
#pragma omp target update from(x[at : chunk]) nowait depend(inout : x[at])
#pragma omp target update to(x[at : chunk - 3]) nowait depend(inout : x[at])
#pragma omp target teams distribute parallel for nowait depend(in : x[at]) depend(out : y[at])
    for (int i = at; i < at + chunk; i++) y[i] = x[i] % 1000 + 1;
#pragma omp target update from(y[at : 3], y[at + 3 : chunk - 3]) nowait depend(inout : x[at], y[at])
  }
#pragma omp taskwait
}

/* Of tasks that one thread makes all are complete at the end of `single`. */
static void by_one(int *x, int n) {
#pragma omp target data map(tofrom : x[0 : n])
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int round = 0; round < 9; round++) {
#pragma omp target teams distribute parallel for nowait depend(out : x[0])
      for (int i = 0; i < n; i++) x[i] += round;
#pragma omp target teams distribute parallel for nowait depend(in : x[0])
      for (int i = 0; i < n; i++) x[i] *= 3;
    }
  }
}

static int beside(int *x, int n, int *count) {
  int sum = 0;
#pragma omp target data map(tofrom : x[0 : n])
  {
    for (int round = 0; round < 9; round++) {
#pragma omp target teams distribute parallel for nowait depend(out : x[0])
      for (int i = 0; i < n; i++) x[i] += round;
#pragma omp target teams distribute parallel for nowait depend(in : x[0])
      for (int i = 0; i < n; i++) x[i] ^= 5;
    }
    for (int i = 0; i < 1000; i++) sum += count[i % 3] += i;
#pragma omp taskwait
  }
  return sum;
}

/* New rows make a task of a kernel, and all that follow are tasks, too. */
static void mapped(int *x, int *y, int n) {
#pragma omp target data map(tofrom : x[0 : n])
  {
    for (int round = 0; round < 4; round++) {
#pragma omp target teams distribute parallel for nowait depend(inout : x[0])
      for (int i = 0; i < n; i++) x[i] += round;
#pragma omp target teams distribute parallel for nowait map(tofrom : y[0 : n]) depend(inout : x[0], y[0])
      for (int i = 0; i < n; i++) y[i] += x[i];
#pragma omp target teams distribute parallel for nowait depend(inout : x[0])
      for (int i = 0; i < n; i++) x[i] ^= 3;
    }
#pragma omp taskwait
  }
}

int main(void) {
  static int x[30000], y[30000];
  int count[3] = {1, 2, 3};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) matrix[i * N + j] = i == j ? N : 1.0 / (1 + i + j);
  tiles(matrix);
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) sum += matrix[i * N + j] * (i % 7 + j % 5);
  printf("%.6f\n", sum);
  for (int i = 0; i < 30000; i++) x[i] = i % 101, y[i] = i % 7;
  printf("%ld\n", pipeline(x, 4000, 250));
  printf("%ld\n", pipeline(x, 30000, 30000));
#pragma omp target data map(alloc : x[0 : 30000], y[0 : 30000])
  {
    there_and_back(x, y, 9000, 300);
    there_and_back(x, y, 28000, 7001);
  }
  by_one(x, 3000);
  printf("%d\n", beside(x, 3000, count));
  mapped(x, y, 2000);
  unsigned all = 0;
  for (int i = 0; i < 30000; i++) all = all * 31 + (unsigned)x[i] + 7 * (unsigned)y[i];
  printf("%u\n", all);
  return 0;
}
