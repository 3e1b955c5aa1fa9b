/* Metadirectives: chosen by a condition, by the device, by the constructs around them; from a macro. */
#include <stdio.h>
#define N 1000
#define CHOOSE(c) _Pragma("omp metadirective when(user={condition(n > N)}: target map(a)) otherwise(parallel for)")
int a[N];
int main(void) {
  int n = N;
  for (int k = 0; k < 2; k++) {
#pragma omp metadirective \
   when(user={condition(k == 1)}: target teams distribute parallel for map(tofrom: a)) \
   otherwise(parallel for)
    for (int i = 0; i < n; i++)
      a[i] += i; // tail
  }
#pragma omp target map(tofrom: a)
  {
#pragma omp metadirective when(device={arch(nvptx)}: teams distribute parallel for) \
     when(device={kind(nohost)}: parallel for num_threads(4)) default(parallel for)
    for (int i = 0; i < N; i++) a[i]++;
  }
#pragma omp metadirective when(device={kind(nohost)}: nothing) otherwise(target map(tofrom: a))
  a[3] = 7;
#pragma omp metadirective when(implementation={vendor(gnu)}: barrier)
#pragma omp target map(tofrom: a)
  {
#pragma omp metadirective when(device={kind(host)}: nothing) otherwise(parallel)
    {
#pragma omp metadirective when(construct={parallel}: for) otherwise(parallel for)
      for (int i = 0; i < N; i++) a[i] += 2;
    }
  }
  CHOOSE(n > N)
  for (int i = 0; i < N; i++) a[i] ^= 1;
#pragma omp metadirective when(user={condition(n > 10)}: target teams distribute parallel for map(tofrom: a)) \
   when(user={condition(n > 5)}: parallel for) otherwise(nothing)
  for (int i = 0; i < N; i++) {
    if (i % 3 == 0) goto out;
    a[i] += i;
  out:
    if (a[i] < 0) goto end;
    a[i] += 2;
  end:;
  }
  long s = 0;
  for (int i = 0; i < N; i++) s += a[i];
  printf("%ld line %d\n", s, __LINE__);
}
