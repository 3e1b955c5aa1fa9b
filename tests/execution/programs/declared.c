/* declare target: variables and functions, in blocks and lists, and functions that regions simply call. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 64
#pragma omp declare target
int counter = 5;
static double factors[3] = {0.5, 1.5, 2.5};
const int limit = 40;
int twice(int x) { return 2 * x; }
static double scaled(double x, int which);
static double scaled(double x, int which) { return x * factors[which]; }
#pragma omp end declare target

int listed = 7, linked_array[N];
static float matrix[4][4];
#pragma omp declare target to(listed, linked_array) enter(matrix)

#pragma omp begin declare target
typedef struct {
  int x, y;
} Pair;
Pair pair = {1, 2};
static inline Pair swap(Pair p) {
  Pair r = {p.y, p.x};
  return r;
}
#pragma omp end declare target

static int helper(int x); /* defined later, called from a region */
static int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1); }
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static void fill(int *p, int n, int v) {
  for (int i = 0; i < n; i++) p[i] = v + i;
}
static int uses_static(int x) {
  static const int shift[4] = {1, 2, 3, 4};
  return x + shift[x & 3];
}
typedef int (*Operation)(int);

static void variables(void) {
  int got = 0;
#pragma omp target map(tofrom : got)
  {
    counter += 10;
    got = counter + twice(counter) + limit;
  }
#pragma omp target map(tofrom : got)
  {
    counter += 1;
    got += counter;
  }
#pragma omp target update from(counter)
  printf("declared: %d %d\n", got, counter);
  counter = 100;
#pragma omp target update to(counter)
#pragma omp target map(tofrom : got)
  got = counter;
  printf("after update to: %d\n", got);
  factors[1] = 10;
#pragma omp target update to(factors)
  double d = 0;
#pragma omp target map(from : d)
  d = scaled(3, 1) + scaled(2, 0);
  printf("static array: %g\n", d);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++) linked_array[i] = i * listed;
#pragma omp target update from(linked_array)
  printf("listed: %d %d\n", linked_array[1], linked_array[N - 1]);
#pragma omp target update from(linked_array[10 : 3])
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) matrix[i][j] = i * 4 + j;
#pragma omp target update from(matrix)
  printf("matrix: %g\n", matrix[3][2]);
#pragma omp target map(always, tofrom : listed)
  listed += 3;
  printf("always: %d\n", listed);
#pragma omp target
  pair = swap(pair);
#pragma omp target update from(pair)
  printf("struct: %d %d\n", pair.x, pair.y);
}

static void functions(void) {
  int out[N];
  double real[N];
#pragma omp target teams distribute parallel for map(from : out, real)
  for (int i = 0; i < N; i++) {
    int block[4];
    fill(block, 4, i);
    out[i] = helper(i) + recursive(i % 8) + even(i) + block[3] + uses_static(i) + abs(-i);
    real[i] = sqrt(i) + fabs(-1.5) + pow(2, i % 5) + fmin(i, 3.5);
  }
  long long s = 0;
  double r = 0;
  for (int i = 0; i < N; i++) s += (i + 1LL) * out[i], r += real[i];
  printf("functions: %lld %.6f\n", s, r);
}

static int helper(int x) { return x * x + limit; }

static void library(void) {
  int r = 0;
  char text[8] = "abc";
#pragma omp target map(from : r) map(tofrom : text)
  {
    char copy[8];
    memcpy(copy, text, sizeof copy);
    memset(text, 'x', 3);
    r = copy[0] + copy[1];
  }
  printf("memcpy: %d %s\n", r, text);
}

static void printing(void) {
#pragma omp target
  {
    printf("from the region: %d %s %.2f\n", 42, "text", 1.5);
  }
  fflush(stdout);
}

int main(void) {
  variables();
  functions();
  library();
  printing();
  (void)sizeof(Operation);
  return 0;
}
