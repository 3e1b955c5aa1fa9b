/* Tasks of kernels in any order that their dependences allow: shared and exclusive ones, waits, kernels between them that
   are none, rows that are addressed by a pointer to arrays, and updates. */
#include <stdio.h>

#define ROWS 7
#define N 96

static unsigned rows[ROWS][N], expected[ROWS][N];
static unsigned state = 1;

static int chosen(int from) {
  state = state * 1664525u + 1013904223u;
  return (int)(state >> 16) % from;
}

static int kinds[200], into[200], first[200], second[200], turns[200];

static void work(unsigned (*d)[N], int count) {
  for (int i = 0; i < count; i++) {
    int kind = kinds[i], t = turns[i];
    unsigned *w = d[into[i]], *a = d[first[i]], *b = d[second[i]];
    if (kind == 0) {
#pragma omp taskwait
    } else if (kind == 1) {
#pragma omp taskwait
#pragma omp target teams distribute parallel for
      for (int k = 0; k < N; k++) w[k] = w[k] * 3 + a[k] + b[k];
    } else if (kind < 8) {
#pragma omp target teams distribute parallel for nowait depend(in : d[first[i]], d[second[i]]) depend(inout : d[into[i]])
      for (int k = 0; k < N; k++) {
        unsigned x = a[k], y = b[k], z = w[k], v = x;
        for (int j = 0; j < t; j++) v = v * 1664525u + 1013904223u;
        w[k] = z * 3 + x + y + v;
      }
    } else if (kind < 10) {
#pragma omp target teams distribute parallel for nowait depend(mutexinoutset : d[into[i]])
      for (int k = 0; k < N; k++) w[k] += k + t;
    } else {
#pragma omp target update from(w[0 : N]) nowait depend(in : d[into[i]])
    }
  }
#pragma omp taskwait
}

static void plain(int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < N; k++) {
      unsigned *w = &expected[into[i]][k], x = expected[first[i]][k], y = expected[second[i]][k], v = x;
      if (kinds[i] == 1) *w = *w * 3 + x + y;
      if (kinds[i] >= 8 && kinds[i] < 10) *w += k + turns[i];
      if (kinds[i] < 2 || kinds[i] >= 8) continue;
      for (int j = 0; j < turns[i]; j++) v = v * 1664525u + 1013904223u;
      *w = *w * 3 + x + y + v;
    }
}

int main(void) {
  for (int round = 0; round < 6; round++) {
    int count = 100 + chosen(100), wrong = 0;
    for (int i = 0; i < count; i++) {
      kinds[i] = round == 5 ? 2 + chosen(8) : chosen(11); // no waits in the last
      into[i] = chosen(ROWS), first[i] = chosen(ROWS), second[i] = chosen(ROWS), turns[i] = chosen(8) ? chosen(20) : 2000;
    }
    for (int r = 0; r < ROWS; r++)
      for (int k = 0; k < N; k++) rows[r][k] = expected[r][k] = r * 1000 + k;
#pragma omp target data map(tofrom : rows)
    work(rows, count);
    plain(count);
    unsigned sum = 0;
    for (int r = 0; r < ROWS; r++)
      for (int k = 0; k < N; k++) wrong += rows[r][k] != expected[r][k], sum = sum * 31 + rows[r][k];
    printf("%d tasks: %d wrong, %u\n", count, wrong, sum);
  }
  return 0;
}
