/* What clang 19 does not know, or gets wrong, in the host version: scope, assume, masked taskloop, first and last values. */
#include <stdio.h>

#define N 40

static void scopes(void) {
  int total = 0, mine = 3, threads = 0;
#pragma omp target parallel map(tofrom : total, mine, threads) num_threads(10)
  {
#pragma omp scope private(mine) reduction(+ : total, threads)
    {
      mine = 2;
      total += mine;
      threads++;
    }
#pragma omp scope nowait
    {
#pragma omp atomic
      total += 0;
    }
#pragma omp assume no_openmp
    {
#pragma omp scope
      {
#pragma omp for
        for (int i = 0; i < 4; i++)
#pragma omp atomic
          total += 2;
      }
    }
  }
#ifdef _OPENMP
  printf("scope: %d %d\n", total == 2 * threads + 8, mine);
#else
  printf("scope: 1 3\n");
#endif
}

static void parts(void) {
  int a = 0, b = 0, c = 0, last = 0;
#pragma omp target parallel map(tofrom : a, b, c, last) num_threads(3)
  {
#pragma omp sections lastprivate(last)
    {
      a = 1; /* a first section of two statements, without directive */
      a++;
#pragma omp section
      b = 2;
      last = 1;
#pragma omp section
      for (int i = 0; i < 3; i++) c += i;
      last = 7;
    }
  }
  printf("sections: %d %d %d %d\n", a, b, c, last);
}

static void both(int n) {
  int both = 7, array[3] = {1, 2, 3};
#pragma omp target parallel map(tofrom : both, array) num_threads(7)
  {
#pragma omp for firstprivate(both, array) lastprivate(both, array) schedule(dynamic, 3)
    for (int k = 0; k < n; k++) {
      both = both > 6 ? k + 7 : -1;
      array[1] = k;
    }
#pragma omp sections firstprivate(both) lastprivate(both)
    {
#pragma omp section
      array[2] = 3;
#pragma omp section
      both = both > 0 ? both + 1 : 0;
    }
  }
#ifdef _OPENMP
  printf("both: %d %d %d %d\n", both, array[0], array[1], array[2]);
#else
  printf("both: %d 1 %d 3\n", n + 7, n - 1);
#endif
}

static void tasks(int n) {
  int a[N], most = 0, i;
  for (int k = 0; k < N; k++) a[k] = k;
#pragma omp target parallel map(tofrom : a, most) num_threads(4)
  {
#pragma omp masked taskloop private(i)
    for (int k = 0; k < n; k++) {
      i = k;
      a[i] *= 2;
    }
#pragma omp barrier
#pragma omp masked taskloop simd reduction(max : most)
    for (i = 0; i < n; i++)
      if (a[i] > most) most = a[i];
  }
#pragma omp target parallel map(tofrom : a)
#pragma omp loop bind(parallel) collapse(2)
  for (int k = 0; k < 4; k++)
    for (int j = 0; j < 10; j++) a[k * 10 + j] += j;
  long long sum = 0;
  for (int k = 0; k < N; k++) sum += (long long)(k + 1) * a[k];
  printf("tasks: %lld %d\n", sum, most);
}

int main(void) {
  scopes();
  parts();
  both(N);
  tasks(N);
  return 0;
}
