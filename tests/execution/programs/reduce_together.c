/* Several variables that are reduced at once: of one type, of several, many, with arrays and blocks of the program's own. All
   sums are exact, so any order gives them. */
#include <stdio.h>

#define N 100000

static double x[N];
static int k[N];

typedef struct {
  double sum;
  int most, n;
} tally;
static tally joined(tally a, tally b) {
  tally both = {a.sum + b.sum, a.most > b.most ? a.most : b.most, a.n + b.n};
  return both;
}
#pragma omp declare reduction(tallies : tally : omp_out = joined(omp_out, omp_in)) initializer(omp_priv = (tally){0, -1, 0})

static void alike(int n) {
  double a = 1, b = 2, c = 3, d = 4;
#pragma omp target teams distribute parallel for reduction(+ : a, b, c, d)
  for (int i = 0; i < n; i++) {
    a += x[i];
    b += x[i] * x[i];
    c += 1 - x[i];
    d += k[i];
  }
  printf("alike %d: %.0f %.0f %.0f %.0f\n", n, a, b, c, d);
}

static void mixed(int n) {
  double sum = 1;
  float most = -5;
  unsigned bits = 0;
  long wide = 7;
  char all = 1;
  short least = 99;
  tally t = {0, -1, 0};
#pragma omp target teams distribute parallel for reduction(+ : sum, wide) reduction(max : most) reduction(min : least) \
    reduction(| : bits) reduction(&& : all) reduction(tallies : t)
  for (int i = 0; i < n; i++) {
    tally one = {x[i], k[i], 1};
    sum += x[i];
    wide += (long)k[i] << 20;
    if (k[i] > most) most = (float)k[i];
    if (k[i] % 1000 < least) least = (short)(k[i] % 1000);
    bits |= 1u << k[i] % 31;
    all = all && k[i] >= 0;
    t = joined(t, one);
  }
  printf("mixed %d: %.0f %ld %.0f %d %x %d %.0f %d %d\n", n, sum, wide, most, least, bits, all, t.sum, t.most, t.n);
}

static void many(int n) {
  double a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, o = 0, p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0;
#pragma omp target teams distribute parallel for reduction(+ : a, b, c, d, e, f, g, h, o, p, q, r, s, t, u, v, w)
  for (int i = 0; i < n; i++) {
    a += x[i], b += 2 * x[i], c += 3 * x[i], d += 4 * x[i], e += k[i], f += 2 * k[i], g += 3 * k[i], h += 4 * k[i];
    o += 1, p -= x[i], q -= k[i], r += x[i] + k[i], s += x[i] - k[i], t += 5 * x[i], u += 6 * x[i], v += 7 * x[i], w += 8 * x[i];
  }
  printf("many %d: %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", n, a, b, c, d, e, f, g, h);
  printf("  %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.0f\n", o, p, q, r, s, t, u, v, w);
}

static void with_rows(int n) {
  int row[9] = {1, 2, 3}, count = 0;
  double sum = 0, squares = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum, row, count, squares)
  for (int i = 0; i < n; i++) {
    sum += x[i];
    squares += x[i] * x[i];
    row[k[i] % 9] += k[i];
    count++;
  }
  printf("rows %d: %.0f %.0f %d:", n, sum, squares, count);
  for (int i = 0; i < 9; i++) printf(" %d", row[i]);
  printf("\n");
}

static void own_blocks(int n, int teams, int threads) {
  double a = 0, b = 0, c = 0;
#pragma omp target teams distribute parallel for num_teams(teams) num_threads(threads) reduction(+ : a, b, c)
  for (int i = 0; i < n; i++) a += x[i], b += k[i], c += 1;
  printf("blocks %d %d %d: %.0f %.0f %.0f", n, teams, threads, a, b, c);
  a = b = 0;
#pragma omp target teams distribute num_teams(teams) reduction(+ : a, b) reduction(max : c)
  for (int t = 0; t < teams; t++) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = t; i < n; i += teams) s += x[i];
    a += s, b += 2 * s;
    if (s > c) c = s;
  }
  printf(", teams %.0f %.0f %.0f\n", a, b, c);
}

int main(void) {
  const int sizes[] = {0, 1, 33, 1000, 40001, N};
  unsigned s = 1;
  for (int i = 0; i < N; i++) {
    s = s * 1664525u + 1013904223u;
    x[i] = (int)(s >> 20) - 2000;
    k[i] = (int)(s >> 16);
  }
#pragma omp target data map(to : x, k)
  for (int i = 0; i < 6; i++) {
    alike(sizes[i]);
    mixed(sizes[i]);
    many(sizes[i]);
    with_rows(sizes[i]);
    own_blocks(sizes[i], 7, 100);
    own_blocks(sizes[i], 40, 1024);
  }
  return 0;
}
