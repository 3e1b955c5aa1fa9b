/* Parallels inside of parallels: one thread executes each; OpenMP's routines say so. */
#include <omp.h>
#include <stdio.h>

#define N 96
static int a[N], b[N];

static long long weighed(const int *p) {
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += (long long)(i + 1) * p[i];
  return sum;
}

static void clauses(void) {
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) {
    int sum = i, own = 5, first = 7, last = -1, all[3] = {1, 2, 3}, most = -100, seen = 0, given = 3, kept = 9;
#pragma omp parallel private(own) firstprivate(first, all) num_threads(4) if (i > 3) proc_bind(close)
    {
      own = 1;
      first += own;
      all[1] += first;
#pragma omp single
      seen = all[1];
    }
#pragma omp parallel for reduction(+ : sum) firstprivate(given) lastprivate(last) schedule(dynamic, 2)
    for (int k = 0; k < 4; k++) {
      sum += b[(i + k) % N] + given;
      last = k;
    }
#pragma omp parallel for simd reduction(max : most) collapse(2)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 2; j++) most = most > b[(i + k + j) % N] ? most : b[(i + k + j) % N];
#pragma omp parallel sections reduction(+ : sum) lastprivate(last)
    {
#pragma omp section
      sum += 100;
#pragma omp section
      {
        sum += 200;
        last += 10;
        last = 14;
      }
    }
#pragma omp parallel master
    sum += 1000;
#pragma omp parallel default(firstprivate) shared(sum)
    {
#pragma omp critical
      sum += last + kept;
      kept = 12345;
    }
#ifdef _OPENMP
    a[i] += own != 5 || first != 7 || all[1] != 2 || kept != 9;
#endif
    a[i] += sum * 3 + last + most + seen;
  }
  printf("clauses: %lld\n", weighed(a));
}

static void shared_by_block(void) {
  int total = 0, rounds = 0;
#pragma omp target parallel map(tofrom : a, total, rounds) map(to : b) num_threads(21)
  {
    int mine = 0;
#pragma omp for
    for (int i = 0; i < N; i++) {
      int j;
#pragma omp parallel for
      for (j = 0; j < 4; j++) {
#pragma omp atomic
        a[(i + j) % N] += b[j];
      }
#pragma omp parallel
#pragma omp for reduction(+ : mine)
      for (int k = 0; k < 3; k++) mine += k;
    }
#pragma omp atomic
    total += mine;
#pragma omp parallel
    {
#pragma omp parallel
      {
#pragma omp barrier
#pragma omp masked
#pragma omp atomic
        rounds++;
      }
    }
#pragma omp barrier
#pragma omp single
    rounds = rounds == omp_get_num_threads();
  }
  printf("shared: %lld %d %d\n", weighed(a), total, rounds);
}

static int inner_thread(void) { return omp_get_thread_num(); }
static int asks(void) { return omp_get_level() * 100 + omp_in_parallel() * 10 + omp_get_num_threads(); }

static void routines(void) {
  int wrong[8] = {0, 0, 0, 0, 0, 0, 0, 0}, threads = 0, n = N;
#pragma omp target parallel map(tofrom : wrong, threads) num_threads(10)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
#ifdef _OPENMP
    const int several = all > 1;
    if (me < 0 || me >= all) wrong[0]++;
    if (omp_get_level() != 1 || omp_in_parallel() != several || omp_get_active_level() != several) wrong[1]++;
    if (omp_get_ancestor_thread_num(1) != me || omp_get_team_size(1) != all || omp_get_ancestor_thread_num(0) != 0)
      wrong[2]++;
    if (omp_get_team_size(omp_get_level() + 1) != -1 || omp_get_ancestor_thread_num(-1) != -1) wrong[2]++;
    if (inner_thread() != me || asks() != 100 + several * 10 + all) wrong[3]++;
    if (omp_get_team_num() != 0 || omp_get_num_teams() != 1) wrong[4]++;
#pragma omp parallel num_threads(3)
    {
      /* an implementation may run it with more threads: those tell nothing */
      if (omp_get_num_threads() == 1) {
        if (omp_get_thread_num() != 0 || omp_get_level() != 2 || omp_in_parallel() != several) wrong[5]++;
        if (omp_get_ancestor_thread_num(1) != me || omp_get_ancestor_thread_num(2) != 0 || omp_get_team_size(1) != all)
          wrong[5]++;
        if (inner_thread() != 0 || asks() != 200 + several * 10 + 1) wrong[6]++;
#pragma omp parallel
        if (omp_get_level() != 3 || asks() / 100 != 3 || omp_get_ancestor_thread_num(omp_get_level() - 2) != me)
          wrong[7]++;
      }
    }
    if (inner_thread() != me || asks() != 100 + several * 10 + all) wrong[3]++;
#endif
#pragma omp for
    for (int i = 0; i < n; i++)
      if (omp_get_thread_num() != me) wrong[0]++;
#pragma omp masked
    threads = all;
  }
  int sum = 0;
  for (int i = 0; i < 8; i++) sum += wrong[i];
  printf("routines: %d %d\n", sum, threads >= 1 && threads <= 10);
}

#define ASK omp_get_thread_num()
#define PUT(where, what) where = what

static void macros(void) {
  int numbers[32], sum = 0;
  for (int i = 0; i < 32; i++) numbers[i] = 0;
#pragma omp target parallel map(tofrom : numbers, sum) num_threads(32)
  {
    int (*asking)(void) = omp_get_thread_num;
    numbers[ASK % 32]++;
    PUT(int me, omp_get_thread_num());
#pragma omp parallel num_threads(1)
    PUT(me, me + ASK + asking());
#pragma omp atomic
    sum += me == asking() && me == ASK;
  }
  int threads = 0;
  for (int i = 0; i < 32; i++) threads += numbers[i];
  printf("macros: %d\n", threads == sum && sum > 0);
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = (i * 7) % 23;
  clauses();
  shared_by_block();
  routines();
  macros();
  return 0;
}
