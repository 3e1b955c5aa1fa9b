/* Reductions of constructs inside regions: arrays, sections, user-defined operators, every width of team. */
#include <stdio.h>

#define N 256

struct span { int low, high; };
static void widen(struct span *into, const struct span *from) {
  if (from->low < into->low) into->low = from->low;
  if (from->high > into->high) into->high = from->high;
}
#pragma omp declare reduction(widen : struct span : widen(&omp_out, &omp_in)) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(both : long : omp_out += omp_in)

static void in_teams(int teams) {
  int sums[8] = {0}, bins[8][4] = {{0}};
  struct span spans[8];
  long longs[8] = {0};
  for (int t = 0; t < 8; t++) spans[t].low = 1000, spans[t].high = -1000;
#pragma omp target teams distribute map(tofrom : sums, bins, spans, longs) num_teams(4) thread_limit(64)
  for (int t = 0; t < teams; t++) {
    int s = t, parts[4] = {1, 2, 3, 4};
    struct span r = {50, 60};
    long l = 7;
#pragma omp parallel for reduction(+ : s, parts[1 : 2]) reduction(widen : r) reduction(both : l)
    for (int i = 0; i < N; i++) {
      s += i;
      parts[1 + i % 2] += i;
      if (i - 100 * t < r.low) r.low = i - 100 * t;
      if (i + t > r.high) r.high = i + t;
      l += 2;
    }
    sums[t] = s;
    spans[t] = r;
    longs[t] = l;
    for (int k = 0; k < 4; k++) bins[t][k] = parts[k];
  }
  for (int t = 0; t < teams; t++) {
    printf("%d %d %d %ld:", sums[t], spans[t].low, spans[t].high, longs[t]);
    for (int k = 0; k < 4; k++) printf(" %d", bins[t][k]);
  }
  printf("\n");
}

static void narrow(int n, int width) {
  int s = 1, bits = 0, histogram[5] = {0, 0, 0, 0, 0};
  double most = -1;
  _Bool all = 1;
#pragma omp target map(tofrom : s, bits, histogram, most, all)
  {
#pragma omp parallel num_threads(33) reduction(+ : s)
    s += 1 - 1;
#pragma omp parallel for num_threads(7) reduction(+ : s) reduction(| : bits) reduction(max : most) reduction(&& : all)
    for (int i = 0; i < n; i++) {
      s += i;
      bits |= i & 20;
      if (most < i * 0.5) most = i * 0.5;
      all = all && i < n;
    }
    int length = width;
#pragma omp parallel for reduction(+ : histogram[0 : length])
    for (int i = 0; i < n; i++) histogram[i % width]++;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
      {
#pragma omp for reduction(+ : s) nowait
        for (int i = 0; i < n; i++) s += 1;
#pragma omp for reduction(max : most)
        for (int i = 0; i < n; i++)
          if (most < i + round) most = i + round;
#pragma omp sections reduction(+ : s)
        {
          s += 10;
#pragma omp section
          s += 100;
        }
#pragma omp for simd reduction(^ : bits)
        for (int i = 0; i < 9; i++) bits ^= i << 4;
      }
    }
  }
  printf("%d %d %g %d", s, bits, most, all);
  for (int k = 0; k < 5; k++) printf(" %d", histogram[k]);
  printf("\n");
}

static int alone(const int *p, int n) {
  int s = 0, parts[3] = {0, 0, 0};
#pragma omp parallel for reduction(+ : s) reduction(+ : parts)
  for (int i = 0; i < n; i++) {
    s += p[i];
    parts[i % 3] += p[i];
  }
#pragma omp simd reduction(+ : s)
  for (int i = 0; i < 3; i++) s += parts[i] * i;
  return s;
}

static void functions(int n) {
  int a[64], out[8];
  for (int i = 0; i < 64; i++) a[i] = i * i % 17;
#pragma omp target teams distribute map(to : a) map(from : out)
  for (int t = 0; t < 8; t++) out[t] = alone(a + t, n);
#pragma omp target teams distribute parallel for map(to : a) map(tofrom : out)
  for (int t = 0; t < 8; t++) {
    int s = 0;
#pragma omp simd reduction(- : s)
    for (int i = 0; i < n; i++) s -= a[i + t];
    out[t] += s;
  }
  for (int t = 0; t < 8; t++) printf("%d ", out[t]);
  printf("\n");
}

int main(void) {
  in_teams(8);
  narrow(N, 5);
  functions(50);
  return 0;
}
