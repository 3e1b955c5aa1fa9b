/* Arrays and array sections: constant and run-time bounds, arrays, pointers, parameters, several dimensions. */
#include <stdio.h>
#include <stdlib.h>

#define N 400

static int bins[16];
static double table[4][8];

static void constant_bounds(void) {
  int a[10] = {0};
  for (int i = 0; i < 10; i++) a[i] = 100 * i;
#pragma omp target teams distribute parallel for reduction(+ : a[2 : 4])
  for (int i = 0; i < N; i++) a[2 + i % 4] += i;
  for (int i = 0; i < 10; i++) printf("%d ", a[i]);
#pragma omp target teams distribute parallel for reduction(+ : a[ : 3]) reduction(max : bins)
  for (int i = 0; i < N; i++) {
    a[i % 3] += 1;
    if (bins[i % 16] < i) bins[i % 16] = i;
  }
  for (int i = 0; i < 10; i++) printf("%d ", a[i]);
  for (int i = 0; i < 16; i++) printf("%d ", bins[i]);
#pragma omp target parallel for reduction(+ : a[7])
  for (int i = 0; i < N; i++) a[7] += 2;
#pragma omp target teams distribute reduction(+ : a[8 : ])
  for (int i = 0; i < N; i++) a[8 + i % 2] += 3;
  printf("%d %d %d\n", a[7], a[8], a[9]);
}

static void pointers(int *p, long *q, int n) {
#pragma omp target teams distribute parallel for reduction(+ : p[1 : 5]) map(tofrom : p[0 : 8])
  for (int i = 0; i < n; i++) p[1 + i % 5] += i;
#pragma omp target teams distribute parallel for reduction(+ : p[0 : n / 80]) reduction(^ : q[2 : n / 100])
  for (int i = 0; i < n; i++) {
    p[i % (n / 80)] += i;
    q[2 + i % (n / 100)] ^= (long)i << 20;
  }
  int low = 3, count = 2;
#pragma omp target parallel for reduction(* : q[low : count]) map(tofrom : q[0 : 8]) num_threads(3)
  for (int i = 0; i < 7; i++) {
    q[low] *= 2;
    q[low + 1] *= 3;
  }
  for (int i = 0; i < 8; i++) printf("%d %ld ", p[i], q[i]);
  printf("\n");
}

static void dimensions(double (*rows)[8], int n) {
#pragma omp target teams distribute parallel for reduction(+ : table)
  for (int i = 0; i < n; i++) table[i % 4][i % 8] += 0.5;
#pragma omp target teams distribute parallel for reduction(+ : rows[3][4 : 2]) map(tofrom : rows[0 : 4]) collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++) rows[3][4 + j] += i * j;
#pragma omp target teams distribute parallel for reduction(+ : rows[0 : n / 100][0 : 8])
  for (int i = 0; i < n; i++) rows[i % (n / 100)][i % 8] += i;
#pragma omp target teams distribute parallel for reduction(min : rows[1 : 1][0 : 8]) map(tofrom : rows[0 : 4])
  for (int i = 0; i < n; i++)
    if (rows[1][3] > -i) rows[1][3] = -i;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++) printf("%g %g ", table[i][j], rows[i][j]);
  printf("\n");
}

static int histogram[32];
#pragma omp declare target to(histogram)

static void inside_data(int n) {
  int *values = malloc(n * sizeof *values), sums[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; i++) values[i] = i % 32;
#pragma omp target data map(to : values[0 : n]) map(tofrom : sums)
  {
#pragma omp target teams distribute parallel for reduction(+ : sums[0 : 4])
    for (int i = 0; i < n; i++) sums[values[i] % 4] += values[i];
#pragma omp target teams distribute parallel for reduction(+ : sums[1 : 2]) num_teams(2) num_threads(5)
    for (int i = 0; i < n; i++) sums[1 + i % 2] += 1;
  }
  printf("%d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
#pragma omp target teams distribute parallel for reduction(+ : histogram) map(to : values[0 : n])
  for (int i = 0; i < n; i++) histogram[values[i]]++;
#pragma omp target update from(histogram)
  for (int i = 0; i < 32; i++) printf("%d ", histogram[i]);
  printf("\n");
  free(values);
}

#define ONE 1
static void strides_of_one(int *p, int n) {
#pragma omp target teams distribute parallel for reduction(+ : p[1 : 4 : (1)]) map(tofrom : p[0 : 8 : ONE])
  for (int i = 0; i < n; i++) p[1 + i % 4] += i;
#pragma omp target teams distribute parallel for reduction(+ : p[6 : ONE : 3], table[1 : 1][0 : 8 : ONE])
  for (int i = 0; i < n; i++) {
    p[6] += 2;
    table[1][i % 8] += i;
  }
  for (int i = 0; i < 8; i++) printf("%d %g ", p[i], table[1][i]);
  printf("\n");
}

int main(void) {
  constant_bounds();
  int p[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  long q[8] = {8, 7, 6, 5, 4, 3, 2, 1};
  pointers(p, q, N);
  double rows[4][8] = {{0}};
  dimensions(rows, N);
  inside_data(N);
  strides_of_one(p, N);
  return 0;
}
