/* Last values of nests whose inner bounds depend on an outer index: of variables and of indices, on every kind of team. */
#include <stdio.h>

#define ROWS 37

static int total[ROWS][64], cube[12][4][12];

static void grid(int rows, int width) {
  int x = -1, i, k;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(x, i, k) map(tofrom : x, i, k, total)
  for (i = 0; i < rows; i++)
    for (k = i; k < width; k++) {
      total[i][k] += i + k;
      x = 100 * i + k;
    }
  printf("grid %d %d %d\n", x, i, k);
}

static void empty_at_the_end(int rows, int width) {
  int x = -1;
#pragma omp target teams distribute parallel for collapse(2) lastprivate(x) map(tofrom : x)
  for (int i = 0; i < rows; i++)
    for (int k = i; k < width; k++) x = 100 * i + k;
  printf("empty at the end %d\n", x);
}

static void downwards(int rows) {
  long x[2] = {-1, -2};
#pragma omp target parallel for collapse(2) lastprivate(x) map(tofrom : x)
  for (int i = rows - 1; i >= 0; i--)
    for (int k = 0; k < i; k++) {
      x[0] = i;
      x[1] = k;
    }
  printf("downwards %ld %ld\n", x[0], x[1]);
}

static void three(int rows, int width) {
  int i, j, k;
#pragma omp target parallel loop collapse(3) lastprivate(i, j, k) map(tofrom : cube)
  for (i = 0; i < rows; i++)
    for (j = 0; j < 4; j++)
      for (k = i; k < width; k += 1) cube[i][j][k] = i + 2 * j + 3 * k;
  printf("three %d %d %d\n", i, j, k);
}

static void two_inside(int rows) {
  int x = -1, i, j, k;
#pragma omp target teams distribute parallel for collapse(3) lastprivate(i, j, k, x) map(tofrom : x)
  for (i = 0; i <= rows; i += 3)
    for (j = i + 1; j > i - 5; j -= 2)
      for (k = j; k < j + 3; k++) x = i * 10000 + (j + 50) * 100 + k;
  printf("two inside %d %d %d %d\n", i, j, k, x);
}

static void by_simd(int rows) {
  int i, k, sum = 0;
#pragma omp target teams distribute parallel for simd collapse(2) map(tofrom : i, k) reduction(+ : sum)
  for (i = 0; i < rows; i++)
    for (k = 0; k < i + 2; k++) sum += i * k;
  printf("by simd %d %d %d\n", i, k, sum);
}

static void in_a_region(int rows, int width) {
  int x = -1, y = -1, z = -1, i = 0, k = 0, found[9] = {0};
#pragma omp target map(tofrom : x, y, z, i, k, found)
  {
#pragma omp parallel num_threads(8)
    {
#pragma omp for collapse(2) lastprivate(x, i, k)
      for (i = 0; i < rows; i++)
        for (k = i; k < width; k++) x = 100 * i + k;
#pragma omp for collapse(2) lastprivate(y)
      for (int a = 0; a < rows; a++)
        for (int b = a; b < width - 20; b++) y = 100 * a + b;
#pragma omp single
      found[0] = x + y;
    }
#pragma omp parallel for collapse(3) lastprivate(z)
    for (int a = 0; a < rows; a++)
      for (int b = 0; b < a; b++)
        for (int c = 2 * b + 1; c < 9; c++) z = a * 100 + b * 10 + c;
  }
  printf("in a region %d %d %d %d %d %d\n", x, y, z, i, k, found[0]);
}

static void leagues(int rows) {
  int x = -1, last[3] = {0};
#pragma omp target teams distribute collapse(2) lastprivate(x) map(tofrom : x, last) num_teams(5)
  for (int i = 0; i < rows; i++)
    for (int k = i; k < 20; k++) {
      x = 100 * i + k;
#pragma omp parallel for num_threads(4)
      for (int m = 0; m < 3; m++)
        if (i == 19) last[m] = m + k;
    }
  printf("leagues %d %d %d %d\n", x, last[0], last[1], last[2]);
  x = -1;
#pragma omp target teams num_teams(3) map(tofrom : x)
#pragma omp distribute parallel for collapse(2) lastprivate(x)
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < 12 - i; k++) x = 100 * i + k;
  printf("leagues %d\n", x);
}

#pragma omp declare target
static int called(int rows) {
  int x = -1, k = -1;
#pragma omp parallel for collapse(2) lastprivate(x, k)
  for (int i = 0; i < rows; i++)
    for (k = 0; k < i + 3; k += 1) x = 10 * i + k;
  return 100 * x + k;
}
#pragma omp end declare target

static void in_a_function(int rows) {
  int x = -1;
#pragma omp target map(from : x)
  x = called(rows);
  printf("in a function %d\n", x);
}

int main(void) {
  grid(ROWS, 64);
  grid(5, 5);
  empty_at_the_end(ROWS, 9);
  downwards(ROWS);
  three(10, 12);
  two_inside(29);
  by_simd(ROWS);
  in_a_region(ROWS, 40);
  leagues(33);
  in_a_function(7);
  long sum = 0;
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < 48; k++) sum += cube[i][k / 12][k % 12] * (i + k);
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < 64; k++) sum += total[i][k] * (i + 3 * k);
  printf("total %ld\n", sum);
}
