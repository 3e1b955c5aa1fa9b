/* Dispatched calls: device pointers made of host pointers, conditions that the program decides, dependences, devices. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
enum { N = 100 };
int calls;
void add_on_device(int *p, int n, int k);
int sum_dispatched(const int *p, int n);
#pragma omp declare variant(add_on_device) match(construct={dispatch}) adjust_args(need_device_ptr: p)
void add(int *p, int n, int k) {
  for (int i = 0; i < n; i++) p[i] += k;
}
#pragma omp declare variant(sum_dispatched) match(construct={dispatch})
int sum(const int *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}
void add_on_device(int *p, int n, int k) {
#pragma omp target teams distribute parallel for is_device_ptr(p)
  for (int i = 0; i < n; i++) p[i] += k;
}
int sum_dispatched(const int *p, int n) {
  int s = 0;
  calls++;
  for (int i = n - 1; i >= 0; i--) s += p[i];
  return s;
}
int main(void) {
  int *p = malloc(N * sizeof *p), s, k = 3;
  for (int i = 0; i < N; i++) p[i] = i;
#pragma omp target data map(tofrom: p[0:N])
  {
#pragma omp dispatch
    add(p, N, 1);
#pragma omp dispatch device(omp_get_default_device()) novariants(k < 0)
    add(p, N, k);
  }
  for (int round = 0; round < 2; round++) {
    if (round)
#pragma omp dispatch novariants(round == 1 && k < 0) nocontext(k > 99)
      s = sum(p, N);
    else
      s = 0;
    printf("%d line %d\n", s, __LINE__);
  }
#pragma omp dispatch nocontext(1)
  s = sum(p, N);
#pragma omp task depend(out: s) shared(s)
  s += 1;
#pragma omp dispatch depend(inout: s)
  k = sum(p, N);
  add(p, N, 1);
  printf("%d %d %d\n", s, k, p[5]);
  free(p);
}
