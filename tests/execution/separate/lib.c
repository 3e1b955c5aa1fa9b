#include <omp.h>
#include "lib.h"
static int helper(int x) { return x * 2; }
int table[4] = {1, 2, 3, 4};
int scale(int x) { return helper(x); }
int thread_of(void) { return omp_get_thread_num() + 100 * omp_get_num_threads(); }
void add_locked(int *sum, int v) {
#pragma omp critical(sums)
  *sum += v;
}
void share(int *a, int n) {
#pragma omp for
  for (int i = 0; i < n; i++) a[i] = i;
}
int depth(int n) { return n ? 1 + depth(n - 1) : 0; }
int from_table(int i) { return table[i]; }
int use2(int x) {
  int r;
#pragma omp target map(from : r)
  r = helper(x);
  return r;
}
int twice(int x) { return use2(x); }
