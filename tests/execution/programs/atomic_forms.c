/* Every form of atomic that a host compiler takes too. One thread shows each form's meaning, many show that it is
   atomic, by results that do not depend on their order. */
#include <stdio.h>

#define N 640
#define SHOW3 trace[n++] = v, trace[n++] = !!r, trace[n++] = x
#define SHOW trace[n++] = v, trace[n++] = x

static void updates(void) {
  int x = 5, e = 3, trace[40], n = 0;
#pragma omp target map(tofrom : x, trace, n)
  {
#pragma omp atomic
    x++;
    trace[n++] = x;
#pragma omp atomic update
    ++x;
    trace[n++] = x;
#pragma omp atomic update hint(0)
    x--;
    trace[n++] = x;
#pragma omp atomic
    --x;
    trace[n++] = x;
#pragma omp atomic
    x += e * 2;
    trace[n++] = x;
#pragma omp atomic
    x -= e + 1;
    trace[n++] = x;
#pragma omp atomic
    x *= e;
    trace[n++] = x;
#pragma omp atomic
    x /= e - 1;
    trace[n++] = x;
#pragma omp atomic
    x <<= e;
    trace[n++] = x;
#pragma omp atomic
    x >>= 1;
    trace[n++] = x;
#pragma omp atomic
    x |= e << 7;
    trace[n++] = x;
#pragma omp atomic
    x &= ~e;
    trace[n++] = x;
#pragma omp atomic
    x ^= 0x55;
    trace[n++] = x;
#pragma omp atomic
    x = x + e;
    trace[n++] = x;
#pragma omp atomic
    x = e * 100 - x;
    trace[n++] = x;
#pragma omp atomic
    x = (e + x);
    trace[n++] = x;
#pragma omp atomic
    x = x - (e - 10);
    trace[n++] = x;
#pragma omp atomic
    x = 100000 / x;
    trace[n++] = x;
#pragma omp atomic
    x = e * 7 + x;
    trace[n++] = x;
#pragma omp atomic
    x = 3 * (x);
    trace[n++] = x & 255;
#pragma omp atomic
    (x)
      =    (x)   /* to be
         kept on lines */
      |  1
      ;
    trace[n++] = x & 255;
  }
  printf("updates:");
  for (int i = 0; i < n; i++) printf(" %d", trace[i]);
  printf("\n");
}

static void captures(void) {
  int x = 5, e = 3, v = 0, trace[60], n = 0;
#pragma omp target map(tofrom : x, trace, n) map(to : e) firstprivate(v)
  {
#pragma omp atomic capture
    v = x++;
    SHOW;
#pragma omp atomic capture
    v = ++x;
    SHOW;
#pragma omp atomic capture
    v = x--;
    SHOW;
#pragma omp atomic capture
    v = --x;
    SHOW;
#pragma omp atomic capture
    v = x += e;
    SHOW;
#pragma omp atomic capture
    v = x = x * e;
    SHOW;
#pragma omp atomic capture
    v = x = 100 - x;
    SHOW;
#pragma omp atomic capture
    {
      v = x;
      x -= e;
    }
    SHOW;
#pragma omp atomic capture
    { v = x; x = 2 * e + x; }
    SHOW;
#pragma omp atomic capture
    { v = x; ++x; }
    SHOW;
#pragma omp atomic capture
    { x = 1000 / x; v = x; }
    SHOW;
#pragma omp atomic capture
    { x--; v = x; }
    SHOW;
#pragma omp atomic capture
    { x |= 64; v = x; }
    SHOW;
#pragma omp atomic capture
    {
      v = x; /* a swap */
      x = e + 40;
    }
    SHOW;
#pragma omp atomic read
    v = x;
    SHOW;
#pragma omp atomic write
    x = v * 2;
    SHOW;
  }
  printf("captures:");
  for (int i = 0; i < n; i += 2) printf(" %d/%d", trace[i], trace[i + 1]);
  printf("\n");
}

