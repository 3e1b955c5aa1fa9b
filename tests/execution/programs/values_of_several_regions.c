/* Numbers that several regions map, and static ones: by value where no mapping of them can be there, in turn with
   regions that change them, data regions around others, and functions that are called inside of these. */
#include <stdio.h>

#define N 100

static int tick, changed = 3, around = 2, kept = 1;
static double rate;
static int a[N];

static void inner(int add) {
#pragma omp target teams distribute parallel for map(to : around, kept) map(tofrom : a)
  for (int i = 0; i < N; i++) a[i] += around * add + kept;
}

static void step(int s) {
  static int calls;
  int scale = s + 1, both = 10 * s;
  calls++;
  tick = s;
  rate = 0.5 * s;
#pragma omp target teams distribute parallel for map(to : tick, rate, scale, calls, both) map(tofrom : a)
  for (int i = 0; i < N; i++) a[i] += tick * i + (int)(rate * 4) + scale + calls + both;
  scale *= 3;
#pragma omp target teams distribute parallel for map(to : tick, scale) map(tofrom : a, changed, both)
  for (int i = 0; i < N; i++) {
    a[i] -= scale + tick;
    if (i == 7) changed += scale, both -= s;
  }
  tick += changed;
#pragma omp target map(to : tick, changed, both) map(tofrom : a)
  a[s] += tick - changed + both;
#pragma omp target data map(to : around, scale)
  {
    inner(s);
#pragma omp target teams distribute parallel for map(to : scale) map(tofrom : a)
    for (int i = 0; i < N; i++) a[i] ^= scale;
  }
  scale = 5;
#pragma omp target teams distribute parallel for map(to : scale) map(tofrom : a)
  for (int i = 0; i < N; i++) a[i] += scale;
}

int main(void) {
  for (int s = 0; s < 6; s++) {
    step(s);
    around += s;
    kept = around - 1;
    inner(1);
  }
  long sum = 0;
  for (int i = 0; i < N; i++) sum = (sum * 7 + a[i]) % 1000003;
  printf("%ld %d %d %d\n", sum, tick, changed, a[3]);
  return 0;
}
