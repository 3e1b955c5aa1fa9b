// Directives in attributes: alone, in sequences, in macros, with semicolons, in templates; on the device and the host.
#include <cstdio>

#define PARALLEL(clauses) [[omp::directive(parallel for clauses)]]

[[omp::decl(declare simd)]] int square(int x);
int square(int x) { return x * x; }

int shared_with_device[8];
[[omp::directive(declare target(shared_with_device))]];

template <class T> T total(const T *values, int n) {
  T sum = 0;
  [[omp::directive(target teams distribute parallel for map(to : values[0 : n]) reduction(+ : sum))]]
  for (int i = 0; i < n; i++) sum += values[i];
  return sum;
}

int main() {
  int sum = 0, a[64], n = 64;
  double d[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; i++) a[i] = -1;
  [[omp::directive(target teams distribute parallel for map(from : a[0 : n]))]]
  for (int i = 0; i < n; i++) a[i] = i;
  [[using omp : directive(parallel for, reduction(+ : sum))]] for (int i = 0; i < n; i++) sum += a[i];
  printf("%d\n", sum);
  [[omp::sequence(directive(target map(tofrom : sum)), omp::directive(teams),
                  directive(distribute parallel for reduction(+ : sum)))]]
  for (int i = 0; i < n; i++) sum += a[i];
  printf("%d\n", sum);
  PARALLEL(reduction(+ : sum)) for (int i = 0; i < n; i++) sum += square(a[i]);
  printf("%d\n", sum);
  [[omp::directive(target)]] {
    [[omp::directive(parallel for)]] for (int i = 0; i < 8; i++) shared_with_device[i] = i;
    [[omp::directive(parallel)]] { [[omp::directive(barrier)]]; }
    [[omp::sequence(omp::directive(parallel), omp::directive(for))]]
    for (int i = 0; i < 8; i++) shared_with_device[i] += 1;
  }
  if (sum > 0) [[omp::directive(target update from(shared_with_device))]];
  else sum = 3;
  [[omp::directive(taskwait)]];
  [[omp::directive(parallel num_threads(2))]];
#pragma omp parallel num_threads(2)
  [[omp::directive(single)]] printf("%d\n", shared_with_device[7]);
  printf("%d %g\n", total(a, n), total(d, 4));
  return 0;
}
