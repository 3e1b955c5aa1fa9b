/* Loops in front of one that a group of threads shares: sums, products and extremes of rows, in the loops' order. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#define ROWS 37
#define MOST 150
static float in[ROWS * MOST], out[ROWS * MOST];
static double wide[ROWS * MOST], results[ROWS * MOST];
static int numbers[ROWS * MOST], digits[ROWS * MOST];

static void tell(const char *what, int n, int m) {
  double sum = 0, other = 0;
  for (int i = 0; i < n * m; i++) {
    sum += out[i] * (i % 13 + 1);
    other += results[i] * (i % 7 + 1) + digits[i] * (i % 5 + 1);
    out[i] = 0, results[i] = 0, digits[i] = 0;
  }
  printf("%s %d %d: %.6e %.6e\n", what, n, m, sum, other);
}

/* Large terms and small ones: a sum in another order is another number. */
static void sums(int n, int m, float *to, const float *from) {
#pragma omp target teams distribute parallel for map(from: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += from[i * m + j];
    for (int j = 0; j < m; j++) to[i * m + j] = s - from[i * m + j];
  }
}

static void normal(int n, int m, float *to, const float *from) {
#pragma omp target teams distribute parallel for map(from: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    const float *row = from + i * m;
    float mean = 0, spread = 0;
    for (int j = 0; j < m; j++) mean += row[j];
    mean /= m;
    for (int j = 0; j < m; j++) {
      float d = row[j] - mean;
      const float e = d * 0.5f;
      spread += fabsf(e);
    }
    for (int j = 0; j < m; j++) to[i * m + j] = (row[j] - mean) / (spread + 1);
  }
}

/* Blocks that are no whole warps: a group has no threads of another one. */
static void narrow(int n, int m, float *to, const float *from) {
#pragma omp target teams distribute parallel for thread_limit(16) map(from: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 1;
    for (int j = 0; j < m; j++) s = s * 0.5f + from[i * m + j];
    for (int j = 0; j < m; j++) to[i * m + j] = s + from[i * m + j];
  }
#pragma omp target teams distribute parallel for thread_limit(48) map(tofrom: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 2;
    for (int j = 0; j < m; j++) s = s * 0.25f - from[i * m + j];
    for (int j = 0; j < m; j++) to[i * m + j] += s;
  }
}

static void extremes(int n, int m, float *to, const float *from) {
#pragma omp target teams distribute parallel for map(from: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    float least = FLT_MAX, most = from[i * m], high = -FLT_MAX;
    for (int j = 0; j < m; j++)
      if (from[i * m + j] < least) least = from[i * m + j];
    for (int j = 1; j <= m - 1; j++) most = from[i * m + j] > most ? from[i * m + j] : most;
    for (int j = 0; j < m; j++) { high = fmaxf(high, from[i * m + j]); }
    for (int j = 0; j < m; j++) to[i * m + j] = (from[i * m + j] - least) / (most - least + 1) + high;
  }
}

static void recurrences(int n, unsigned m, double *to, const double *from, int *marks, const int *given) {
#pragma omp target teams distribute parallel for map(from: to[0:n * m], marks[0:n * m]) \
    map(to: from[0:n * m], given[0:n * m])
  for (int i = 0; i < n; i++) {
    double s = 1;
    unsigned hash = 17;
    unsigned count = 0;
    for (unsigned j = 0; j < m; j++) s = s * 0.75 + from[i * m + j];
    for (int j = 0; j < m; j++) hash = hash * 31 + (unsigned)given[i * m + j];
    for (unsigned j = 3; j < m; j++) count ^= (unsigned)given[i * m + j] + j;
    for (unsigned j = 0; j < m; j++) to[i * m + j] = s + j, marks[i * m + j] = (int)((hash ^ count) % 1000);
  }
}

/* A local made of the number that the loop changes, bounds that conversions change, a row that is written in place. */
static void chained(int n, int m, int first, float *to, const float *from) {
#pragma omp target teams distribute parallel for map(from: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) {
      const float d = from[i * m + j] - s;
      s += d * 0.25f;
    }
    for (int j = 0; j < m; j++) to[i * m + j] = s;
  }
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m]) map(to: from[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (unsigned j = first; j < (unsigned)m; j++) s += from[i * m + j];
    for (int j = (long)first * (1L << 40); j < m; j++) s += from[i * m + j] * 0.5f;
    for (int j = 0; j < m; j++) to[i * m + j] += s;
  }
#pragma omp target teams distribute parallel for map(tofrom: to[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 0, high = to[i * m];
    for (int j = 0; j < m; j++) s += to[i * m + j] * 0.5f;
    for (int j = 0; j < m; j++) high = to[i * m + j] > high ? to[i * m + j] : high;
    const float last = to[i * m + m - 1];
    for (int j = 0; j < m; j++) to[i * m + j] = to[i * m + j] * 0.25f + s - high + last;
  }
#pragma omp target teams distribute parallel for num_threads(20) map(tofrom: to[0:n * m])
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < m; j++) s = s * 0.5f + to[i * m + j];
    for (int j = 0; j < m; j++) to[i * m + j] = to[i * m + j] * 0.25f + s;
  }
}

int main(void) {
  static const int widths[] = {1, 2, 3, 5, 8, 20, 31, 32, 33, 64, 100, 150};
  for (int i = 0; i < ROWS * MOST; i++) {
    in[i] = (i % 11 == 3 ? 1e7f : 0.37f) * ((i * 37 % 101) - 50) + 0.001f * i;
    wide[i] = (i % 7 == 3 ? 1e12 : 0.37) * ((i * 53 % 103) - 50);
    numbers[i] = i * 7919 % 1009;
  }
  for (int k = 0; k < (int)(sizeof widths / sizeof *widths); k++) {
    int m = widths[k], n = ROWS - k;
    sums(n, m, out, in);
    tell("sums", n, m);
    normal(n, m, out, in);
    tell("normal", n, m);
    narrow(n, m, out, in);
    tell("narrow", n, m);
    extremes(n, m, out, in);
    tell("extremes", n, m);
    recurrences(n, m, results, wide, digits, numbers);
    tell("recurrences", n, m);
    chained(n, m, k % 3 - 1, out, in);
    tell("chained", n, m);
  }
  return 0;
}
