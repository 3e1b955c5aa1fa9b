/* Metadirectives that the program decides: in templates, in an if, for a device number, in a region; delimited ones. */
#include <cstdio>
#include <omp.h>
const int limit = 5;
#pragma omp begin metadirective when(implementation={vendor(llvm)}: begin declare target)
int twice(int x) { return 2 * x; }
#pragma omp end metadirective
template <int N> int sum(int *p, int n) {
  int s = 0;
#pragma omp metadirective when(user={condition(N > limit)}: target teams distribute parallel for map(p[0:n]) reduction(+: s)) \
    otherwise(target parallel for map(p[0:n]) reduction(+: s))
  for (int i = 0; i < n; i++) s += twice(p[i]);
  return s;
}
static void orphan(int *p, int i) {
#pragma omp metadirective when(device={kind(nohost)}: simd) when(construct={target}: parallel)
  for (int k = 0; k < 4; k++) p[i] += k;
}
int main() {
  int a[100], n = 100, on = 0;
  for (int i = 0; i < 100; i++) a[i] = i;
  printf("%d %d\n", sum<3>(a, n), sum<9>(a, n));
  if (n > 3)
#pragma omp metadirective when(user={condition(n > 50 && a[3] == 3)}: target map(tofrom: a)) otherwise(nothing)
    for (int i = 0; i < 100; i++) a[i]++;
  else
    a[0] = -1;
  for (int d = 0; d < 2; d++)
#pragma omp metadirective when(target_device={device_num(d ? omp_get_initial_device() : 0), kind(nohost)}: target map(tofrom: on)) otherwise(nothing)
    on += 10;
#pragma omp target teams distribute parallel for map(tofrom: a)
  for (int i = 0; i < 100; i++) orphan(a, i);
#pragma omp begin metadirective when(user={condition(true)}: target map(tofrom: a))
  a[0]++;
  a[1]++;
#pragma omp end metadirective
  int t = 0;
  for (int i = 0; i < 100; i++) t += a[i];
  printf("%d %d %d line %d\n", t, on, a[0], __LINE__);
#pragma omp target map(tofrom: t)
  {
#pragma omp metadirective when(user={condition(t > 3)}: parallel for num_threads(4)) otherwise(parallel for num_threads(2))
    for (int i = 0; i < 9; i++)
#pragma omp atomic
      t += i;
  }
  printf("%d\n", t);
}