static void comparisons(void) {
  int x = 5, e = 5, d = 9, trace[40], n = 0;
#pragma omp target map(tofrom : x, trace, n) map(to : e, d)
  {
#pragma omp atomic compare
    if (x == e) { x = d; }
    trace[n++] = x;
#pragma omp atomic compare
    if (x == e) x = 1;
    trace[n++] = x;
#pragma omp atomic compare
    if (d == x) { x = d + 3; }
    trace[n++] = x;
#pragma omp atomic compare
    x = x == 12 ? e * 6 : x;
    trace[n++] = x;
#pragma omp atomic compare
    if (x < d * 5) { x = d * 5; }
    trace[n++] = x;
#pragma omp atomic compare
    if (x < d) { x = d; }
    trace[n++] = x;
#pragma omp atomic compare
    if (x > d) { x = d; }
    trace[n++] = x;
#pragma omp atomic compare
    if (d - 1 < x) { x = d - 1; }
    trace[n++] = x;
#pragma omp atomic compare
    if (d * 2 > x) { x = d * 2; }
    trace[n++] = x;
#pragma omp atomic compare
    x = x < 20 ? 20 : x;
    trace[n++] = x;
#pragma omp atomic compare
    x = x > e ? e : x;
    trace[n++] = x;
#pragma omp atomic compare
    x = e - 1 < x ? e - 1 : x;
    trace[n++] = x;
#pragma omp atomic compare
    x = 33 > x ? 33 : x;
    trace[n++] = x;
  }
  printf("compare:");
  for (int i = 0; i < n; i++) printf(" %d", trace[i]);
  printf("\n");
}

static void comparing_captures(void) {
  int x = 5, e = 5, d = 9, v = -1, r = 0, trace[80], n = 0;
#pragma omp target map(tofrom : x, trace, n) map(to : e, d) firstprivate(v, r)
  {
#pragma omp atomic compare capture
    { v = x; if (x == e) { x = d; } }
    SHOW3;
#pragma omp atomic compare capture
    { v = x; if (x == e) { x = d; } }
    SHOW3;
#pragma omp atomic capture compare
    {
      v = x;
      x = x > 7 ? 7 : x;
    }
    SHOW3;
#pragma omp atomic compare capture
    { v = x; if (e > x) { x = e; } }
    SHOW3;
#pragma omp atomic compare capture
    if (x == e) { x = d; } else { v = x; }
    SHOW3;
#pragma omp atomic compare capture
    if (x == 7) {
      x = d + 5;
    } else {
      v = x;
    }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == 14; if (r) { x = 15; } }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == 14; if (r) { x = 15; } }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == e; if (r) { x = d; } else { v = x; } }
    SHOW3;
#pragma omp atomic compare capture
    { r = x == 15; if (r) x = d; else v = x; }
    SHOW3;
  }
  printf("compare capture:");
  for (int i = 0; i < n; i += 3) printf(" %d/%d/%d", trace[i], trace[i + 1], trace[i + 2]);
  printf("\n");
}

/* Each ticket of any kind is drawn once; each slot is claimed once. */
static void crowds(void) {
  int next = 0, down = N, swapped = -1, free_slots = 0, claimed = 0, all = 0, seen[5][N + 1] = {{0}}, slots[N] = {0};
  unsigned low = 1u << 30, high = 0;
#pragma omp target teams distribute parallel for map(tofrom : next, down, swapped, free_slots, claimed, seen, slots, \
                                                     low, high)
  for (int i = 0; i < N; i++) {
    int a, b, c, won, mine;
#pragma omp atomic capture
    a = next++;
#pragma omp atomic capture
    { down -= 1; b = down; }
#pragma omp atomic capture
    { c = swapped; swapped = i; }
    seen[0][a]++, seen[1][b]++, seen[2][c + 1]++;
#pragma omp atomic compare capture
    { won = slots[i % 64] == 0; if (won) { slots[i % 64] = i + 1; } }
    if (won) {
#pragma omp atomic
      claimed++;
    }
#pragma omp atomic compare
    if (low > (unsigned)i + 7) { low = (unsigned)i + 7; }
#pragma omp atomic compare capture
    { mine = high; high = high < (unsigned)i * 3 ? (unsigned)i * 3 : high; }
    if (mine > 3 * N) claimed = -1;
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) all += seen[k][i] == 1;
  for (int i = 0; i < N; i++) all += seen[2][i] <= 1;
  printf("crowds: %d %d %d %d %u %u\n", next, down, all, claimed, low, high);
}

int main(void) {
  updates();
  captures();
  comparisons();
  comparing_captures();
  crowds();
  return 0;
}
