#include <stdio.h>
#include <omp.h>
#include "lib.h"
int twice(int x);
static int helper(int x) { return x + 1; }
int odd(int n);
#pragma omp declare target
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
#pragma omp end declare target
int use(int x) {
  int r;
#pragma omp target map(from : r)
  r = helper(x);
  return r;
}
int main(void) {
  int r = 0, sum = 0, a[64] = {0}, t[8];
#pragma omp target map(from : r)
  r = scale(20) + helper(1) + even(7);
  printf("%d\n", r);
#pragma omp target parallel num_threads(8) map(from : t)
  t[omp_get_thread_num()] = thread_of();
  for (int i = 0; i < 8; i++) printf("%d ", t[i]);
#pragma omp target teams distribute parallel for num_teams(4) map(tofrom : sum)
  for (int i = 0; i < 1000; i++) {
    add_locked(&sum, 1);
#pragma omp critical(sums)
    sum += 1;
  }
  printf("%d\n", sum);
#pragma omp target parallel num_threads(8) map(tofrom : a)
  share(a, 64);
  for (int i = 0; i < 64; i++) r += a[i] == i ? 1 : 1000;
  printf("%d\n", r);
  table[2] = 50;
#pragma omp target update to(table)
#pragma omp target map(from : r)
  r = from_table(2) + table[1] + depth(5);
  printf("%d %d\n", r, use(4) + twice(5));
  return 0;
}
