/* Sections of parameters that are written as arrays, in reductions of regions and inside of them. */
#include <stdio.h>
#include <string.h>

static int bin(unsigned x) { return (x * 7 >> 3) & 255; }

static void counted(const unsigned *v, int n, unsigned hist[256]) {
#pragma omp target teams distribute parallel for map(to : v[0 : n]) map(tofrom : hist[0 : 256]) \
    reduction(+ : hist[ : 256])
  for (int i = 0; i < n; i++) hist[bin(v[i])]++;
}

static void counted_static(const unsigned *v, int n, unsigned hist[static 256]) {
#pragma omp target teams distribute parallel for map(to : v[0 : n]) reduction(+ : hist[ : 256])
  for (int i = 0; i < n; i++) hist[bin(v[i])]++;
}

static void rows(unsigned h[static 2][8]) {
#pragma omp target teams distribute parallel for map(tofrom : h[0 : 2]) reduction(+ : h[0 : 2][0 : 8])
  for (int i = 0; i < 80; i++) h[i & 1][bin(i) & 7] += i;
}

static void inside(int n, double sums[4], const double *v, int few[static 3]) {
#pragma omp target teams distribute map(tofrom : sums[0 : 4], few[0 : 3]) map(to : v[0 : n]) num_teams(1)
  for (int t = 0; t < 2; t++) {
#pragma omp parallel for reduction(+ : sums[ : 4]) reduction(max : few[1 : 2])
    for (int i = 0; i < n; i++) {
      sums[i & 3] += v[i];
      few[1 + i % 2] = few[1 + i % 2] < i ? i : few[1 + i % 2];
    }
  }
#pragma omp target parallel for reduction(+ : sums[0 : 4]) map(to : v[0 : n])
  for (int i = 0; i < n; i++) sums[(i + 1) & 3] += v[i];
#pragma omp target teams distribute parallel for reduction(+ : sums[1 : 2]) map(to : v[0 : n]) \
    map(tofrom : sums[0 : 4])
  for (int i = 0; i < n; i++) sums[1 + i % 2] += v[i];
}

/* Only the run knows how many rows there are, and none of that matters to where an element lies. */
static void rows_of_run(int n, unsigned h[n][8]) {
#pragma omp target teams distribute parallel for reduction(+ : h[0 : 2][0 : 8])
  for (int i = 0; i < 80; i++) h[i & 1][bin(i) & 7] += i;
#pragma omp target teams distribute parallel for reduction(+ : h[1 : n - 1][0 : 8])
  for (int i = 0; i < 80; i++) h[1 + i % (n - 1)][bin(i) & 7] += i;
#pragma omp target teams distribute map(tofrom : h[0 : n])
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for reduction(+ : h[1 : 2][0 : 8])
    for (int i = 0; i < 50; i++) h[1 + i % 2][i % 8] += i * (t == 2);
  }
}

static void rows_of_its_own(int n, unsigned *sum) {
  unsigned h[n][5];
  for (int i = 0; i < n * 5; i++) h[i / 5][i % 5] = 1;
#pragma omp target teams distribute parallel for reduction(+ : h[1 : n - 1][0 : 5])
  for (int i = 0; i < 80; i++) h[1 + i % (n - 1)][bin(i) % 5] += i;
#pragma omp target teams distribute map(tofrom : h)
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for reduction(+ : h[1 : 2][0 : 5])
    for (int i = 0; i < 50; i++) h[1 + i % 2][i % 5] += i * (t == 2);
  }
  for (int i = 0; i < n * 5; i++) *sum = *sum * 31 + h[i / 5][i % 5];
}

static float scaled(int n, const float x[const static 3], float y[static n]) {
  float most = -1;
#pragma omp target teams distribute parallel for map(to : x[0 : 3]) map(tofrom : y[0 : n]) reduction(max : most)
  for (int i = 0; i < n; i++) {
    y[i] *= x[i % 3];
    if (y[i] > most) most = y[i];
  }
  return most;
}

int main(void) {
  unsigned v[1000], h[256] = {0}, both[2][8] = {{0}}, four[4][8] = {{1}}, t = 0;
  double s[4] = {0}, d[40];
  float x[3] = {1, -2, 3}, y[9];
  int few[3] = {-1, -1, -1};
  for (int i = 0; i < 1000; i++) v[i] = i * 2654435761u >> 7;
  for (int i = 0; i < 40; i++) d[i] = i;
  for (int i = 0; i < 9; i++) y[i] = i;
  counted(v, 1000, h);
  counted_static(v, 1000, h);
  rows(both);
  rows_of_run(4, four);
  rows_of_its_own(5, &t);
  inside(40, s, d, few);
  for (int i = 0; i < 256; i++) t = t * 31 + h[i];
  for (int i = 0; i < 16; i++) t = t * 31 + both[i / 8][i % 8];
  for (int i = 0; i < 32; i++) t = t * 31 + four[i / 8][i % 8];
  printf("%u %g %g %g %g %d %d %d\n", t, s[0], s[1], s[2], s[3], few[0], few[1], few[2]);
  const float most = scaled(9, x, y);
  printf("%g %g\n", most, y[7]);
}
