// Regions that an `if` clause has the host execute between kernels that are queued.
#include <stdio.h>

enum { N = 5000, STEPS = 9 };

static void grow(int *a, int n, int by, int on_device) {
#pragma omp target teams distribute parallel for if (target : on_device) map(tofrom : a[0 : n])
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 + by;
}

static int checksum(const int *a) {
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31 + (unsigned)a[i];
  return (int)(sum % 1000003);
}

int main(void) {
  static int a[N], b[N];
  int total = 0, which = 0;
  for (int i = 0; i < N; i++) a[i] = i, b[i] = -i;
  // Host and device in turn: each works on what the other has left.
  for (int step = 0; step < STEPS; step++) {
#pragma omp target teams distribute parallel for if (step % 3) map(tofrom : a[0 : N])
    for (int i = 0; i < N; i++) a[i] += step * i;
    which += step;
  }
  printf("%d %d\n", checksum(a), which);
  // The same in a function, with a result that the host reads.
  for (int step = 0; step < STEPS; step++) {
    grow(b, N, step, step & 1);
#pragma omp target teams distribute parallel for if (target : step > 2) map(tofrom : total) map(to : b) reduction(+ : total)
    for (int i = 0; i < N; i++) total += b[i] % 7;
  }
  printf("%d %d\n", checksum(b), total);
  // Data that is mapped around: what the host executes there works on its own copy.
#pragma omp target data map(tofrom : a)
  {
    for (int step = 0; step < STEPS; step++) {
#pragma omp target update from(a) if (step == 4)
#pragma omp target teams distribute parallel for if (step != 4)
      for (int i = 0; i < N; i++) a[i] = a[i] / 2 + step;
#pragma omp target update to(a) if (step == 4)
    }
  }
  printf("%d\n", checksum(a));
  return 0;
}
