/* Loops of a team with a reduction inside of each iteration: with fewer iterations than threads neighbours make it together,
   whatever the threads of the block, the iterations and the length of the inner loop are. */
#include <stdio.h>
#include <stdlib.h>

#define TEAMS 20
#define MOST 600

static double a[MOST], b[TEAMS * MOST];
static long counts[MOST];

static void fill(void) {
  for (int i = 0; i < MOST; i++) a[i] = i % 11 - 3, counts[i] = i % 5;
}

static void clear(void) {
  for (int i = 0; i < TEAMS * MOST; i++) b[i] = -1;
}

static void print(const char *what, int threads, int n, int m) {
  double sum = 0;
  for (int i = 0; i < TEAMS * MOST; i++) sum += b[i] * (i % 101 + 1);
  printf("%s %d %d %d: %.0f\n", what, threads, n, m, sum);
}

static void products(int threads, int n, int m) {
  int i;
#pragma omp target teams distribute num_teams(TEAMS)
  for (int r = 0; r < TEAMS; r++) {
    double *row = b + r * MOST;
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < n; t++) {
      const double *from = a + t % 7;
      double s = r;
#pragma omp parallel for reduction(+ : s)
      for (i = 0; i < m; i++) s += from[i] * a[i];
      s *= 2;
      row[t] += s;
      if (t % 3 == 0) continue;
      row[t] += 1;
    }
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < n; t++) {
      double s = row[t];
#pragma omp simd reduction(+ : s)
      for (int j = t; j < m; j++)
        if (a[j] > 2) s += a[j] - t;
      row[t] = s;
    }
  }
}

static void others(int threads, int n, int m) {
#pragma omp target teams distribute num_teams(TEAMS)
  for (int r = 0; r < TEAMS; r++) {
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < n; t++) {
      double least = 1000, most = -1000;
#pragma omp parallel for reduction(min : least) reduction(max : most)
      for (int i = 0; i < m; i++) {
        double here = a[i] * (i % 3) - t;
        least = here < least ? here : least;
        most = here > most ? here : most;
      }
      b[r * MOST + t] = most - least;
    }
#pragma omp parallel for num_threads(threads)
    for (int t = 0; t < n; t++) {
      long any = 0, parity = t;
      unsigned all = ~0u;
      int both = 1;
#pragma omp parallel for reduction(| : any) reduction(^ : parity) reduction(& : all) reduction(&& : both)
      for (int i = 0; i < m; i++) {
        any |= counts[i] << (i % 9);
        parity ^= counts[i] * (i + 1);
        all &= (unsigned)(counts[i] | 16 | i);
        both = both && counts[i] < 4 + t % 2;
      }
      b[r * MOST + t] += any + parity % 1000 + all % 1000 + both;
    }
  }
}

int main(void) {
  static const int threads[] = {32, 48, 100, 256}, iterations[] = {0, 1, 3, 9, 40, 300}, lengths[] = {0, 1, 7, 130, 593};
  fill();
#pragma omp target data map(to : a, counts) map(tofrom : b)
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 6; j++)
      for (int l = 0; l < 5; l++) {
        clear();
#pragma omp target update to(b)
        products(threads[k], iterations[j], lengths[l]);
#pragma omp target update from(b)
        print("products", threads[k], iterations[j], lengths[l]);
        clear();
#pragma omp target update to(b)
        others(threads[k], iterations[j], lengths[l]);
#pragma omp target update from(b)
        print("others", threads[k], iterations[j], lengths[l]);
      }
  return 0;
}
