/* Teams whose parallel loops ask for more threads than they have iterations, alone and beside loops that have more: whatever
   the numbers are, each iteration is executed once. */
#include <stdio.h>

#define TEAMS 12
#define MOST 700

static double a[MOST], b[TEAMS * MOST];
static int counts[TEAMS];

static void print(const char *what, int threads, int others, int n, int m) {
  double sum = 0;
  for (int i = 0; i < TEAMS * MOST; i++) sum += b[i] * (i % 101 + 1), b[i] = 0;
  for (int i = 0; i < TEAMS; i++) sum += counts[i] * (i + 1), counts[i] = 0;
  printf("%s %d %d %d %d: %.0f\n", what, threads, others, n, m, sum);
}

static void sums(int threads, int others, int n, int m) {
#pragma omp target teams distribute num_teams(TEAMS) map(to : a) map(tofrom : b)
  for (int r = 0; r < TEAMS; r++) {
    double *row = b + r * MOST, s = r, most = -1;
#pragma omp parallel for reduction(+ : s) num_threads(threads)
    for (int i = 0; i < n; i++) s += a[i] * (r + 1);
    row[0] += s;
#pragma omp parallel for reduction(max : most) num_threads(others)
    for (int i = 0; i < m; i++) most = a[i] - i % 3 > most ? a[i] - i % 3 : most;
    row[1] += most;
  }
  print("sums", threads, others, n, m);
}

static void stores(int threads, int others, int n, int m) {
  int last = -1;
#pragma omp target teams distribute num_teams(TEAMS) map(to : a) map(tofrom : b, counts) thread_limit(512)
  for (int r = 0; r < TEAMS; r++) {
    double *row = b + r * MOST, x = 1;
    int here = -1;
#pragma omp parallel for num_threads(threads) schedule(static, 3) firstprivate(x)
    for (int i = 0; i < n; i++) row[i] += x + a[i];
#pragma omp parallel for num_threads(others) lastprivate(here) if (m % 2 == 0)
    for (int i = 0; i < m; i++) row[MOST - 1 - i] += here = i;
    counts[r] += here;
#pragma omp parallel for collapse(2) num_threads(threads) schedule(dynamic)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 2; j++) row[2 * i + j] += i - j;
  }
  print("stores", threads, others, n, m + last + 1);
}

static void counted(int threads, int n) {
#pragma omp target teams distribute num_teams(TEAMS) map(to : a) map(tofrom : b, counts)
  for (int r = 0; r < TEAMS; r++) {
    int in = 0, on = r + n / 2;
#pragma omp parallel for num_threads(threads) reduction(+ : in)
    for (int i = n; i > 0; i -= 2) in += i;
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < on; i++) b[r * MOST + i] += i + in;
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
      counts[r]++;
    }
    counts[r] = counts[r] > 0;
  }
  print("counted", threads, 0, n, 0);
}

/* The host computes only what cannot fail: where the numbers are 0 nothing comes to the loops. */
static void guarded(int threads, int n, int parts) {
  typedef int length;
  enum { SHORT = 9 };
#pragma omp target teams distribute num_teams(TEAMS) map(to : a) map(tofrom : b, counts)
  for (int r = 0; r < TEAMS; r++) {
    typedef long number;
    enum { FEW = 7 };
    if (parts > 0) {
#pragma omp parallel for num_threads(threads)
      for (int i = 0; i < n / parts; i++) b[r * MOST + i] += i;
#pragma omp parallel for num_threads(n % parts + 1)
      for (int i = 0; i < n; i++) b[r * MOST + i] += 2 * i;
#pragma omp parallel for num_threads(threads)
      for (int i = 0; i < n; i += parts) b[r * MOST + i] -= i;
    }
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < (number)FEW; i++) b[r * MOST + i] += i;
#pragma omp parallel for num_threads(threads + FEW)
    for (int i = 0; i < (length)SHORT; i++) b[r * MOST + i] += i;
  }
  print("guarded", threads, parts, n, 0);
}

int main(void) {
  const int widths[] = {1, 20, 32, 50, 64, 256, 1024}, trips[] = {0, 1, 16, 33, 64, 300};
  for (int i = 0; i < MOST; i++) a[i] = i % 11 - 3;
  for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++)
    for (unsigned t = 0; t < sizeof trips / sizeof *trips; t++) {
      const int others = widths[(w + 3) % 7], more = trips[(t + 2) % 6];
      sums(widths[w], widths[w], trips[t], trips[t]);
      sums(widths[w], others, trips[t], more);
      stores(widths[w], others, trips[t], more);
      counted(widths[w], trips[t]);
      guarded(widths[w], trips[t], (int)(w + t) % 3);
    }
  return 0;
}
