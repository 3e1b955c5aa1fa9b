/* Nests whose inner loops several iterations execute together: all forms, and sizes around those of a tile. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 1023
static double checked(const float *c, long n, const char *what, int rows, int columns) {
  double sum = 0;
  for (long k = 0; k < n; k++) sum += c[k] * (k % 89 + 1);
  printf("%s %d %d: %.10g\n", what, rows, columns, sum);
  return sum;
}

static void product(int n, int m, int depth, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float s = 0;
      for (int q = 0; q < depth; q++) s += a[i * depth + q] * b[q * m + j];
      c[i * m + j] = s;
    }
}

/* Two sums, declarations in the inner loop, a pointer of each iteration, and a choice behind the loop. */
static void sums(int n, int m, int depth, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < m; j++) {
      const float *const row = a + i * depth, first = c[i * m + j];
      float s, most = -1e9f;
      s = first;
      for (int q = depth - 1; q >= 0; q -= 1) {
        const float x = row[q] * b[q * m + j];
        s += x;
        most = fmaxf(most, x);
      }
      // what is behind the loop
      if (s > 3) s -= 1;
      c[i * m + j] += s + most + first;
    }
}

/* Loops in a row, integers, an index from outside, and a value that goes from one loop into the next. */
static void in_a_row(int n, int m, int depth, const int *a, const int *b, float *c) {
  int q;
#pragma omp target teams distribute parallel for collapse(2) private(q)
  for (int i = 2; i < n; i += 3)
    for (int j = 0; j < m; j++) {
      int new = i;
      for (q = 0; q < depth; q++) new = new * 3 + a[i * depth + q] - b[q * m + j];
      int half = new / 2;
      for (q = 1; q <= depth / 2; ++q) { half ^= b[q * m + j] + a[i * depth]; }
      c[i * m + j] = (float)(new % 1000 + half % 1000 + q);
    }
}

/* Three loops, of which the parts are neighbours in the outermost; the arrays have extents of their own. */
static void of_three(int n, int m, int depth, const float *a, const float *b, float *c) {
  if (depth == 0) return;
  const float(*left)[depth] = (const float(*)[depth])a, (*right)[m] = (const float(*)[m])b;
#pragma omp target teams distribute parallel for collapse(3) map(to : left[0 : n], right[0 : depth])
  for (unsigned i = 0; i < (unsigned)n; i++)
    for (int k = 0; k < 2; k++)
      for (long j = 0; j < m; j++) {
        float s = k;
        for (int q = k; q < depth; q += 2) s += left[i][q] * right[q][j];
        c[(i * 2 + k) * m + j] = s;
      }
}

/* Elements that the inner loop adds to: set before, added to as they are, and used behind it. */
static void added(int n, int m, int depth, const float *a, const float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] *= 0.5f;
      for (int q = 0; q < depth; q++) c[i * m + j] += a[i * depth + q] * b[q * m + j];
    }
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      { for (int q = 1; q < depth; q++) c[i * m + j] -= a[i * depth + q] * b[q * m + j]; }
  float(*rows)[m] = (float(*)[m])c, (*more)[m] = (float(*)[m])(c + (long)n * m);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : rows[0 : n], more[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      rows[i][j] = 1;
      for (int q = 0; q < depth; q++) rows[i][j] = rows[i][j] * 0.5f + a[i * depth + q] * b[q * m + j];
      more[i][j] = rows[i][j] + 1;
    }
}

/* One column, one step: the element is what it is multiplied with. */
static void itself(int n, int m, float *b, float *c) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      { for (int q = 0; q < m; q++) c[i * m + j] += b[i * m + q] * b[q * m + j]; }
}

int main(void) {
  static const int sizes[][3] = {{0, 5, 3}, {1, 1, 1}, {3, 40, 7}, {4, 33, 0}, {5, 32, 9}, {9, 31, 4}, {MOST, 64, 3}};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    int n = sizes[k][0], m = sizes[k][1], depth = sizes[k][2];
    long count = 2L * n * m, left = (long)n * depth, right = (long)depth * m;
    float *a = malloc(sizeof *a * (left + 1)), *b = malloc(sizeof *b * (right + 1)), *c = calloc(count + 1, sizeof *c);
    int *x = malloc(sizeof *x * (left + 1)), *y = malloc(sizeof *y * (right + 1));
    for (long e = 0; e < left; e++) a[e] = (x[e] = (int)(e * 7919 % 41)) * 0.25 - 3;
    for (long e = 0; e < right; e++) b[e] = (y[e] = (int)(e * 104729 % 37)) * 0.5 - 7;
#pragma omp target data map(to : a[0 : left], b[0 : right], x[0 : left], y[0 : right])
    {
#pragma omp target data map(tofrom : c[0 : count])
      product(n, m, depth, a, b, c);
      checked(c, count, "product", n, m);
#pragma omp target data map(tofrom : c[0 : count])
      sums(n, m, depth, a, b, c);
      checked(c, count, "sums", n, m);
#pragma omp target data map(tofrom : c[0 : count])
      in_a_row(n, m, depth, x, y, c);
      checked(c, count, "in a row", n, m);
#pragma omp target data map(tofrom : c[0 : count])
      of_three(n, m, depth, a, b, c);
      checked(c, count, "of three", n, m);
      if (n > 0) {
#pragma omp target data map(tofrom : c[0 : count])
        added(n, m, depth, a, b, c);
        checked(c, count, "added", n, m);
#pragma omp target data map(tofrom : c[0 : count])
        if (m == 1) itself(n, m, c, c);
        checked(c, count, "itself", n, m);
      }
    }
    free(a), free(b), free(c), free(x), free(y);
  }
  return 0;
}
