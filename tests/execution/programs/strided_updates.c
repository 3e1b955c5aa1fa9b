// Updates of sections with gaps: what they name moves, what lies between stays. Where host and device share their memory
// everything has "moved", which a first region finds out.
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 6, COLUMNS = 7, DEPTH = 4 };
#pragma omp declare target
static int shared;

static int expected(int moved, int now, int before) { return shared || moved ? now : before; }
#pragma omp end declare target

static int in(int i, int lower, int length, int stride) {
  return i >= lower && (i - lower) % stride == 0 && (i - lower) / stride < length;
}

static int one_dimension(int lower, int length, int stride) {
  int wrong = 0, a[40];
  for (int i = 0; i < 40; i++) a[i] = i;
#pragma omp target data map(to : a)
  {
    for (int i = 0; i < 40; i++) a[i] = 100 + i;
#pragma omp target update to(a[lower : length : stride])
#pragma omp target map(tofrom : wrong)
    for (int i = 0; i < 40; i++) {
      wrong += a[i] != expected(in(i, lower, length, stride), 100 + i, i);
      a[i] = 200 + i;
    }
#pragma omp target update from(a[lower : length : stride])
    for (int i = 0; i < 40; i++) wrong += a[i] != expected(in(i, lower, length, stride), 200 + i, 100 + i);
  }
  return wrong;
}

// Whether a column, a block or whole rows move is known at run time only.
static int block(int row, int rows, int step, int column, int columns) {
  int wrong = 0, m[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) m[i][j] = 10 * i + j;
#pragma omp target enter data map(to : m)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) m[i][j] += 100;
#pragma omp target update to(m[row : rows : step][column : columns])
#pragma omp target map(tofrom : wrong)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int moved = in(i, row, rows, step) && in(j, column, columns, 1);
      wrong += m[i][j] != expected(moved, 100 + 10 * i + j, 10 * i + j);
      m[i][j] = 200 + 10 * i + j;
    }
#pragma omp target update from(present : m[row : rows : step][column : columns])
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int moved = in(i, row, rows, step) && in(j, column, columns, 1);
      wrong += m[i][j] != expected(moved, 200 + 10 * i + j, 100 + 10 * i + j);
    }
#pragma omp target exit data map(delete : m)
  return wrong;
}

// A plane across a cube of run-time extents, and every other element of two of its lines.
static int cube(int n, int k) {
  int wrong = 0;
  short c[n][n + 1][n + 2];
  short(*lines)[n + 1][n + 2] = c;
  for (int i = 0; i < n * (n + 1) * (n + 2); i++) c[0][0][i] = (short)i;
#pragma omp target enter data map(to : c)
  for (int i = 0; i < n * (n + 1) * (n + 2); i++) c[0][0][i] += 1000;
#pragma omp target update to(c[0 : n][:][k], lines[1 : 1][1 : 2][1 : : 2])
#pragma omp target map(tofrom : wrong)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n + 1; j++)
      for (int l = 0; l < n + 2; l++) {
        int moved = l == k || (i == 1 && in(j, 1, 2, 1) && l % 2 == 1);
        int before = (i * (n + 1) + j) * (n + 2) + l;
        wrong += c[i][j][l] != expected(moved, 1000 + before, before);
      }
#pragma omp target exit data map(delete : c)
  return wrong;
}

struct part {
  int before, a[12];
  struct {
    double *p;
  } inner;
  float (*rows)[DEPTH];
  int after;
};

