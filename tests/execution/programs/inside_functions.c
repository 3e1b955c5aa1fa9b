/* Constructs in functions that regions call: they belong to the team of the caller. */
#include <omp.h>
#include <stdio.h>

#define N 120
#pragma omp declare target
static int a[N];
static int shared_count = 0, right = 0, threads = 0;

static void fill(int *p, int n) {
#pragma omp for
  for (int i = 0; i < n; i++) p[i] = 3 * i;
}

static void chunks(int *p, int n, int chunk) {
#pragma omp for schedule(dynamic, chunk) nowait
  for (int i = n - 1; i >= 0; i--) p[i] += i;
#pragma omp barrier
#pragma omp for collapse(2)
  for (int i = 0; i < 10; i++)
    for (long k = 0; k < 12; k++) p[i * 12 + k] ^= 5;
}

static void total(const int *p, int n, int *sum, int *most, int *last) {
  int i, own = *sum;
#pragma omp for private(own) schedule(static, 5)
  for (i = 0; i < n; i++) {
    own = p[i];
#pragma omp critical(most)
    if (own > *most) *most = own;
#pragma omp atomic
    *sum += own;
  }
#pragma omp single
  *last = p[n - 1];
}

static void deeper(int *p, int depth) {
  if (depth > 0) {
    deeper(p, depth - 1);
    return;
  }
#pragma omp single nowait
  p[0] += 1000;
#pragma omp masked
  p[1] += 2000;
#pragma omp sections
  {
#pragma omp section
    p[2] += 3000;
#pragma omp section
    {
      p[3] += 4000;
    }
  }
  int got = -1;
#pragma omp single copyprivate(got)
  got = p[3];
#pragma omp critical
  {
    right += got == p[3];
    threads++;
  }
#pragma omp barrier
#pragma omp masked
  {
    p[4] += right == threads;
    right = threads = 0;
  }
#pragma omp barrier
}

static int squares(int n) {
  int sum = 0, extra = 2;
#pragma omp parallel for reduction(+ : sum) firstprivate(extra)
  for (int i = 0; i < n; i++) sum += i * i + extra - 2;
#pragma omp parallel
  {
    int mine = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++) mine += i;
#pragma omp critical
    sum += mine;
  }
#pragma omp simd reduction(+ : sum) linear(extra)
  for (int i = 0; i < n; i++) {
    sum += extra;
    extra++;
  }
  return sum;
}

static void bound_loops(int *p, int n) {
#pragma omp loop bind(parallel)
  for (int i = 0; i < n; i++) p[i] += 11;
#pragma omp loop bind(thread)
  for (int i = 0; i < 3; i++) {
#pragma omp atomic
    p[i] += 0;
  }
}
#pragma omp end declare target

static void show(const char *what, int n) {
  long long sum = 0;
  for (int i = 0; i < n; i++) sum += (long long)(i + 1) * a[i];
  printf("%s: %lld\n", what, sum);
}

static void in_parallel(void) {
  int sum = 0, most = 0, last = 0;
#pragma omp target parallel map(tofrom : sum, most, last) num_threads(14)
  {
    fill(a, N);
    chunks(a, N, 4);
    total(a, N, &sum, &most, &last);
    deeper(a, 6);
    bound_loops(a, N);
#pragma omp single
    shared_count = squares(10);
  }
#pragma omp target update from(a, shared_count)
  printf("in parallel: %d %d %d %d\n", sum, most, last, shared_count);
  show("in parallel", N);
}

static void alone(void) {
  int sum = 0, most = 0, last = 0;
#pragma omp target map(tofrom : sum, most, last)
  {
    fill(a, N);
    chunks(a, N, 4);
    total(a, N, &sum, &most, &last);
    deeper(a, 2);
    bound_loops(a, N);
    shared_count = squares(12);
  }
#pragma omp target update from(a, shared_count)
  printf("alone: %d %d %d %d\n", sum, most, last, shared_count);
  show("alone", N);
}

static void in_loops(void) {
  int each[N];
#pragma omp target teams distribute parallel for map(from : each)
  for (int i = 0; i < N; i++) each[i] = squares(i % 9);
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += (long long)each[i] * (i + 1);
  printf("in loops: %lld\n", sum);
}

int main(void) {
#pragma omp target update to(a)
  in_parallel();
  alone();
  in_loops();
  return 0;
}
