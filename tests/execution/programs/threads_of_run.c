/* Loops whose threads only the run knows, with loops inside: a launch may have a thread for each iteration, or fewer
   threads, and each iteration is executed once. */
#include <stdio.h>
#include <stdlib.h>

static int *y;

static void show(const char *what, int threads, int n, int count) {
  unsigned long long sum = 0;
  for (int k = 0; k < count; k++) sum = sum * 31 + (unsigned)y[k];
  printf("%s of %d by %d: %llx\n", what, n, threads, sum);
  for (int k = 0; k < count; k++) y[k] = k % 13;
}

static void column(int *y, int n, int m, int i) {
  for (int j = 1; j < m; j++) y[j * n + i] += y[(j - 1) * n + i] + 1;
}

static void sums(int threads, int n, int m) {
  const int count = n * m;
  int last = -1;
#pragma omp target teams distribute parallel for thread_limit(threads) map(tofrom : y[0 : count])
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) y[j * n + i] += y[(j - 1) * n + i] + 1;
  show("columns", threads, n, count);
#pragma omp target teams distribute parallel for num_threads(threads) map(tofrom : y[0 : count])
  for (unsigned i = 0; i < (unsigned)n; i++) column(y, n, m, (int)i);
  show("columns in a function", threads, n, count);
#pragma omp target teams distribute parallel for num_threads(threads) thread_limit(threads + 7) map(tofrom : y[0 : count])
  for (short i = 2; i < n; i += 3) {
    int s = 0;
    for (int j = 0; j < m; j++) {
      if (y[j * n + i] == 12) continue;
      s += y[j * n + i];
    }
    y[i] = s;
  }
  show("every third", threads, n, count);
#pragma omp target teams distribute parallel for thread_limit(threads) map(tofrom : y[0 : count]) lastprivate(last)
  for (int i = n - 1; i >= 0; i--) {
    int j = 1;
    while (j < m && y[j * n + i] != 5) j++;
    y[i] += j;
    last = i + j;
  }
  show("downwards", threads, n, count);
#pragma omp target teams distribute parallel for if (parallel : threads > 40) map(tofrom : y[0 : count])
  for (int i = 0; i < n; i++) {
    int k = i;
    do y[i] += k;
    while (k-- > 0 && k > i - 5);
  }
  show("perhaps one thread", threads, n, count);
#pragma omp target teams distribute parallel for collapse(2) thread_limit(threads) map(tofrom : y[0 : count])
  for (int j = 0; j < m; j++)
    for (unsigned i = 0; i < (unsigned)n; i++)
      if (y[j * n + i] > 3) y[j * n + i] += j + (int)i;
  show("a nest", threads, n, count);
#pragma omp target teams distribute parallel for collapse(2) num_threads(threads) map(tofrom : y[0 : count])
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < 5; j++)
      if (y[j * n + i] < 9) y[j * n + i] -= j * i;
  show("a nest with five columns", threads, n, count);
  printf("last %d\n", last);
}

int main(void) {
  const int threads[] = {1, 31, 32, 64, 100, 255, 256, 257, 512, 1024};
  const int most = 3000, rows = 9;
  y = malloc(sizeof *y * most * rows);
  for (int k = 0; k < most * rows; k++) y[k] = k % 13;
  for (int t = 0; t < 10; t++) {
    sums(threads[t], most, rows);
    sums(threads[t], 257, 5);
    sums(threads[t], 1, rows);
  }
  sums(32, 0, rows);
  free(y);
}
