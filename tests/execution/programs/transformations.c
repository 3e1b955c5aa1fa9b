/* Loop transformations in regions: a counter tells the order. Without OpenMP the order is written out by hand. */
#include <limits.h>
#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#define THREAD omp_get_thread_num()
#else
#define THREAD 0
#endif

enum { MOST = 400 };
static int order[MOST], next;

#pragma omp declare target
static int order_d[MOST], next_d;
static void note(int value) { order_d[next_d++] = value; }

/* In a function: one thread walks the tiles. */
static void tiles_of_function(int n, int m) {
#pragma omp tile sizes(3, 4)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; ++j) note(i * 100 + j);
}
#pragma omp end declare target

static void show(const char *name) {
  printf("%s:", name);
#ifdef _OPENMP
#pragma omp target update from(order_d, next_d)
  for (int i = 0; i < next_d; i++) printf(" %d", order_d[i]);
  next_d = 0;
#pragma omp target update to(next_d)
#else
  for (int i = 0; i < next; i++) printf(" %d", order[i]);
#endif
  next = 0;
  printf("\n");
}

static void by_hand(int value) { order[next++] = value; }

static int least(int a, int b) { return a < b ? a : b; }

static void reversals(int n, unsigned u, long wide, int *p) {
#pragma omp target map(to: p[0:8])
  {
    int k;
#pragma omp reverse
    for (int i = 0; i < 10; i++) note(i);
#pragma omp reverse
    for (int i = 3; i <= 20; i += 4) note(i);
#pragma omp reverse
    for (int i = 9; i > n - 9; i--) {
      if (i == 4) continue;
      note(i);
    }
#pragma omp reverse
    for (k = 20; k >= n; k -= 3)
#pragma omp reverse
      for (unsigned j = u; j > 0; j--) note(k * 10 + (int)j);
#pragma omp reverse
    for (unsigned j = 0; j != u; ++j) note((int)j);
#pragma omp reverse
    for (unsigned long j = 1; j < wide; j += 2) note((int)j);
#pragma omp reverse
    for (long j = LONG_MAX - 6; j < LONG_MAX - 1; j += 2) note((int)(LONG_MAX - j));
#pragma omp reverse
    for (int i = n; i < INT_MIN + 1; i++) note(i);
#pragma omp reverse
    for (int *q = p; q < p + 8; q += 3) note(*q);
#pragma omp reverse
    for (int i = INT_MAX - 3; i < INT_MAX; i++) note(INT_MAX - i);
#pragma omp reverse
    for (signed char c = -128; c < -120; c += 5) note(c);
  }
  for (int i = 9; i >= 0; i--) by_hand(i);
  for (int i = 19; i >= 3; i -= 4) by_hand(i);
  for (int i = n - 8; i <= 9; i++)
    if (i != 4) by_hand(i);
  for (int k = 20 - (20 - n) / 3 * 3; k <= 20; k += 3)
    for (int j = 1; j <= (int)u; j++) by_hand(k * 10 + j);
  for (int j = (int)u - 1; j >= 0; j--) by_hand(j);
  for (int j = (int)(wide - 2) / 2 * 2 + 1; j >= 1; j -= 2) by_hand(j);
  for (int j = 2; j <= 6; j += 2) by_hand(j);
  for (int i = 6; i >= 0; i -= 3) by_hand(p[i]);
  for (int i = 1; i <= 3; i++) by_hand(i);
  by_hand(-123), by_hand(-128);
  show("reverse");
}

static void interchanges(int n, int m) {
#pragma omp target
  {
    int i, j;
#pragma omp interchange
    for (int a = 0; a < n; a++)
      for (int b = m; b > 0; b--) note(a * 100 + b);
#pragma omp interchange permutation(3, 1, 2)
    for (i = 0; i < 3; i++) {
      for (j = 0; j < 2; j++) {
        for (int k = 0; k < 4; k += 2) note(i * 100 + j * 10 + k);
      }
    }
#pragma omp interchange
#pragma omp reverse
    for (i = 0; i < 3; i++)
      for (j = 0; j < 3; j++) note(i * 10 + j);
  }
  for (int b = m; b > 0; b--)
    for (int a = 0; a < n; a++) by_hand(a * 100 + b);
  for (int k = 0; k < 4; k += 2)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 2; j++) by_hand(i * 100 + j * 10 + k);
  for (int j = 0; j < 3; j++)
    for (int i = 2; i >= 0; i--) by_hand(i * 10 + j);
  show("interchange");
}

