// Combined constructs that begin with a parallel and are no loops, alone in their regions; blocks made by macros.
#include <omp.h>
#include <stdio.h>

#define N 100
#define CHECK(errors, condition) { \
  int failed = (condition); \
  errors += failed; \
}
#define BOTH(i) { x[i]++; y[i]--; }

static void master(int *x) {
#pragma omp target map(tofrom : x[0 : N])
  {
#pragma omp parallel master num_threads(4) shared(x)
    {
#pragma omp taskloop
      for (int i = 0; i < N; i++) x[i] += i;
      x[0] += omp_get_thread_num();
    }
  }
}

static void loops(int *x) {
#pragma omp target map(tofrom : x[0 : N])
#pragma omp parallel master taskloop num_threads(4)
  for (int i = 0; i < N; i++) x[i] += 2 * i;
#pragma omp target map(tofrom : x[0 : N])
#pragma omp parallel master taskloop simd
  for (int i = 0; i < N; i++) x[i] += 3 * i;
}

static void sections(int *x) {
#pragma omp target teams num_teams(1) map(tofrom : x[0 : N])
  {
#pragma omp parallel sections
    {
#pragma omp section
      x[1] += 11;
#pragma omp section
      x[2] += 22;
    }
#pragma omp parallel master
    x[3] += 33;
  }
}

static int macros(int *x, int *y) {
  int errors = 0;
#pragma omp target map(tofrom : errors, x[0 : N], y[0 : N])
  {
    CHECK(errors, x[1] != y[1]);
#pragma omp parallel for
    for (int i = 0; i < N; i++) BOTH(i)
    for (int i = 0; i < N; i++) {
      CHECK(errors, x[i] != y[i] + 2);
    }
    BOTH(0)
    CHECK(errors, x[0] != y[0] + 4 );
    if (x[0] == y[0]) CHECK(errors, x[0] == y[0]) else CHECK(errors, 0)
  }
  return errors;
}

int main(void) {
  int x[N], y[N], sum = 0;
  for (int i = 0; i < N; i++) x[i] = 1;
  master(x);
  loops(x);
  sections(x);
  for (int i = 0; i < N; i++) {
    sum += x[i];
    y[i] = x[i];
  }
  printf("%d %d %d %d\n", sum, x[1], x[2], x[3]);
  printf("%d\n", macros(x, y));
  printf("%d %d\n", x[0] - y[0], x[9] - y[9]);
  return 0;
}
