/* Loops that the threads of a team share and whose elements are loaded in fours where they are aligned: element types of
   1 to 8 bytes, rows that begin anywhere, few and many threads, few and many iterations, and what must not be noticed:
   elements before and behind a row stay as they are, and a thread that is alone has its iterations in order. */
#include <stdio.h>

#define ROWS 5
#define MOST 700

static unsigned char c[ROWS * MOST], d[ROWS * MOST];
static short s[ROWS * MOST], t[ROWS * MOST];
static float f[ROWS * MOST], g[ROWS * MOST];
static double x[ROWS * MOST], y[ROWS * MOST];
static int sums[ROWS], most[ROWS];

static void work(const unsigned char *c, unsigned char *d, const short *s, short *t, const float *f, float *g, const double *x,
                 double *y, long from, long n, int threads) {
#pragma omp target teams distribute num_teams(ROWS)
  for (long r = 0; r < ROWS; r++) {
    int sum = 0, greatest = -1;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) sum += c[r * n + i] + s[i] * (int)f[r * n + i];
#pragma omp parallel for reduction(max : greatest) num_threads(threads)
    for (long i = from; i < n; i++)
      if (s[r * n + i] > greatest) greatest = s[r * n + i];
    sums[r] += sum, most[r] += greatest;
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) d[r * n + i] = c[r * n + i] ^ 255;
#pragma omp parallel for num_threads(threads)
    for (long i = from; i < n; i++) t[r * n + i] = s[r * n + i] / 2 + t[r * n + i];
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) g[r * n + i] = f[r * n + i] * 2 + x[i];
#pragma omp parallel for num_threads(threads)
    for (long i = from; i < n; i++) y[r * n + i] = x[r * n + i] - y[r * n + i] + s[i];
#pragma omp parallel for num_threads(threads)
    for (short i = 0; i < n; i++) g[r * n + (n - 1 - i)] = f[r * n + i] + x[i]; /* elements that go the other way */
  }
}

/* The elements are found by integers that the iteration declares, each for itself or by one before. */
static void by_locals(int n, int threads) {
#pragma omp target teams distribute num_teams(ROWS)
  for (int r = 0; r < ROWS; r++) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) {
      const int row = r * MOST, at = row + i;
      int twice = i * 2; /* these are not neighbours */
      sum += s[at] + c[at] + (n > 2 * i ? c[twice] : 0);
    }
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) {
      long at = i + (long)r * MOST;
      g[at] = f[at] + x[at] + sum % 7;
    }
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) {
      int at = r * MOST;
      at += i; /* this one changes */
      t[at] = s[at] + t[r * MOST + i];
    }
    sums[r] += sum;
  }
}

/* One thread: each iteration takes what the one before it has stored. */
static void in_order(int n, int threads) {
#pragma omp target teams distribute num_teams(ROWS)
  for (int r = 0; r < ROWS; r++) {
#pragma omp parallel for num_threads(threads)
    for (int i = 1; i < n; i++) y[r * MOST + i] = y[r * MOST + i - 1] + x[r * MOST + i];
  }
}

/* Loaded is what every iteration loads: of few there are 16 elements. A local of a turn has a name of its own. */
static void some(const short *stored_t, const int *few, int n, int threads) {
#pragma omp target teams distribute num_teams(ROWS) map(to : few[:16])
  for (int r = 0; r < ROWS; r++) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads)
    for (int i = 0; i < n; i++) sum += (i < 16 ? 0 : stored_t[i] | 1) ?: few[i];
    sums[r] += sum;
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++) t[r * MOST + i] = stored_t[i];
  }
}

static void fill(void) {
  for (int i = 0; i < ROWS * MOST; i++)
    c[i] = i * 7, d[i] = i, s[i] = i * 31 % 1009, t[i] = i, f[i] = i % 23, g[i] = -1, x[i] = i % 29, y[i] = i % 31;
}

static void print(int begin, long n, int threads) {
  double all[4] = {0, 0, 0, 0};
  int sum = 0, greatest = 0;
  for (int i = 0; i < ROWS * MOST; i++)
    all[0] += d[i] * (i % 11), all[1] += t[i] * (i % 11), all[2] += g[i] * (i % 11), all[3] += y[i] * (i % 11);
  for (int r = 0; r < ROWS; r++) sum += sums[r] * (r + 1), greatest += most[r] * (r + 1);
  printf("%d %ld %d: %.0f %.0f %.0f %.0f %d %d\n", begin, n, threads, all[0], all[1], all[2], all[3], sum, greatest);
}

int main(void) {
  static const long lengths[] = {0, 1, 3, 9, 130, 131, 260, 515};
  static const int widths[] = {1, 2, 32, 37, 96};
  int few[16];
  for (int i = 0; i < 16; i++) few[i] = i * i;
#pragma omp target enter data map(to : c, d, s, t, f, g, x, y)
  for (int begin = 0; begin < 5; begin++)
    for (int k = 0; k < 8; k++)
      for (int w = 0; w < 5; w++) {
        if (begin > 1 && w % 2 == 0 && k % 2 == 0) continue;
        fill();
#pragma omp target update to(c, d, s, t, f, g, x, y)
        work(c + begin, d + begin, s + begin, t + begin, f + begin, g + begin, x + begin, y + begin, begin, lengths[k], widths[w]);
        by_locals(lengths[k], widths[w]);
        in_order(40, 1);
        some(s + begin, few, lengths[k], widths[w]);
#pragma omp target update from(d, t, g, y)
        print(begin, lengths[k], widths[w]);
      }
#pragma omp target exit data map(release : c, d, s, t, f, g, x, y)
}
