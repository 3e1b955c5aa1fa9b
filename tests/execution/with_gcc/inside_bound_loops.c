/* loop with every binding, inside parallels and functions. */
#include <stdio.h>

#define N 48
static int a[N];
#pragma omp declare target
static int scaled[N];
static void scale(int *p, int n, int by) {
#pragma omp loop bind(parallel) collapse(2)
  for (int i = 0; i < n / 4; i++)
    for (int k = 0; k < 4; k++) p[i * 4 + k] = by * (i * 4 + k);
}
static int added(const int *p, int n) {
  int sum = 0;
#pragma omp loop bind(thread) reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += p[i];
#pragma omp parallel loop reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += p[i];
  return sum;
}
#pragma omp end declare target

int main(void) {
  int sum = 0, last = 0, most = 0, each[6];
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target parallel map(tofrom : a, sum, last, most) map(from : each) num_threads(6)
  {
#pragma omp loop
    for (int i = 0; i < N; i++) a[i] += 1;
#pragma omp loop bind(parallel) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += a[i];
#pragma omp loop bind(parallel) order(concurrent) reduction(max : most)
    for (int i = N - 1; i > 0; i -= 2) most = most > a[i] ? most : a[i];
#pragma omp for
    for (int i = 0; i < 6; i++) {
      int own = 0;
#pragma omp loop
      for (int k = 0; k < 5; k++) own += a[k] * i;
#pragma omp loop bind(thread) private(last)
      for (int k = 0; k < 5; k++) {
        last = k;
        own += last;
      }
      each[i] = own;
    }
    scale(scaled, N, 3);
#pragma omp single
    last = added(scaled, 7);
  }
  int weighed = 0;
  for (int i = 0; i < 6; i++) weighed += each[i] * (i + 1);
  for (int i = 0; i < N; i++) weighed += a[i] * i;
#pragma omp target update from(scaled)
  for (int i = 0; i < N; i++) weighed += scaled[i];
  printf("%d %d %d %d\n", sum, last, most, weighed);
  return 0;
}