static int members(struct part *t, int stride) {
  int wrong = 0;
  struct part s = *t;
  double *p = s.inner.p;
  float(*rows)[DEPTH] = t->rows;
  for (int i = 0; i < 12; i++) s.a[i] = i, p[i] = i, rows[i / DEPTH][i % DEPTH] = (float)i;
#pragma omp target enter data map(to : s, s.inner.p[0 : 12], rows[0 : 3])
  for (int i = 0; i < 12; i++) s.a[i] += 50, p[i] += 60, rows[i / DEPTH][i % DEPTH] += 70;
#pragma omp target update to(s.a[0 : 4 : 3], s.inner.p[1 : 5 : stride], t->rows[0 : 3][1 : 2])
#pragma omp target map(tofrom : wrong)
  for (int i = 0; i < 12; i++) {
    wrong += s.a[i] != expected(i % 3 == 0, 50 + i, i);
    wrong += s.inner.p[i] != expected(in(i, 1, 5, stride), 60 + i, i);
    wrong += rows[i / DEPTH][i % DEPTH] != expected(i % DEPTH == 1 || i % DEPTH == 2, 70 + i, i);
    s.a[i] = 500 + i;
    s.inner.p[i] = 600 + i;
    rows[i / DEPTH][i % DEPTH] = (float)(700 + i);
  }
#pragma omp target update from(s.a[2 : 3 : 3], t->rows[1][0 : 2 : 2]) to(s.after) from(s.inner.p[stride : 4 : stride])
  for (int i = 0; i < 12; i++) {
    wrong += s.a[i] != expected(in(i, 2, 3, 3), 500 + i, 50 + i);
    wrong += p[i] != expected(in(i, stride, 4, stride), 600 + i, 60 + i);
    wrong += rows[i / DEPTH][i % DEPTH] != expected(i == 4 || i == 6, 700 + i, 70 + i);
  }
  wrong += s.inner.p != p;
#pragma omp target exit data map(delete : s.inner.p[0 : 12], rows[0 : 3], s)
  return wrong;
}

// What is not on the device does not move, and nothing is no harm.
static int absent(int *p, int none) {
  for (int i = 0; i < 9; i++) p[i] = i;
#pragma omp target update to(p[0 : 3 : 3]) from(p[1 : 3 : 2])
#pragma omp target update from(p[0 : none : 2]) if (none == 0)
  int wrong = 0;
  for (int i = 0; i < 9; i++) wrong += p[i] != i;
  return wrong;
}

struct ways {
  int *rows[2];
  struct {
    int *p;
  } inner;
};

#pragma omp declare mapper(parts : struct ways w) map(w.rows[0][0 : 2], w.inner.p[0 : 2])

// Pointers on the way to what moves stay as they are: on the device they lead to nothing here, and come not home.
static int ways(int *p, int none) {
  struct ways s = {{p, p}, {p}}, *q = &s;
  int *rows[2] = {p, p};
#pragma omp target data map(alloc : s, rows)
  {
    if (!shared) {
#pragma omp target map(alloc : s, rows)
      for (int i = 0; i < 2; i++) {
        if (i == 0) s.inner.p = 0;
        s.rows[i] = rows[i] = 0;
      }
    }
#pragma omp target update from(s.rows[0][none : 2], s.inner.p[0 : 2])
#pragma omp target update from(q->rows[1][0 : 3 : 2], rows[0][0 : 2]) from(rows[none + 1][1 : 2 : 3])
#pragma omp target update from(mapper(parts) : s)
  }
  return (s.rows[0] != p) + (s.rows[1] != p) + (s.inner.p != p) + (rows[0] != p) + (rows[1] != p);
}

int main(void) {
  int probe = 1, mapped = 0;
#pragma omp target map(to : probe) map(from : mapped)
  {
    probe = 2;
    mapped = 1;
  }
  shared = probe == 2;
#pragma omp target update to(shared)

  printf("stride 3: %d, 1: %d, 39: %d, none: %d\n", one_dimension(1, 13, 3), one_dimension(4, 30, 1),
         one_dimension(0, 2, 39), one_dimension(5, 0, 2));
  printf("block: %d, column: %d, rows: %d, every other row: %d, nothing: %d\n", block(1, 4, 1, 2, 3),
         block(0, ROWS, 1, 6, 1), block(2, 3, 1, 0, COLUMNS), block(0, 3, 2, 0, COLUMNS), block(1, 2, 1, 3, 0));
  printf("cube: %d, %d\n", cube(3, 0), cube(5, 6));

  float rows[3][DEPTH];
  struct part s = {1, {0}, {malloc(12 * sizeof(double))}, rows, 2};
  printf("members: %d, %d\n", members(&s, 2), members(&s, 1));
  printf("absent: %d\n", absent(malloc(9 * sizeof(int)), 0));
  printf("ways: %d\n", ways(malloc(9 * sizeof(int)), 0));
  printf("on a device: %d\n", mapped);
  return 0;
}
