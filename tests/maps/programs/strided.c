/* target update with strides and gaps: descriptors of dimensions where the bytes are not contiguous. */
#include "shape.h"

#define N 12

struct holder {
  int a;
  double b[N];
  int *p;
};

static void every_second(void) {
  int a[N] = {0}, good = 1;
  shape("update from a[0:n:2]");
  NOTE(a), NOTE(good);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < N; i++) a[i] = 100 + i;
#pragma omp target update from(a[0 : 6 : 2])
    for (int i = 0; i < N; i++) good &= a[i] == (i % 2 == 0 ? 100 + i : 0);
  }
  check(good);
}

static void every_third_to(void) {
  int a[N] = {0}, r = 0;
  shape("update to a[1:n:3]");
  NOTE(a), NOTE(r);
#pragma omp target data map(to : a)
  {
    for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target update to(a[1 : 3 : 3])
#pragma omp target map(from : r)
    {
      r = 1;
      for (int i = 0; i < N; i++) r &= a[i] == (i % 3 == 1 && i < 9 ? i : 0);
    }
  }
  check(r);
}

static void columns(void) {
  int a[4][6], good = 1;
  for (int i = 0; i < 24; i++) a[i / 6][i % 6] = 0;
  shape("update from a[0:n][l:m], a block");
  NOTE(a), NOTE(good);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < 24; i++) a[i / 6][i % 6] = 100 + i;
#pragma omp target update from(a[0 : 4][2 : 3])
    for (int i = 0; i < 24; i++) good &= a[i / 6][i % 6] == (i % 6 >= 2 && i % 6 < 5 ? 100 + i : 0);
  }
  check(good);
}

static void rows_with_a_stride(void) {
  int a[5][4], good = 1;
  for (int i = 0; i < 20; i++) a[i / 4][i % 4] = 0;
  shape("update from a[0:n:2][0:m]");
  NOTE(a), NOTE(good);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < 20; i++) a[i / 4][i % 4] = 100 + i;
#pragma omp target update from(a[0 : 3 : 2][0 : 4])
    for (int i = 0; i < 20; i++) good &= a[i / 4][i % 4] == (i / 4 % 2 == 0 ? 100 + i : 0);
  }
  check(good);
}

static void both_strides(void) {
  int a[5][6], good = 1;
  for (int i = 0; i < 30; i++) a[i / 6][i % 6] = 0;
  shape("update from a[1:n:2][0:m:3]");
  NOTE(a), NOTE(good);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < 30; i++) a[i / 6][i % 6] = 100 + i;
#pragma omp target update from(a[1 : 2 : 2][0 : 2 : 3])
    for (int i = 0; i < 30; i++) good &= a[i / 6][i % 6] == (i / 6 % 2 == 1 && i % 6 % 3 == 0 ? 100 + i : 0);
  }
  check(good);
}

static void block_of_three(void) {
  int a[3][4][5], good = 1;
  for (int i = 0; i < 60; i++) a[i / 20][i / 5 % 4][i % 5] = 0;
  shape("update from a[l:n][l:m][l:k], a block of three dimensions");
  NOTE(a), NOTE(good);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < 60; i++) a[i / 20][i / 5 % 4][i % 5] = 100 + i;
#pragma omp target update from(a[1 : 2][1 : 2][2 : 2])
    for (int i = 0; i < 60; i++) {
      const int in = i / 20 >= 1 && i / 5 % 4 >= 1 && i / 5 % 4 < 3 && i % 5 >= 2 && i % 5 < 4;
      good &= a[i / 20][i / 5 % 4][i % 5] == (in ? 100 + i : 0);
    }
  }
  check(good);
}

static void pointer_stride(int n) {
  double *p = malloc((size_t)n * sizeof *p);
  int good = 1;
  for (int i = 0; i < n; i++) p[i] = 0;
  shape("update from p[l:n:2]");
  NOTE(p), note("*p", p, (size_t)n * sizeof *p), NOTE(good);
#pragma omp target data map(to : p[0 : n])
  {
#pragma omp target
    for (int i = 0; i < n; i++) p[i] = 100 + i;
#pragma omp target update from(p[1 : n / 2 : 2])
    for (int i = 0; i < n; i++) good &= p[i] == (i % 2 == 1 ? 100 + i : 0);
  }
  check(good);
  free(p);
}

