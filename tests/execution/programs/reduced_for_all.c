/* Numbers that the threads of a team reduce and all of them read: blocks of any width, operators and types, sums
   that go on in a loop or decide whether it does, teams that take several iterations, threads that change what others
   see. */
#include <stdio.h>

#define ROWS 7
#define MOST 2100

static int in[ROWS * MOST], changed[ROWS * MOST], kept[ROWS];
static double sums[ROWS];
static long counts[ROWS];
static signed char least[ROWS];
static int all[ROWS], rounds[ROWS];
static float products[ROWS];

/* Two reductions in turn, code of the initial thread between, and the next iteration of the team. */
static void rows(int n, int threads, int teams) {
#pragma omp target teams distribute num_teams(teams)
  for (int r = 0; r < ROWS; r++) {
    double s = r;
    long c = 1;
#pragma omp parallel for reduction(+ : s) num_threads(threads)
    for (int i = 0; i < n; i++) s += in[r * MOST + i];
    s = s / 2 + 1;
#pragma omp parallel for reduction(- : c) num_threads(threads)
    for (int i = 0; i < n; i++) c += in[r * MOST + i] > s;
    double f = s + c;
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) changed[r * MOST + i] = (int)(f + in[r * MOST + i]);
    sums[r] = s;
    counts[r] = c;
  }
}

static void operators(int n, int threads) {
#pragma omp target teams distribute
  for (int r = 0; r < ROWS; r++) {
    signed char low = 100, high = 0;
    int every = 1;
    float product = 3;
    double sum = 0;
#pragma omp parallel for reduction(min : low) reduction(max : high) reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) {
      signed char v = (signed char)(in[r * MOST + i] - 50);
      if (v < low) low = v;
      if (v > high) high = v;
      sum += v;
    }
#pragma omp parallel for reduction(&& : every) num_threads(threads)
    for (int i = 0; i < n; i++) every = every && in[r * MOST + i] >= low + 50 && in[r * MOST + i] <= high + 50;
#pragma omp parallel for reduction(* : product) num_threads(threads)
    for (int i = 0; i < n; i++) product *= i % 64 ? 1 : -1;
    least[r] = low;
    all[r] = every;
    products[r] = product + (float)sum;
  }
}

/* What all have read decides whether the loop goes on; a parallel reads memory that the one before has changed. */
static void until(int n, int threads, long limit) {
#pragma omp target teams num_teams(1)
  {
    long s = 0;
    int k = 0;
    while (s < limit) {
#pragma omp parallel for reduction(+ : s) num_threads(threads)
      for (int i = 0; i < n; i++) {
        changed[i] = k + i;
        s += i % 3;
      }
#pragma omp parallel for num_threads(threads)
      for (int i = 0; i < n; i++) in[i] = changed[n - 1 - i];
      k++;
      if (s % 2) s++;
    }
    counts[0] = s;
    rounds[0] = k;
  }
}

/* A thread reads what the first one has stored behind the sum; the sum is the first thread's alone, too. */
static void read_behind(int n, int threads) {
#pragma omp target teams distribute num_teams(2)
  for (int r = 0; r < ROWS; r++) {
    int s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(threads)
    for (int i = 0; i < n; i++) s += changed[r * MOST + i] & 3;
    kept[r] = s;
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) changed[r * MOST + i] = kept[r] + i;
  }
}

static long hash(const void *p, long bytes) {
  unsigned long h = 5381;
  for (long i = 0; i < bytes; i++) h = h * 33 + ((const unsigned char *)p)[i];
  return (long)(h % 1000000007);
}

static void fill(void) {
  for (int i = 0; i < ROWS * MOST; i++) in[i] = (i * 7919 + i / 13) % 101, changed[i] = 0;
  for (int r = 0; r < ROWS; r++) sums[r] = 0, counts[r] = 0, least[r] = 0, all[r] = 0, products[r] = 0, kept[r] = 0;
}

int main(void) {
  const int widths[] = {1, 2, 31, 32, 33, 40, 48, 64, 65, 100, 128, 256, 500, 512, 1000, 1024};
  const int lengths[] = {0, 1, 5, 64, 700, 2100};
#pragma omp target enter data map(to : in, changed, kept, sums, counts, least, all, rounds, products)
  for (int w = 0; w < 16; w++)
    for (int l = 0; l < 6; l++) {
      const int n = lengths[l], threads = widths[w];
      fill();
#pragma omp target update to(in, changed, kept, sums, counts, least, all, products)
      rows(n, threads, w % 3 + 1);
      operators(n, threads);
      read_behind(n, threads);
#pragma omp target update from(changed, kept, sums, counts, least, all, products)
      double total = 0;
      for (int r = 0; r < ROWS; r++) total += sums[r] + counts[r] * 3 + least[r] * 5 + all[r] * 7 + products[r] * 11;
      printf("%d %d: %.6f %ld %ld\n", threads, n, total, hash(changed, sizeof changed), hash(kept, sizeof kept));
      if (n < 5) continue;
      until(n, threads, n * 9L);
#pragma omp target update from(changed, in, counts, rounds)
      printf("  %ld %d %ld %ld\n", counts[0], rounds[0], hash(changed, sizeof changed), hash(in, sizeof in));
    }
#pragma omp target exit data map(delete : in, changed, kept, sums, counts, least, all, rounds, products)
}
