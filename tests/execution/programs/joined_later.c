/* Reductions in loops of a team's initial thread, whose results nothing reads before the loop ends. */
#include <stdio.h>

#define N 300
#define TEAMS 40

static int a[TEAMS][N], most[TEAMS], least[TEAMS], sums[TEAMS];
static unsigned products[TEAMS];
static double lows[TEAMS];
static short halves[TEAMS];

static long sum_of(const int *v) {
  long s = 0;
  for (int i = 0; i < TEAMS; i++) s = s * 31 + v[i];
  return s;
}

int main(void) {
  unsigned seed = 7;
  for (int k = 0; k < TEAMS; k++)
    for (int i = 0; i < N; i++) {
      seed = seed * 1664525u + 1013904223u;
      a[k][i] = (int)(seed >> 12) % 1000 - 300;
    }

  /* Each diagonal needs the one before, so threads still meet. */
#pragma omp target teams distribute map(to : a) map(from : most)
  for (int k = 0; k < TEAMS; k++) {
    int h[2][N + 1];
    int top = 0;
#pragma omp parallel for
    for (int i = 0; i <= N; i++) h[0][i] = h[1][i] = 0;
    for (int d = 1; d < N; d++) {
      int *now = h[d & 1], *before = h[(d + 1) & 1];
#pragma omp parallel for reduction(max : top)
      for (int i = 1; i <= d; i++) {
        int v = before[i - 1] > before[i] ? before[i - 1] : before[i] - 3;
        v += a[k][(i * 7 + d) % N];
        now[i] = v < 0 ? 0 : v;
        if (now[i] > top) top = now[i];
      }
    }
    most[k] = top;
  }
  printf("diagonals %ld\n", sum_of(most));

  /* Loops without iterations, left early, around others; sums that wrap around; what is not joined in the inner loop. */
#pragma omp target teams distribute map(to : a) map(from : sums, least, products, lows, halves) thread_limit(32)
  for (int k = 0; k < TEAMS; k++) {
    int s = k, low = 1000, none = -5;
    unsigned p = 1;
    double d = 1e30;
    short half = 9;
    for (int j = 0; j < k % 4; j++) {
#pragma omp parallel for reduction(+ : s) reduction(min : low)
      for (int i = 0; i < N; i++) {
        s += a[k][i] * j;
        if (a[k][i] + j < low) low = a[k][i] + j;
      }
      for (int e = 0; e < 3; e++) {
        if ((e + k) % 3 == 0) {
#pragma omp parallel for reduction(* : p) reduction(- : half)
          for (int i = 0; i < N; i++) p *= a[k][i] | 1, half -= a[k][i];
        }
        if (e == k % 5) break;
      }
    }
    int round = 0;
    while (round < 3 + k % 2) {
#pragma omp parallel for reduction(min : d) reduction(max : none)
      for (int i = round; i < N; i += 2) {
        double x = a[k][i] / (1.0 + round);
        d = x < d ? x : d;
        none = i > none ? i : none;
      }
      round++;
    }
    sums[k] = s + none;
    least[k] = low;
    products[k] = p;
    lows[k] = d;
    halves[k] = half;
  }
  double all = 0;
  unsigned product = 0;
  long parts = 0;
  for (int k = 0; k < TEAMS; k++) all += lows[k] * k, product = product * 31 + products[k], parts = parts * 7 + halves[k];
  printf("sums %ld least %ld products %u lows %.6f halves %ld\n", sum_of(sums), sum_of(least), product, all, parts);

  /* Read in the outer loop, joined behind the inner one. */
#pragma omp target teams distribute map(to : a) map(from : sums)
  for (int k = 0; k < TEAMS; k++) {
    int s = 0, last = 0;
    for (int j = 0; j < 5; j++) {
      for (int e = 0; e <= j; e++) {
#pragma omp parallel for reduction(+ : s)
        for (int i = e; i < N; i++) s += a[k][i];
      }
      last = last * 3 + s;
      s /= 2;
    }
    sums[k] = last + s;
  }
  printf("inner %ld\n", sum_of(sums));
  return 0;
}
