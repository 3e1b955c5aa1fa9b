#include <stdio.h>
#define N 1000

struct pair { int low, high; };
#pragma omp declare reduction(widen : struct pair : omp_out.low = omp_in.low < omp_out.low ? omp_in.low : omp_out.low, \
                              omp_out.high = omp_in.high > omp_out.high ? omp_in.high : omp_out.high) \
    initializer(omp_priv = (struct pair){1 << 30, -(1 << 30)})

#pragma omp declare target
static int scale = 3;
static int other(int i) { return scale * i + 1; }
#pragma omp end declare target

static void loops(void) {
  int a[N], counts[8] = {0}, last = 0;
  long sum = 0;
  struct pair range = {1 << 30, -(1 << 30)};
#pragma omp target teams distribute parallel for map(from : a) reduction(+ : sum)
  for (int i = 0; i < N; i++) {
    a[i] = other(i);
    sum += a[i] % 7;
  }
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : counts, range) reduction(+ : counts) \
    reduction(widen : range)
  for (int i = 0; i < N; i++) {
    counts[a[i] % 8]++;
    if (a[i] < range.low) range.low = a[i];
    if (a[i] > range.high) range.high = a[i];
  }
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 100; j++) a[i * 100 + j] += i - j;
#pragma omp target teams distribute parallel for dist_schedule(static, 64) map(tofrom : a)
  for (int i = 0; i < N; i++) a[i] *= 2;
#pragma omp target parallel for schedule(static, 3) map(tofrom : a, last) lastprivate(last)
  for (int i = 0; i < N; i++) last = a[i] -= i;
#pragma omp target map(tofrom : last)
  {
    last += 1;
#pragma omp flush
    last *= 2;
  }
  printf("%ld %d %d %d %d %d\n", sum, counts[0], counts[5], range.low, range.high, last);
  sum = 0;
  for (int i = 0; i < N; i++) sum += (long)i * a[i];
  printf("%ld\n", sum);
}

static void teams(int width) {
  int out[6][64];
#pragma omp target teams distribute map(from : out)
  for (int t = 0; t < 6; t++) {
    int line[64], first = 100 * t;
    int table[width];
#pragma omp parallel for num_threads(64)
    for (int i = 0; i < 64; i++) line[i] = first + i;
    first = line[63];
#pragma omp parallel num_threads(48)
    {
#pragma omp for
      for (int i = 0; i < width; i++) table[i] = line[(i + 1) % 64] + first;
#pragma omp for
      for (int i = 0; i < 64; i++) out[t][i] = table[(i * 5) % width];
    }
  }
  long sum = 0;
  for (int t = 0; t < 6; t++)
    for (int i = 0; i < 64; i++) sum += (long)(t + 1) * i * out[t][i];
  printf("%ld\n", sum);
}

static void blocks(void) {
  int left = 0, middle = 0, right = 0, alone = 0, seen = 0, chosen = 0;
#pragma omp target parallel map(tofrom : left, middle, right, alone, seen, chosen) num_threads(192)
  {
#pragma omp sections
    {
#pragma omp section
      left = other(1);
#pragma omp section
      middle = other(2);
#pragma omp section
      right = other(3);
    }
#pragma omp single
    alone = left + middle + right;
#pragma omp masked
    chosen = alone * 2;
#pragma omp barrier
#pragma omp for reduction(+ : seen)
    for (int i = 0; i < 200; i++) seen += alone + chosen;
  }
  printf("%d %d %d %d %d %d\n", left, middle, right, alone, chosen, seen);
}

int main(void) {
  loops();
  teams(50);
  blocks();
  return 0;
}
