/* Teams that reduce: several variables at once, every operator, values of all sizes, variables that are on the device or
   are not, launches that overlap, more teams than before. */
#include <stdbool.h>
#include <stdio.h>

#define N 20011

struct sums {
  double values[40];
  int count;
};
#pragma omp declare reduction(sums : struct sums : omp_out.count += omp_in.count, omp_out.values[0] += omp_in.values[0], \
                              omp_out.values[39] += omp_in.values[39]) initializer(omp_priv = (struct sums){{0}, 0})
#pragma omp declare reduction(low : short : omp_out = omp_in < omp_out ? omp_in : omp_out) initializer(omp_priv = 32767)

static int x[N];
static int everywhere = 3;
#pragma omp declare target to(everywhere)

static void operators(void) {
  double sum = 1, product = 1;
  float greatest = -1, least = 1e9f;
  int all = -1, any = 0, odd = 5, every = 1, some = 0;
  char small = 3;
  unsigned long wide = 7;
  bool none = true;
  short low = 99;
  struct sums both = {{1}, 2};
#pragma omp target teams distribute parallel for map(to : x) reduction(+ : sum, small, wide) reduction(max : greatest) \
    reduction(min : least) reduction(& : all) reduction(| : any) reduction(^ : odd) reduction(&& : every, none)        \
    reduction(|| : some) reduction(* : product) reduction(sums : both) reduction(low : low)
  for (int i = 0; i < N; i++) {
    sum += x[i], small += x[i], wide += x[i];
    greatest = x[i] > greatest ? x[i] : greatest;
    least = x[i] < least ? x[i] : least;
    all &= ~(1 << x[i] % 7), any |= 1 << x[i] % 9, odd ^= x[i];
    every = every && x[i] >= 0, none = none && x[i] != 77, some = some || x[i] == 5;
    if (i % 1000 == 0) product *= 2;
    if (x[i] < low && x[i] > 11) low = x[i];
    both.count += i, both.values[0] += 1, both.values[39] += 2;
  }
  printf("%g %d %lu %g %g\n", sum, small, wide, greatest, least);
  printf("%x %x %d %d %d %d %g %d\n", all, any, odd, every, none, some, product, low);
  printf("%d %g %g %g\n", both.count, both.values[0], both.values[20], both.values[39]);
}

static int on_device(void) {
  int count = 1;
#pragma omp target data map(tofrom : count)
  {
#pragma omp target teams distribute parallel for reduction(+ : count)
    for (int i = 0; i < N; i++) count += 1;
#pragma omp target teams distribute parallel for reduction(+ : count) num_teams(3) num_threads(37)
    for (int i = 0; i < N; i++) count += 2;
#pragma omp target map(tofrom : count)
    count *= 2;
  }
  return count;
}

static void on_all_devices(void) {
#pragma omp target teams distribute parallel for reduction(+ : everywhere)
  for (int i = 0; i < N; i++) everywhere += x[i] & 1;
#pragma omp target update from(everywhere)
  printf("%d\n", everywhere);
}

static void overlapping(void) {
  long sums[8] = {0};
  for (int k = 0; k < 8; k++) {
    long *sum = &sums[k];
#pragma omp target teams distribute parallel for map(to : x) map(tofrom : sum[0]) reduction(+ : sum[0]) nowait
    for (int i = 0; i < N; i++) sum[0] += x[i] * k;
  }
  long a = 1, b = 2;
#pragma omp target teams distribute parallel for map(to : x) reduction(+ : a) map(tofrom : a) nowait
  for (int i = 0; i < N; i++) a += x[i];
#pragma omp target teams distribute parallel for map(to : x) reduction(max : b) map(tofrom : b) nowait
  for (int i = 0; i < N; i++) b = x[i] > b ? x[i] : b;
#pragma omp taskwait
  for (int k = 0; k < 8; k++) printf("%ld ", sums[k]);
  printf("%ld %ld\n", a, b);
}

static void by_many_threads(void) {
  long total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(4)
  for (int k = 0; k < 40; k++) {
    int count = k;
#pragma omp target teams distribute parallel for reduction(+ : count) num_teams(1 + k)
    for (int i = 0; i < 1000; i++) count += 1;
    total += count;
  }
  printf("%ld\n", total);
}

static void geometries(void) {
  int one_team = 1, few = 2, many = 3, none = 4, threads = 5;
#pragma omp target parallel for reduction(+ : one_team) num_threads(50)
  for (int i = 0; i < N; i++) one_team += 1;
#pragma omp target teams distribute reduction(+ : few) num_teams(5)
  for (int i = 0; i < N; i++) few += 1;
#pragma omp target teams distribute parallel for reduction(+ : many) num_teams(5000) thread_limit(32)
  for (int i = 0; i < N; i++) many += 1;
#pragma omp target teams distribute parallel for reduction(+ : none)
  for (int i = 0; i < 0; i++) none += 1;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : threads) num_threads(1000)
  for (int i = 0; i < 100; i++)
    for (int j = 0; j < 7; j++) threads += 1;
  printf("%d %d %d %d %d\n", one_team, few, many, none, threads);
}

// Chunks of a loop that has no iterations: teams reduce all the same.
static void chunks(int n) {
  unsigned sum = 5, most = 3;
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most) dist_schedule(static, 64)
  for (int i = 0; i < n; i++) {
    sum += i;
    if (most < (unsigned)i) most = i;
  }
  printf("chunks %d: %u %u\n", n, sum, most);
}

int main(void) {
  chunks(0), chunks(-3), chunks(1), chunks(1000);
  for (int i = 0; i < N; i++) x[i] = (i * 7919) % 1009;
  for (int round = 0; round < 2; round++) {
    operators();
    printf("%d\n", on_device());
    overlapping();
    by_many_threads();
    geometries();
  }
  on_all_devices();
  return 0;
}
