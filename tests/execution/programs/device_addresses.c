/* use_device_ptr, use_device_addr, is_device_ptr, has_device_addr: all kinds of items, data present and not. */
#include <stdint.h>
#include <stdio.h>

#define N 12
struct Pair {
  int a[4];
  double real;
};
static int table[N];
static int *rows;

static int device_ptr(int *p, const int *given, int n, int use) {
  int same = 0;
#pragma omp target data map(tofrom : p[2 : n - 2]) map(to : given[0 : n]) use_device_ptr(p, given)
#pragma omp target is_device_ptr(p, given)
  for (int i = 2; i < n; i++) p[i] += given[i];
#pragma omp target data map(tofrom : p[0 : n]) if (use)
  {
    int *const before = p;
#pragma omp target data use_device_ptr(p) if (use > 1)
    same = use > 1 ? 0 : p == before;
  }
  return same;
}

static void absent(int *p, int n) {
  int local = 3, *const before = p;
  int same = 0;
#pragma omp target data map(to : local) use_device_ptr(p)
  same += p == before;
#pragma omp target data map(to : local) use_device_addr(p[3 : n - 3])
  same += 2 * (p == before);
#pragma omp target data map(to : local) use_device_addr(table[4 : 2])
  same += 4 * ((uintptr_t)&table[0] == (uintptr_t)table);
  p = 0;
#pragma omp target data map(to : local) use_device_ptr(p)
  same += 8 * (p == 0);
  printf("absent: %d\n", same);
}

static void arrays(int n) {
  int line[n], square[3][n];
  double matrix[3][5];
  for (int i = 0; i < n; i++) {
    line[i] = i;
    for (int r = 0; r < 3; r++) square[r][i] = 10 * r + i;
  }
  for (int i = 0; i < 15; i++) matrix[i / 5][i % 5] = i;
#pragma omp target data map(tofrom : line, square, matrix, table[3 : 6]) use_device_addr(line, square, matrix, table)
  {
#pragma omp target has_device_addr(line, square, matrix, table)
    {
      line[1] += 100;
      square[2][n - 1] += 100;
      matrix[1][2] += 0.5;
      table[3] = 33;
      table[8] = 88;
    }
#pragma omp target has_device_addr(line[2 : 3], matrix[2 : 1], table[4 : 2])
    {
      line[2] = -2;
      matrix[2][4] = -4;
      table[5] = -5;
    }
  }
  printf("arrays: %d %d %d %g %g %d %d %d\n", line[1], line[2], square[2][n - 1], matrix[1][2], matrix[2][4], table[3],
         table[5], table[8]);
}

static void scalars(void) {
  int x = 5;
  double d = 1.5;
  struct Pair pair = {{1, 2, 3, 4}, 0.25};
  int value = 9, *p = &value;
#pragma omp target data map(tofrom : x, d, pair) use_device_addr(x, d, pair)
  {
#pragma omp target has_device_addr(x, d, pair)
    {
      x *= 2;
      d += pair.real;
      pair.a[2] = x;
    }
  }
#pragma omp target data map(tofrom : p, value) use_device_addr(p)
  {
#pragma omp target has_device_addr(p)
    p = p + 1;
  }
  p = &value;
  printf("scalars: %d %g %d %d\n", x, d, pair.a[2], *p);
}

static void sections(int *p, int n) {
#pragma omp target data map(tofrom : p[0 : n])
#pragma omp target data use_device_addr(p[2 : 3])
#pragma omp target has_device_addr(p[2 : 3])
  for (int i = 2; i < 5; i++) p[i] *= 3;
#pragma omp target data map(tofrom : table[6 : 3])
#pragma omp target data use_device_addr(table[6 : 3])
#pragma omp target has_device_addr(table[6 : 3])
  for (int i = 6; i < 9; i++) table[i] = i;
  rows = p;
#pragma omp target data map(tofrom : rows[1 : 4]) use_device_ptr(rows)
#pragma omp target is_device_ptr(rows)
  rows[4] = 44;
  printf("sections: %d %d %d %d %d\n", p[2], p[4], table[6], table[8], rows[4]);
}

// Types whose name C++ spells another way.
static void truths(void) {
  static _Bool flags[40];
  _Bool *p = flags;
  int count = 0;
#pragma omp target data map(tofrom : p[0 : 40]) use_device_ptr(p)
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < 40; i++) p[i] = i % 3;
#pragma omp target data map(tofrom : flags) use_device_addr(flags)
#pragma omp target teams distribute parallel for has_device_addr(flags)
  for (int i = 0; i < 40; i++) flags[i] ^= 1;
  for (int i = 0; i < 40; i++) count += flags[i];
  printf("truths %d\n", count);
}

static void sizes(int n) {
  double fixed[8] = {0}, counted[n], grid[3][n];
  size_t seen = 0;
  for (int i = 0; i < n; i++) counted[i] = grid[2][i] = 0;
#pragma omp target data map(tofrom : fixed, counted, grid) use_device_addr(fixed, counted, grid)
  {
    double *const first = counted, (*const all)[8] = &fixed;
    seen = sizeof fixed + 100 * sizeof(counted) + 10000 * sizeof(grid) + (all == &fixed) + 2 * (first == counted);
#pragma omp target is_device_ptr(first, all) has_device_addr(fixed, counted, grid)
    {
      first[2] = sizeof counted;
      counted[1] = sizeof fixed;
      (*all)[3] = 6;
      fixed[2] = 5;
      grid[2][1] = sizeof grid;
    }
  }
  printf("sizes %zu: %g %g %g %g %g\n", seen, counted[2], counted[1], fixed[3], fixed[2], grid[2][1]);
}

static struct { int k; } file_one;

static void unnamed_types(void) {
  struct { int k; double d[3]; } one = {1, {1, 2, 3}}, *to = &one;
  union { int i; float f; } several[2] = {{3}, {4}};
  enum { FIRST, SECOND } which = FIRST;
#pragma omp target data map(tofrom : one, several, which, file_one) use_device_addr(one, several, which, file_one)
#pragma omp target has_device_addr(one, several, which, file_one)
  one.k = 9, several[1].i++, which = SECOND, file_one.k = 3;
#pragma omp target data map(tofrom : to[0 : 1]) use_device_ptr(to)
#pragma omp target is_device_ptr(to)
  to->k++;
#pragma omp target data map(tofrom : to[0 : 1]) use_device_addr(to[0 : 1])
#pragma omp target has_device_addr(to[0 : 1])
  to->d[1]++;
  printf("unnamed_types: %d %d %d %d %g\n", one.k, several[1].i, which, file_one.k, one.d[1]);
}

int main(void) {
  sizes(4);
  unnamed_types();
  int a[N], b[N];
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 100 * i;
  const int same = device_ptr(a, b, N, 0) + device_ptr(a, b, N, 0);
  printf("device_ptr: %d %d %d %d\n", same, a[1], a[2], a[N - 1]);
  absent(a, N);
  arrays(N);
  scalars();
  sections(a, N);
  truths();
  return 0;
}
