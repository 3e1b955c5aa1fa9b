/* map types, sections with offsets in one to three dimensions, variable-length arrays, pointers to them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 20
static double flat[N], square[N][N], cube[N][N][N];

static void fill(void) {
  for (int i = 0; i < N; i++) {
    flat[i] = i;
    for (int j = 0; j < N; j++) {
      square[i][j] = i * 100 + j;
      for (int k = 0; k < N; k++) cube[i][j][k] = i * 10000 + j * 100 + k;
    }
  }
}

static void show(const char *what) {
  double a = 0, b = 0, c = 0;
  for (int i = 0; i < N; i++) {
    a += flat[i] * (i + 1);
    for (int j = 0; j < N; j++) {
      b += square[i][j] * (i + 1) * (j + 2);
      for (int k = 0; k < N; k++) c += cube[i][j][k] * (i + 1) * (j + 2) * (k + 3);
    }
  }
  printf("%s: %g %g %.10g\n", what, a, b, c);
  fill();
}

static void arrays(int lo, int n) {
#pragma omp target map(tofrom : flat[3 : 5])
  for (int i = 3; i < 8; i++) flat[i] *= 2;
  show("flat[3:5]");
#pragma omp target teams distribute parallel for map(tofrom : flat[lo : n])
  for (int i = lo; i < lo + n; i++) flat[i] *= 2;
  show("flat[lo:n]");
#pragma omp target teams distribute parallel for map(tofrom : flat[:n])
  for (int i = 0; i < n; i++) flat[i] *= 2;
  show("flat[:n]");
#pragma omp target teams distribute parallel for map(tofrom : flat[lo:])
  for (int i = lo; i < N; i++) flat[i] *= 2;
  show("flat[lo:]");
#pragma omp target teams distribute parallel for map(tofrom : flat[:])
  for (int i = 0; i < N; i++) flat[i] *= 2;
  show("flat[:]");
#pragma omp target map(tofrom : flat[7])
  flat[7] = -1;
  show("flat[7]");
#pragma omp target map(tofrom : flat[lo + 1])
  flat[lo + 1] = -1;
  show("flat[lo+1]");
#pragma omp target teams distribute parallel for map(tofrom : square[lo : n][0 : N])
  for (int i = lo; i < lo + n; i++)
    for (int j = 0; j < N; j++) square[i][j] += 1;
  show("square[lo:n][0:N]");
#pragma omp target teams distribute parallel for map(tofrom : square[lo : n])
  for (int i = lo; i < lo + n; i++)
    for (int j = 0; j < N; j++) square[i][j] += 1;
  show("square[lo:n]");
#pragma omp target map(tofrom : square[lo][2 : n])
  for (int j = 2; j < 2 + n; j++) square[lo][j] += 1;
  show("square[lo][2:n]");
#pragma omp target map(tofrom : square[4 : 1][lo : 3])
  for (int j = lo; j < lo + 3; j++) square[4][j] += 1;
  show("square[4:1][lo:3]");
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : square[2 : 3][0 : N])
  for (int i = 2; i < 5; i++)
    for (int j = 4; j < 9; j++) square[i][j] += 1;
  show("square[2:3][0:N]");
#pragma omp target map(tofrom : square[3][5])
  square[3][5] = 1;
  show("square[3][5]");
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : cube[lo : 2][:][:])
  for (int i = lo; i < lo + 2; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) cube[i][j][k] += 1;
  show("cube[lo:2][:][:]");
#pragma omp target teams distribute parallel for map(tofrom : cube[lo][n : 3][0 : N])
  for (int j = n; j < n + 3; j++)
    for (int k = 0; k < N; k++) cube[lo][j][k] += 1;
  show("cube[lo][n:3][0:N]");
#pragma omp target map(tofrom : cube[1][2][3 : 4])
  for (int k = 3; k < 7; k++) cube[1][2][k] += 1;
  show("cube[1][2][3:4]");
#pragma omp target map(tofrom : cube[19][19])
  for (int k = 0; k < N; k++) cube[19][19][k] += 1;
  show("cube[19][19]");
}

static void pointers(double *p, double (*rows)[N], double (*planes)[N][N], int lo, int n) {
#pragma omp target teams distribute parallel for map(tofrom : p[lo : n])
  for (int i = lo; i < lo + n; i++) p[i] *= 3;
  show("p[lo:n]");
#pragma omp target teams distribute parallel for map(tofrom : rows[lo : n])
  for (int i = lo; i < lo + n; i++)
    for (int j = 0; j < N; j++) rows[i][j] *= 3;
  show("rows[lo:n]");
#pragma omp target teams distribute parallel for map(tofrom : rows[lo : n][3 : 4])
  for (int i = lo; i < lo + n; i++)
    for (int j = 3; j < 7; j++) rows[i][j] *= 3;
  show("rows[lo:n][3:4]");
#pragma omp target teams distribute parallel for map(tofrom : planes[0 : N][0 : N][0 : N])
  for (int i = 0; i < N; i++) planes[i][i][i] = 0;
  show("planes");
#pragma omp target map(tofrom : *p)
  *p = 55;
  show("*p");
  double *second = p + 5;
#pragma omp target map(tofrom : second[-2 : 4])
  for (int i = -2; i < 2; i++) second[i] = -9;
  show("negative lower bound");
  double *end = p + n;
#pragma omp target map(tofrom : p[0 : N]) map(to : end)
  for (int i = 0; i < N; i++) p[i] += 1;
  show("another pointer");
}

static void kinds(void) {
  double a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8], scratch[8];
  for (int i = 0; i < 8; i++) b[i] = -1, scratch[i] = -2;
#pragma omp target map(to : a) map(from : b) map(alloc : scratch)
  for (int i = 0; i < 8; i++) {
    scratch[i] = a[i] * 2;
    b[i] = scratch[i] + 1;
    a[i] = 0;
  }
  for (int i = 0; i < 8; i++) printf("%g ", b[i]);
#ifdef _OPENMP
  (void)a;
#endif
#pragma omp target map(tofrom : a[0 : 4]) map(tofrom : b[4 : 4])
  for (int i = 0; i < 4; i++) a[i] = i, b[4 + i] = a[i];
  for (int i = 0; i < 4; i++) printf("%g %g ", a[i], b[4 + i]);
  printf("\n");
}

static void variable_length(int n, int m) {
  double line[n], matrix[n][m], box[n][m][3];
  memset(line, 0, sizeof line), memset(matrix, 0, sizeof matrix), memset(box, 0, sizeof box);
#pragma omp target teams distribute parallel for map(tofrom : line)
  for (int i = 0; i < n; i++) line[i] = i;
#pragma omp target teams distribute parallel for map(tofrom : matrix) map(to : line[0 : n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) matrix[i][j] = line[i] * 10 + j;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : box[0 : n][0 : m][0 : 3]) map(to : matrix[0 : n][0 : m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      box[i][j][0] = matrix[i][j];
      box[i][j][2] = -matrix[i][j];
    }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) matrix[i][m - 1] += 0.5;
#pragma omp target map(tofrom : matrix[1 : 2][0 : m])
  for (int i = 1; i < 3; i++)
    for (int j = 1; j < 4; j++) matrix[i][j] += 1000;
  double a = 0, b = 0, c = 0;
  for (int i = 0; i < n; i++) {
    a += line[i];
    for (int j = 0; j < m; j++) b += matrix[i][j] * (i + j), c += box[i][j][0] * 2 + box[i][j][2] * j;
  }
  printf("variable length: %g %g %g\n", a, b, c);
}

static void parameters(int n, int m, double a[n], double b[n][m], double c[restrict const][N]) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n], b[0 : n][0 : m]) map(tofrom : c[0 : n])
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    for (int j = 0; j < m; j++) b[i][j] += a[i] + c[i][j];
    c[i][0] = 7;
  }
  double (*vla)[m] = (double (*)[m])b;
#pragma omp target teams distribute parallel for map(tofrom : vla[0 : n])
  for (int i = 0; i < n; i++) vla[i][m - 1] *= 2;
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i] + c[i][0];
    for (int j = 0; j < m; j++) s += b[i][j] * (i + j + 1);
  }
  printf("parameters: %g\n", s);
}

static void heap(int n) {
  double(*m)[n] = malloc(sizeof(double[n][n]));
  double *rows[4], *big = malloc(n * n * sizeof *big);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = i - j, big[i * n + j] = i + j;
  for (int i = 0; i < 4; i++) rows[i] = big + i * n;
  double s = 0;
#pragma omp target teams distribute parallel for collapse(2) map(to : m[0 : n][0 : n], big[0 : n * n]) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += m[i][j] * big[i * n + j] * i;
  printf("heap: %g\n", s);
  double *row = rows[2];
#pragma omp target teams distribute parallel for map(tofrom : row[0 : n])
  for (int j = 0; j < n; j++) row[j] = j;
  s = 0;
  for (int j = 0; j < n * n; j++) s += big[j] * (j % 7);
  printf("row: %g\n", s);
  free(m), free(big);
}

int main(void) {
  fill();
  arrays(6, 9);
  pointers(flat, square, cube, 5, 8);
  kinds();
  variable_length(7, 5);
  double a[6] = {1, 2, 3, 4, 5, 6}, b[6][4], c[6][N];
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 4; j++) b[i][j] = i * j;
    for (int j = 0; j < N; j++) c[i][j] = i + j;
  }
  parameters(6, 4, a, b, c);
  heap(12);
  return 0;
}
