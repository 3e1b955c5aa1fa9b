/* Iterators in map, to and from: as many entries as the run asks for. clang 19 makes one entry of an iterator in map and
   knows none in to and from; its build has the items spelled out. */
#include "shape.h"

#define N 4

struct line {
  int length;
  double *values;
};

static double storage[N][N];

static void fill(void) {
  for (int i = 0; i < N * N; i++) storage[i / N][i % N] = i;
}

static void rows_of_pointers(void) {
  static double *p[N];
  fill();
  for (int i = 0; i < N; i++) p[i] = storage[i];
  shape("enter data iterator: p[i][0:n], exit data the same");
  NOTE(p), NOTE(storage);
#ifndef SPELLED_OUT
#pragma omp target enter data map(iterator(int i = 0 : 2), to : p[i][0 : N])
#pragma omp target exit data map(iterator(int i = 0 : 2), from : p[i][0 : N])
#else
#pragma omp target enter data map(to : p[0][0 : N], p[1][0 : N])
#pragma omp target exit data map(from : p[0][0 : N], p[1][0 : N])
#endif
  check(storage[1][1] == N + 1);
}

static void updated_rows(void) {
  fill();
  shape("update from iterator: every second row");
  NOTE(storage);
#pragma omp target data map(to : storage)
  {
#pragma omp target
    for (int i = 0; i < N * N; i++) storage[i / N][i % N] = -1;
#ifndef SPELLED_OUT
#pragma omp target update from(iterator(int i = 0 : N : 2) : storage[i][0 : N])
#else
#pragma omp target update from(storage[0][0 : N])
#pragma omp target update from(storage[2][0 : N])
#endif
  }
  check(storage[0][0] == -1 && storage[1][0] == N && storage[2][3] == -1 && storage[3][1] == 3 * N + 1);
}

static void elements(int n) {
  int a[N] = {1, 2, 3, 4};
  shape("update to iterator: a[i], bounds of the run");
  NOTE(a);
  int sum = 0;
  NOTE(sum);
#pragma omp target data map(to : a)
  {
    for (int i = 0; i < N; i++) a[i] = 10;
#ifndef SPELLED_OUT
#pragma omp target update to(iterator(i = 1 : n) : a[i])
#else
#pragma omp target update to(a[1])
#pragma omp target update to(a[2])
#endif
#pragma omp target map(from : sum)
    sum = a[0] + a[1] + a[2] + a[3];
  }
  check(sum == 1 + 10 * (n - 1) + (n < N ? 4 : 0));
}

static void kernel_items(void) {
  static double *p[N];
  int r = 0;
  fill();
  for (int i = 0; i < N; i++) p[i] = storage[i];
  shape("target data iterator: p[i][l:n] to");
  NOTE(p), NOTE(storage), NOTE(r);
#ifndef SPELLED_OUT
#pragma omp target data map(iterator(int i = 1 : 3), to : p[i][1 : 2])
#else
#pragma omp target data map(to : p[1][1 : 2], p[2][1 : 2])
#endif
  {
#pragma omp target map(from : r) map(present, alloc : storage[2][1 : 2])
    r = (int)storage[2][2];
  }
  check(r == 2 * N + 2);
}

static void sections_of_an_array(int n) {
  int a[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  shape("enter and exit data iterator: a[4*i:2]");
  NOTE(a);
#ifndef SPELLED_OUT
#pragma omp target enter data map(iterator(i = 0 : n), to : a[4 * i : 2])
#else
#pragma omp target enter data map(to : a[0 : 2], a[4 : 2], a[8 : 2])
#endif
#pragma omp target map(a[4 : 2])
  a[5] = 60;
#ifndef SPELLED_OUT
#pragma omp target exit data map(iterator(i = 0 : n), from : a[4 * i : 2])
#else
#pragma omp target exit data map(from : a[0 : 2], a[4 : 2], a[8 : 2])
#endif
  check(a[5] == 60 && a[9] == 10);
}

int main(void) {
  RUN(rows_of_pointers());
  RUN(updated_rows());
  RUN(elements(3));
  RUN(kernel_items());
  RUN(sections_of_an_array(3));
  return 0;
}
