/* Iterations that do something under one condition, of which threads evaluate several side by side; choices among values
   and functions that only compute, in tiles. Trip counts around the tile's edges, on any grid. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const int counts[] = {0, 1, 2, 31, 255, 256, 257, 1023, 1024, 1025, 4095, 4097, 100000};
enum { COUNTS = sizeof counts / sizeof *counts, MOST = 100000 };

static void tell(const char *what, const int *values, int n) {
  unsigned long long sum = 0;
  for (int i = 0; i < n; i++) sum += (unsigned long long)(unsigned)values[i] * (unsigned)(i % 8191 + 1);
  printf("%s %d: %llu\n", what, n, sum);
}

static unsigned char one[MOST], two[MOST], limit[MOST], mask[MOST], back[MOST];
static int level[MOST], seen[MOST], frontier[MOST], other[MOST];
static void begin(void) {
  for (int i = 0; i < MOST; i++) {
    one[i] = i * 7 % 251, two[i] = i * 11 % 241, limit[i] = i % 40, mask[i] = 0, back[i] = i % 200;
    level[i] = -1, seen[i] = i % 3 == 0, frontier[i] = i * 13 % 7 - 3, other[i] = i * 5 % 1000;
  }
}
static void show(const char *what, int n) {
  int sums[5] = {0};
  for (int i = 0; i < n; i++) sums[0] += mask[i], sums[1] += back[i], sums[2] += limit[i];
  printf("%s %d: %d %d %d\n", what, n, sums[0], sums[1], sums[2]);
  tell(" level", level, n), tell(" seen", seen, n), tell(" frontier", frontier, n), tell(" other", other, n);
  begin();
}

#define LARGE(x) ((x) > 4)

static void bytes(size_t n) {
#pragma omp target teams distribute parallel for map(to : one, two, limit) map(tofrom : mask)
  for (size_t i = 0; i < n; i++) {
    if (abs(one[i] - two[i]) > limit[i] || abs(two[i] - limit[i]) > limit[i])
      mask[i] = 255;
    else
      mask[i] = 7;
  }
#pragma omp target teams distribute parallel for map(to : one, mask) map(tofrom : back, limit)
  for (size_t i = 0; i < n; i++)
    if (mask[i] == 7) {
      back[i] = (92 * back[i] + 8 * one[i]) / 100;
      float value = 0.5f * limit[i] + (float)(one[i] - back[i]) / 4;
      limit[i] = value > 20 ? value : 20;
    }
  show("bytes", (int)n);
}

static void graph(int n, int depth) {
  int again = 0, changes = 0;
#pragma omp target teams distribute parallel for map(tofrom : seen, frontier, level, again)
  for (int v = 0; v < n; v++) {
    if (seen[v]) {
      seen[v] = 0;
      frontier[v] = level[v] = depth;
#pragma omp atomic write
      again = 1;
    }
  }
#pragma omp target teams distribute parallel for thread_limit(64) map(tofrom : frontier, other, changes)
  for (int v = n - 1; v >= 0; v -= 2) {
    if (LARGE(other[v] % 10)) {
      int up = frontier[v];
      if (up > 2)
        other[v]--;
      else if (up < 0) {
        other[v] += up;
#pragma omp atomic update
        changes += up;
      } else
        other[v] = frontier[v] * 2 + up++;
      frontier[v] ^= up;
    } else if (frontier[v])
      frontier[v]++;
  }
  printf("again %d, changes %d\n", again, changes);
  show("graph", n);
}

static void kinds(int n) {
  const int *p = other;
  bool wanted = n % 2;
#pragma omp target teams distribute parallel for map(to : p[0:MOST]) map(tofrom : level, seen)
  for (unsigned i = 2; i < (unsigned)n; i += 3)
    if (p[i] * 0.5f - 100 && wanted) level[i] = (int)i;
#pragma omp target teams distribute parallel for num_threads(32) map(to : p[0:MOST]) map(tofrom : seen)
  for (long i = -3; i < n - 3; i++)
    if (p[i + 3]) { seen[i + 3] += (int)i; }
#pragma omp target teams distribute parallel for map(tofrom : frontier)
  for (int i = 0; i < n; i++)
    if (!(frontier[i] > 0 && frontier[i] != 2)) {
    } else {
      frontier[i] = -frontier[i];
    }
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(32) map(tofrom : other)
  for (int i = 0; i < n; i++)
    if (other[i] > 500) other[i] = 5;
#pragma omp target teams distribute parallel for map(tofrom : level)
  for (int i = 0; i < n; i++) {
    if (level[i] < 0) {
      if (i % 5) continue;
      level[i] = i;
    }
  }
  show("kinds", n);
}

static int flat(int i, int j, int width) { return i * width + j; }
static float blend(float a, float b) { return a > b ? a - b : b * 0.25f; }

static void choices(int n, int width) {
  float *y = malloc(sizeof(float) * MOST);
  for (int i = 0; i < MOST; i++) y[i] = -1;
#pragma omp target teams distribute parallel for map(to : other, frontier) map(tofrom : y[0:MOST])
  for (int i = 0; i < n; i++) {
    const int *from;
    int row = i / width, column = i % width;
    if (column < width / 2) {
      from = other;
    } else {
      column -= width / 2;
      if (row > 3) row = 3;
      from = frontier;
    }
    y[i] = blend(from[flat(row, column, width)], row);
  }
  for (int i = 0; i < n; i++) other[i] = (int)(y[i] * 4);
  show("choices", n);
  free(y);
}

int main(void) {
  begin();
  for (int k = 0; k < COUNTS; k++) {
    bytes(counts[k]);
    graph(counts[k], k);
    kinds(counts[k]);
    choices(counts[k], k + 3);
  }
  return 0;
}
