/* Iterators on map, to and from: rows that only the run can count, in kernels, data regions, updates and mappers. */
#include "checks.h"

enum { ROWS = 6, COLUMNS = 4 };
struct row { int n; double *x; };

static struct row *table(int rows) {
  struct row *p = (struct row *)malloc(rows * sizeof *p);
  for (int i = 0; i < rows; i++) {
    p[i].n = COLUMNS;
    p[i].x = numbers(COLUMNS, 10 * i);
  }
  return p;
}

static void pointers_in_structs(int n) {
  struct row *p = table(n);
#pragma omp target map(tofrom : p[0:n]) map(iterator(i = 0 : n), tofrom : p[i].x[0:p[i].n])
  for (int i = 0; i < n; i++)
    for (int k = 0; k < p[i].n; k++) p[i].x[k] += 0.5;
  CHECK(p[n - 1].x[3] == 10 * (n - 1) + 3.5 && !here(p) && !here(p[0].x) && !here(p[n - 1].x));
#pragma omp target data map(to : p[0:n]) map(iterator(int i = 0 : n : 2), to : p[i].x[1:2])
  {
    for (int i = 0; i < n; i++) CHECK(here(p[i].x + 1) == (i % 2 == 0) && !here(p[i].x + 3));
#pragma omp target
    for (int i = 0; i < n; i += 2) p[i].x[1] = -1;
    CHECK(p[0].x[1] == 1.5 && p[2].x[1] == 21.5);
#pragma omp target update from(iterator(i = 2 : n : 2) : p[i].x[1:1])
    CHECK(p[0].x[1] == 1.5 && p[2].x[1] == -1 && p[4].x[1] == -1);
    for (int i = 0; i < n; i += 2) p[i].x[2] = 100 + i;
#pragma omp target update to(iterator(i = n - 2 : -1 : -2), present : p[i].x[2:1])
    double sum = 0;
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < n; i += 2) sum += p[i].x[2];
    CHECK(sum == 306);
  }
  CHECK(!here(p) && !here(p[0].x + 1) && !here(p[4].x + 1));
}

static void pointers_in_arrays(void) {
  double *a[ROWS];
  for (int i = 0; i < ROWS; i++) a[i] = numbers(COLUMNS, i);
#pragma omp target map(iterator(it = 0 : ROWS), tofrom : a[it][ : 2]) map(to : a)
  for (int i = 0; i < ROWS; i++) a[i][1] *= 2;
  CHECK(a[0][1] == 2 && a[5][1] == 12 && !here(a) && !here(a[5]));
#pragma omp target map(iterator(unsigned char it = 1 : ROWS - 1), tofrom : a[it][0:2])
  for (int i = 1; i < ROWS - 1; i++) a[i][0] += a[i][1];
  CHECK(a[1][0] == 5 && a[4][0] == 14 && a[5][0] == 5 && !here(a) && !here(a[1]));
#pragma omp target enter data map(to : a) map(iterator(i = 0 : ROWS, j = 0 : 2), to : a[i][2 * j : 1])
  for (int i = 0; i < ROWS; i++) CHECK(here(&a[i]) && here(a[i]) && here(a[i] + 2) && !here(a[i] + 1));
#pragma omp target map(iterator(i = 0 : ROWS, j = 0 : 2), present, alloc : a[i][2 * j : 1])
  for (int i = 0; i < ROWS; i++) a[i][2] = 70 + i;  /* the last that the pointers were attached to */
  CHECK(a[2][2] != 72);
#pragma omp target update from(iterator(i = 1 : ROWS) : a[i][2:1])
  CHECK(a[0][2] != 70 && a[2][2] == 72 && a[5][2] == 75);
#pragma omp target exit data map(iterator(i = 0 : ROWS, j = 0 : 2), release : a[i][2 * j : 1]) map(release : a)
  for (int i = 0; i < ROWS; i++) CHECK(!here(&a[i]) && !here(a[i]) && !here(a[i] + 2));
}

static void elements(int first, int last) {
  double *p = numbers(20, 0), m[4][5];
  for (int i = 0; i < 20; i++) m[i / 5][i % 5] = i;
#pragma omp target data map(iterator(i = first : last), tofrom : p[i])
  {
    CHECK(!here(p + first - 1) && here(p + first) && here(p + last - 1) && !here(p + last));
#pragma omp target
    for (int i = first; i < last; i++) p[i] = -p[i];
    CHECK(p[first] == first);
#pragma omp target update from(iterator(i = first : last : 3) : p[i])
    CHECK(p[first] == -first && p[first + 1] == first + 1 && p[first + 3] == -first - 3);
  }
  CHECK(p[first - 1] == first - 1 && p[first + 1] == -first - 1 && p[last] == last && !here(p + first));
#pragma omp target map(tofrom : m) map(iterator(i = 0 : 4, j = 0 : 5), always, from : m[i][j])
  for (int i = 0; i < 20; i++) m[i / 5][i % 5] *= 3;
  CHECK(m[3][4] == 57 && m[0][1] == 3 && !here(m));
#pragma omp target data map(iterator(i = 0 : 0), to : p[i + 1])
  CHECK(!here(p + 1));
}

struct matrix { int rows, columns; double **row; };
#pragma omp declare mapper(struct matrix v) \
  map(v, v.row[0:v.rows]) map(iterator(i = 0 : v.rows), tofrom : v.row[i][0:v.columns])

static void in_mappers(void) {
  struct matrix m[2];
  for (int k = 0; k < 2; k++) {
    m[k].rows = 3 + k;
    m[k].columns = COLUMNS;
    m[k].row = (double **)malloc(8 * sizeof(double *));
    for (int i = 0; i < 8; i++) m[k].row[i] = numbers(COLUMNS, 100 * k + 10 * i);
  }
#pragma omp target data map(tofrom : m)
  {
    CHECK(here(m[0].row + 2) && !here(m[0].row + 3) && here(m[1].row[3] + 3) && !here(m[0].row[3]));
#pragma omp target
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < m[k].rows; i++)
        for (int j = 0; j < m[k].columns; j++) m[k].row[i][j]++;
    CHECK(m[1].row[3][3] == 133);
#pragma omp target update from(m[1])
    CHECK(m[1].row[3][3] == 134 && m[0].row[2][3] == 23);
  }
  CHECK(m[0].row[2][3] == 24 && m[1].row[0][0] == 101 && !here(m) && !here(m[1].row) && !here(m[1].row[3]));
#pragma omp target map(tofrom : m[1])
  m[1].row[1][1] = 7;
  CHECK(m[1].row[1][1] == 7 && !here(m[1].row[1]) && !here(&m[1]));
  struct matrix *p = m;
#pragma omp target enter data map(iterator(k = 0 : 2), to : p[k].rows, p[k].columns)
  CHECK(here(&p[1].rows));
#pragma omp target exit data map(iterator(k = 0 : 2), release : p[k].rows, p[k].columns)
  CHECK(!here(&p[1].rows) && !here(&p[0].columns));
}

int main(void) {
  pointers_in_structs(6);
  pointers_in_arrays();
  elements(3, 17);
  in_mappers();
  printf("failures: %d\n", failures);
  return failures != 0;
}