static void tilings(int n, unsigned long m, int size) {
#pragma omp target
  {
#pragma omp tile sizes(4)
    for (int i = 0; i < n; i++) note(i);
#pragma omp tile sizes(2, size)
    for (int i = 10; i >= 2; i -= 3)
      for (unsigned long j = 0; j < m; j += 2) note(i * 100 + (int)j);
#pragma omp reverse
#pragma omp tile sizes(3)
    for (int i = 0; i <= n; i++) note(i);
#pragma omp tile sizes(2)
    for (int i = 0; i < n * 010; i += 010) note(i);
    tiles_of_function(5, 6);
  }
  for (int i = 0; i < n; i++) by_hand(i);
  for (int it = 10; it >= 2; it -= 6)
    for (int jt = 0; jt < (int)m; jt += 2 * size)
      for (int i = it; i > it - 6 && i >= 2; i -= 3)
        for (int j = jt; j < least((int)m, jt + 2 * size); j += 2) by_hand(i * 100 + j);
  for (int it = n / 3 * 3; it >= 0; it -= 3)
    for (int i = it; i <= least(n, it + 2); i++) by_hand(i);
  for (int i = 0; i < n * 8; i += 8) by_hand(i);
  for (int it = 0; it < 5; it += 3)
    for (int jt = 0; jt < 6; jt += 4)
      for (int i = it; i < least(5, it + 3); i++)
        for (int j = jt; j < least(6, jt + 4); j++) by_hand(i * 100 + j);
  show("tile");
}

/* Under loops that are shared: any order is right, and each iteration runs once. */
static void shared(int n, int m) {
  int cells[20][30] = {0}, i, last = -1;
#pragma omp target teams distribute parallel for map(tofrom: cells) collapse(2)
#pragma omp tile sizes(4, 8)
  for (i = 0; i < n; i++)
    for (int j = 0; j < m; j++) cells[i][j] += i * 31 + j;
#pragma omp target parallel map(tofrom: cells, last)
  {
    int k;
#pragma omp for schedule(static) lastprivate(last)
#pragma omp reverse
    for (k = 0; k < n; k++) {
      cells[k][0] += k * 7;
      last = k;
    }
#pragma omp for
#pragma omp interchange
    for (k = 0; k < n; k++)
      for (int j = 1; j < m; j++) cells[k][j] += 1000;
  }
  long sum = 0;
  for (int a = 0; a < 20; a++)
    for (int b = 0; b < 30; b++) sum += (long)cells[a][b] * (a * 30 + b);
#ifndef _OPENMP
  last = 0; /* the last iteration of the reversed loop */
#endif
  printf("shared: %ld %d\n", sum, last);
}

#define LOW 2
#define HIGH(n) ((n) + 3)

/* What stands around headers and bodies: directives, comments, macros, branches. */
static void texts(int n, long w) {
  int sum = 0;
#pragma omp target map(tofrom: sum)
  {
#pragma omp reverse
    for (long i = 0; i < w; i++)
#pragma omp atomic
      sum += sum + (int)i;
    note(sum);
#pragma omp reverse
    for (int i = LOW; i < HIGH(n); i++) // to the end
      note(i);
    if (n > 3)
#pragma omp tile sizes(2)
      for (int i = 0; i < n; ++i) /* each */ note(100 + i);
    else
      note(-1);
#pragma omp unroll partial(2)
    for (int k = 0; k < 2; k++) {
#pragma omp reverse
      for (unsigned char u = 250; u < 255; u++) note(u);
    }
  }
  sum = 0;
  for (int i = (int)w - 1; i >= 0; i--) sum += sum + i;
  by_hand(sum);
  for (int i = n + 2; i >= 2; i--) by_hand(i);
  for (int i = 0; i < n; i++) by_hand(100 + i);
  for (int k = 0; k < 2; k++)
    for (int u = 254; u >= 250; u--) by_hand(u);
  show("texts");
}

/* The loop that another directive takes counts groups of iterations: a thread executes each of them whole. */
static void unrolled(int n) {
  int w[103] = {0}, c[30] = {0}, who[103], bad = 0, k;
#pragma omp target map(tofrom : w, c) map(from : who)
  {
#pragma omp parallel for schedule(static, 1) num_threads(4)
#pragma omp unroll partial(3)
    for (k = n - 1; k >= 0; k--) {
      w[k] += k;
      who[k] = THREAD;
    }
#pragma omp parallel for
#pragma omp tile sizes(2)
#pragma omp unroll partial(4)
    for (int i = 0; i < 30; i++) c[i] += i;
#pragma omp parallel for
#pragma omp unroll partial(4)
#pragma omp tile sizes(2)
    for (int i = 0; i < 30; i++) c[i] += i;
#pragma omp unroll partial(4)
#pragma omp unroll partial(2)
    for (int i = 0; i < 30; i++) c[i] += i;
  }
#pragma omp target teams distribute parallel for map(tofrom : c)
#pragma omp unroll partial
  for (int i = 0; i < 30; i++) c[i] += i;
  for (int i = 0; i < 30; i++) bad += c[i] != 4 * i;
  int nest[6][7] = {};
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : nest)
  for (int i = 0; i < 6; i++)
#pragma omp unroll partial(3)
    for (int j = 0; j < 7; j++) nest[i][j] += i * 7 + j;
  for (int i = 0; i < 42; i++) bad += nest[i / 7][i % 7] != i;
  for (int i = 0; i < n; i++) bad += w[i] != i || who[n - 1 - i] != who[n - 1 - i / 3 * 3];
  printf("unroll: %d\n", bad);
}

int main(void) {
  int p[8] = {5, 6, 7, 8, 9, 10, 11, 12};
  reversals(11, 5, 12, p);
  interchanges(3, 4);
  tilings(11, 7, 2);
  texts(9, 5);
  shared(17, 29);
  unrolled(103);
  return 0;
}
