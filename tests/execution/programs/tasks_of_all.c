/* nowait and depend on every construct that starts a region, in a chain: each adds to what the one before has left. */
#include <stdio.h>

enum { N = 40 };
static int a[N], order;

#pragma omp begin declare target
static int slowly(int value) {
  volatile int spent = 0;
  for (int i = 0; i < 60000; i++) spent += i & 1;
  return value + (spent < 0);
}
#pragma omp end declare target

static long sum(void) {
  long s = 0;
  for (int i = 0; i < N; i++) s += (i + 1L) * a[i];
  return s;
}
static void chain(int n) {
  int total = 0, last = 0, step = 1;
  step = 1;
#pragma omp target nowait depend(inout : order) map(tofrom : a[0 : n], total)
  {
    for (int i = 0; i < n; i++) a[i] = (a[i] * 5 + step) % 1000;
    total += slowly(step);
  }
  step = 2;
#pragma omp target parallel nowait depend(inout : order) num_threads(1) map(tofrom : a[0 : n], total) reduction(+ : total)
  {
    for (int i = 0; i < n; i++) a[i] = (a[i] * 5 + step) % 1000;
    total += slowly(step);
  }
  step = 3;
#pragma omp target parallel for nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 4;
#pragma omp target parallel for simd nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 5;
#pragma omp target parallel loop nowait depend(inout : order) map(tofrom : a[0 : n], total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step;
  step = 6;
#pragma omp target simd nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 7;
#pragma omp target teams nowait depend(inout : order) num_teams(1) map(tofrom : a[0 : n], total) reduction(+ : total)
  {
    for (int i = 0; i < n; i++) a[i] = (a[i] * 5 + step) % 1000;
    total += slowly(step);
  }
  step = 8;
#pragma omp target teams distribute nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 9;
#pragma omp target teams distribute simd nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 10;
#pragma omp target teams loop nowait depend(inout : order) map(tofrom : a[0 : n], total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step;
  step = 11;
#pragma omp target teams distribute parallel for nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 12;
#pragma omp target teams distribute parallel for simd nowait depend(inout : order) map(tofrom : a[0 : n], total, last) reduction(+ : total) lastprivate(last)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + slowly(step), total += i * step, last = i + step;
  step = 1000;
#pragma omp taskwait depend(in : order)
  printf("%ld %d %d\n", sum(), total, last);
}

static void undeferred(int n) {
  int total = 0;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target depend(inout : a) map(tofrom : a, total)
  {
    for (int i = 0; i < n; i++) a[i] = (a[i] * 5 + 1) % 1000;
    total += a[1];
  }
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target parallel depend(inout : a) num_threads(1) map(tofrom : a, total) reduction(+ : total)
  {
    for (int i = 0; i < n; i++) a[i] = (a[i] * 5 + 1) % 1000;
    total += a[1];
  }
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target parallel for depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target parallel for simd depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target parallel loop depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target simd depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target teams depend(inout : a) num_teams(1) map(tofrom : a, total) reduction(+ : total)
  {
    for (int i = 0; i < n; i++) a[i] = (a[i] * 5 + 1) % 1000;
    total += a[1];
  }
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target teams distribute depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target teams distribute simd depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target teams loop depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target teams distribute parallel for depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
#pragma omp target nowait depend(out : a) map(a)
  a[1] = slowly(a[1]) + 2;
#pragma omp target teams distribute parallel for simd depend(inout : a) map(tofrom : a, total) reduction(+ : total)
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 % 1000 + 1, total += a[i];
  a[0] += total;
  printf("%ld %d\n", sum(), total);
}

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
  chain(N);
#pragma omp parallel num_threads(3)
#pragma omp single
  chain(N - 3);
  undeferred(N);
  return 0;
}