static void pointer_to_rows(void) {
  int(*q)[4] = malloc(3 * sizeof *q), good = 1;
  for (int i = 0; i < 12; i++) q[i / 4][i % 4] = 0;
  shape("update from q[0:n][l:m] of a pointer to arrays");
  NOTE(q), note("*q", q, 3 * sizeof *q), NOTE(good);
#pragma omp target data map(to : q[0 : 3])
  {
#pragma omp target
    for (int i = 0; i < 12; i++) q[i / 4][i % 4] = 100 + i;
#pragma omp target update from(q[0 : 3][1 : 2])
    for (int i = 0; i < 12; i++) good &= q[i / 4][i % 4] == (i % 4 == 1 || i % 4 == 2 ? 100 + i : 0);
  }
  check(good);
  free(q);
}

static void stride_of_one(void) {
  int a[N] = {0};
  shape("update from a[l:n:1], contiguous");
  NOTE(a);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < N; i++) a[i] = 100 + i;
#pragma omp target update from(a[2 : 4 : 1])
  }
  check(a[1] == 0 && a[2] == 102 && a[5] == 105 && a[6] == 0);
}

static void stride_of_the_run(int stride) {
  int a[N] = {0}, good = 1;
  shape("update from a[0:n:s], stride of the run");
  NOTE(a), NOTE(good);
#pragma omp target data map(to : a)
  {
#pragma omp target
    for (int i = 0; i < N; i++) a[i] = 100 + i;
#pragma omp target update from(a[0 : 3 : stride])
    for (int i = 0; i < N; i++) good &= a[i] == (i % stride == 0 ? 100 + i : 0);
  }
  check(good);
}

static void two_strided_items(void) {
  int a[N] = {0}, b[N] = {0}, good = 1;
  shape("update from a[0:n:2] and b[1:n:2] in one clause");
  NOTE(a), NOTE(b), NOTE(good);
#pragma omp target data map(to : a, b)
  {
#pragma omp target
    for (int i = 0; i < N; i++) a[i] = b[i] = 100 + i;
#pragma omp target update from(a[0 : 6 : 2], b[1 : 6 : 2])
    for (int i = 0; i < N; i++) good &= (a[i] != 0) == (i % 2 == 0) && (b[i] != 0) == (i % 2 == 1);
  }
  check(good);
}

static void strided_and_plain(void) {
  int a[N] = {0}, x = 0, good = 1;
  shape("update from a[0:n:2] present, and x");
  NOTE(a), NOTE(x), NOTE(good);
#pragma omp target data map(to : a, x)
  {
#pragma omp target map(x)
    for (int i = 0; i < N; i++) a[i] = x = 100 + i;
#pragma omp target update from(present : a[0 : 6 : 2]) from(x)
    for (int i = 0; i < N; i++) good &= (a[i] != 0) == (i % 2 == 0);
  }
  check(good && x == 100 + N - 1);
}

static void member_with_a_stride(void) {
  struct holder s = {1, {0}, 0};
  int good = 1;
  shape("update from s.b[0:n:2]");
  NOTE(s), NOTE(good);
#pragma omp target data map(to : s)
  {
#pragma omp target
    for (int i = 0; i < N; i++) s.b[i] = 100 + i;
#pragma omp target update from(s.b[0 : 6 : 2])
    for (int i = 0; i < N; i++) good &= s.b[i] == (i % 2 == 0 ? 100 + i : 0);
  }
  check(good);
}

int main(void) {
  RUN(every_second());
  RUN(every_third_to());
  RUN(columns());
  RUN(rows_with_a_stride());
  RUN(both_strides());
  RUN(block_of_three());
  RUN(pointer_stride(N));
  RUN(pointer_to_rows());
  RUN(stride_of_one());
  RUN(stride_of_the_run(4));
  RUN(two_strided_items());
  RUN(strided_and_plain());
  RUN(member_with_a_stride());
  return 0;
}
