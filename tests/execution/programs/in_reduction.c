/* in_reduction on target: the target task takes part in the reduction of a taskgroup or a parallel. */
#include <stdio.h>

enum { N = 100, K = 6 };

#pragma omp begin declare target
static void add(int *sum, int by) {
  for (int i = 0; i < N; i++) *sum += by;
}
#pragma omp end declare target

static long total = 5;

struct pair { int count; double weight; };
#pragma omp declare reduction(join : struct pair : omp_out.count += omp_in.count, omp_out.weight += omp_in.weight) \
    initializer(omp_priv = {0, 0})

static void taskgroups(int n) {
  int sum = 10, most = -1, table[K] = {0}, *heap = table;
  struct pair both = {1, 0.5};
#pragma omp parallel num_threads(4)
#pragma omp master
#pragma omp taskgroup task_reduction(+ : sum, table) task_reduction(max : most)
  {
    for (int t = 0; t < n; t++) {
#pragma omp target in_reduction(+ : sum)
      add(&sum, 2);
#pragma omp task in_reduction(+ : sum) in_reduction(max : most)
      {
        add(&sum, 1);
        if (most < t * 7 % 5) most = t * 7 % 5;
      }
#pragma omp target parallel for in_reduction(+ : table) num_threads(8) map(to : t)
      for (int i = 0; i < K; i++) table[i] += i + t;
#pragma omp target in_reduction(max : most) if (target : t % 2)
      if (most < t * 11 % 7) most = t * 11 % 7;
    }
  }
  printf("%d %d %d %d\n", sum, most, table[0], table[K - 1]);
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(join : both) task_reduction(* : heap[1 : 3])
  for (int t = 0; t < n; t++) {
#pragma omp target in_reduction(join : both) nowait
    {
      both.count += t;
      both.weight += 0.25;
    }
#pragma omp target in_reduction(* : heap[1 : 3]) firstprivate(t) depend(inout : table[0])
    for (int i = 1; i < 4; i++) heap[i] *= t == i ? -1 : 1;
  }
  printf("%d %g %d %d %d\n", both.count, both.weight, heap[1], heap[2], heap[3]);
}

static void others(int n) {
  int sum = 0, local = 3, part[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  double mean = 0;
#pragma omp parallel reduction(task, + : sum) num_threads(3)
  {
#pragma omp single
    for (int t = 0; t < n; t++) {
#pragma omp target teams distribute parallel for in_reduction(+ : sum) map(tofrom : sum) reduction(+ : sum) firstprivate(local)
      for (int i = 0; i < N; i++) sum += local;
    }
    sum += 0;
  }
  printf("%d\n", sum);
#pragma omp taskgroup task_reduction(+ : total, mean, part[2 : 4])
  {
#pragma omp target in_reduction(+ : total, mean) in_reduction(+ : part[2 : 4])
    {
      for (int i = 0; i < n; i++) {
        total += i;
        mean += 0.5;
        part[2 + i % 4] += i;
      }
    }
#pragma omp target in_reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < N; i++) total += i;
#pragma omp task in_reduction(+ : total)
    total += 1000;
  }
  printf("%ld %g %d %d %d %d\n", total, mean, part[1], part[2], part[5], part[6]);
}

static void elements(void) {
  int a[8] = {0}, m[3][4] = {{0}};
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : a[2], m[1 : 2][0 : 4])
  for (int t = 0; t < 9; t++) {
#pragma omp target in_reduction(+ : a[2])
    a[2] += t;
#pragma omp target nowait in_reduction(+ : m[1 : 2][0 : 4])
    for (int i = 1; i < 3; i++)
      for (int j = 0; j < 4; j++) m[i][j] += i * j + t;
#pragma omp target teams distribute parallel for in_reduction(+ : m[1 : 2][0 : 4]) collapse(2)
    for (int i = 1; i < 3; i++)
      for (int j = 0; j < 4; j++) m[i][j] += i * j + t;
  }
  printf("%d %d %d %d %d\n", a[2], m[1][0], m[1][3], m[2][2], m[2][3]);
}

int main(void) {
  taskgroups(8);
  others(9);
  elements();
  return 0;
}
