// SPDX-License-Identifier: Apache-2.0
/* Launches whose data is on the device already, or was until a moment ago: nothing of it may be taken from before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };

static void add(int *to, const int *from, int n, int times) {
#pragma omp target teams distribute parallel for map(tofrom : to[0:n]) map(to : from[0:n])
  for (int i = 0; i < n; i++) to[i] += times * from[i];
}

/* The same host memory, mapped again and again with other values and other extents. */
static void remapped(void) {
  int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  for (int round = 1; round <= 5; round++) {
    for (int i = 0; i < N; i++) a[i] = round, b[i] = i * round;
    int n = N / round;
#pragma omp target enter data map(to : a[0:n], b[0:n])
    add(a, b, n, 1);
    for (int i = 0; i < n; i++) b[i] = -i;
#pragma omp target update to(b[0 : n / 2], b[n / 2 : n - n / 2])
    add(a, b, n, 2);
    add(a + 10, b + 10, n - 10, 3); /* a part */
#pragma omp target exit data map(from : a[0:n]) map(release : b[0:n])
    long sum = 0;
    for (int i = 0; i < N; i++) sum += a[i] % 1009 * (i % 7);
    add(a, b, N, 1); /* not there any more */
    printf("remapped %d: %ld %d %d %d\n", round, sum, a[0], a[11], a[N - 1]);
  }
  free(a), free(b);
}

/* Freed and allocated again: the address may be the same, the mapping is not. */
static void reused(void) {
  long sum = 0;
  for (int round = 0; round < 20; round++) {
    int *a = malloc(64 * sizeof *a), total = 0;
    for (int i = 0; i < 64; i++) a[i] = round + i;
#pragma omp target enter data map(to : a[0:64])
#pragma omp target map(tofrom : total)
    for (int i = 0; i < 64; i++) total += a[i];
#pragma omp target
    a[5] = 100;
#pragma omp target exit data map(from : a[0:64])
    sum += total + a[5];
    free(a);
  }
  printf("reused: %ld\n", sum);
}

struct parameters {
  double factor;
  int shift, unused[20];
};

static void mixed(void) {
  double *x = malloc(N * sizeof *x), most = -1e9, sum = 0;
  struct parameters given = {0.5, 3, {0}};
  for (int i = 0; i < N; i++) x[i] = i;
#pragma omp target data map(tofrom : x[0:N], sum)
  {
    for (int k = 0; k < 4; k++) {
      given.shift = k;
#pragma omp target teams distribute parallel for firstprivate(given)
      for (int i = 0; i < N; i++) x[i] = x[i] * given.factor + given.shift;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most)
      for (int i = 0; i < N; i++) sum += x[i], most = most > x[i] ? most : x[i];
#pragma omp target map(always, tofrom : given)
      given.factor = given.factor * 0.5;
    }
#pragma omp target update from(sum)
    printf("mixed: %.3f %.3f\n", sum, most);
#pragma omp target map(sum)
    sum = 0;
  }
  printf("mixed: %.3f %.3f\n", sum, x[N - 1]);
  free(x);
}

/* A search: every step tells whether there is another. */
static void steps(void) {
  int level[N], step = 0, more = 1;
  for (int i = 0; i < N; i++) level[i] = i == 0 ? 0 : -1;
#pragma omp target data map(tofrom : level) map(alloc : more)
  while (more) {
    more = 0;
#pragma omp target update to(more)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      if (level[i] == -1 && level[i / 3] == step) level[i] = -2;
#pragma omp target teams distribute parallel for map(more)
    for (int i = 0; i < N; i++)
      if (level[i] == -2) level[i] = step + 1, more = 1;
#pragma omp target update from(more)
    step++;
  }
  long sum = 0;
  for (int i = 0; i < N; i++) sum += level[i] * (i % 11);
  printf("steps: %d %ld\n", step, sum);
}

/* A table that no thread has mapped for good: each region finds it or brings it, and none takes it from another. */
static void shared_by_threads(void) {
  static int table[N], wrong;
  for (int i = 0; i < N; i++) table[i] = i;
#pragma omp parallel for num_threads(4) schedule(static, 1) reduction(+ : wrong)
  for (int thread = 0; thread < 4; thread++) {
    int mine[N];
#pragma omp target enter data map(alloc : mine)
    for (int round = 0; round < 40; round++) {
#pragma omp target teams distribute parallel for map(to : table)
      for (int i = 0; i < N; i++) mine[i] = table[i] + round;
      if (round % 5 == thread) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++) mine[i] += 1;
#pragma omp target teams distribute parallel for map(to : table)
        for (int i = 0; i < N; i++) mine[i] += table[i];
      }
#pragma omp target update from(mine)
      for (int i = 0; i < N; i++)
        wrong += mine[i] != (round % 5 == thread ? 2 * table[i] + round + 1 : table[i] + round);
    }
#pragma omp target exit data map(release : mine)
  }
  printf("shared by threads: %d wrong\n", wrong);
}

int main(void) {
  remapped();
  reused();
  mixed();
  steps();
  shared_by_threads();
  steps();
  return 0;
}
