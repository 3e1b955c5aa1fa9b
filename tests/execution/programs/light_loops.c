/* Loops that the threads of a team share and that do little: each thread takes several iterations at a time. */
#include <math.h>
#include <stdio.h>

enum { ROWS = 5, MOST = 1500 };
static double in[ROWS * MOST], by[MOST], out[ROWS * MOST];
static int counts[ROWS * MOST];

static void each_row(long rows, int n, int threads) {
#pragma omp target teams distribute num_teams(rows) map(to : in, by) map(tofrom : out, counts)
  for (long r = 0; r < rows; r++) {
    double sum = 0;
    int last = -1;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) sum += in[r * n + i] * in[r * n + i];
#pragma omp parallel for num_threads(threads) lastprivate(last)
    for (long i = 3; i < n; ++i) {
      double here = in[r * n + i] + by[i];
      if (here > 50) here = sqrt(here);
      out[r * n + i] = here + sum;
      last = (int)i;
    }
#pragma omp parallel for num_threads(threads)
    for (short i = 0; i < n; i++) counts[r * n + i] += counts[r * n + i] > 3 ? i : last;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for nowait
      for (int i = n / 2; i < n - 1; i++) {
        out[r * n + i] *= by[i];
      }
#pragma omp for
      for (int i = 0; i < n / 3; i++) {
        if (counts[r * n + i] % 7 == 0) continue;
        counts[r * n + i]--;
      }
    }
  }
}

int main(void) {
  int sizes[] = {1, 2, 7, 31, 32, 33, 95, 96, 97, 127, 128, 129, 511, MOST};
  for (int i = 0; i < MOST; i++) by[i] = i % 9;
  for (int i = 0; i < ROWS * MOST; i++) in[i] = i % 101, counts[i] = i % 5;
  for (int k = 0; k < 14; k++) {
    double total = 0;
    long all = 0;
    each_row(ROWS, sizes[k], k % 3 == 0 ? 8 : 32 * (k % 3));
    for (int i = 0; i < ROWS * MOST; i++) total += out[i], all += counts[i];
    printf("%d: %.6g %ld\n", sizes[k], total, all);
  }
  return 0;
}
