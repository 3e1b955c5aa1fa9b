/* Objects that a function's own pointers lead to, between launches that nobody waits for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { LEVELS = 4 };
typedef struct {
  int width[LEVELS], count;
  double weight, *level[LEVELS];
} pyramid;

static void halve(pyramid *p, int l) {
#pragma omp target teams distribute parallel for
  for (int x = 0; x < p->width[l + 1]; x++) {
    const double *from = p->level[l];
    p->level[l + 1][x] = 0.25 * from[2 * x] + 0.5 * from[2 * x + 1] + 0.125 * from[(2 * x + 2) % p->width[l]];
  }
  p->count++;
}
static void spread(pyramid *p, int l, double gain) {
#pragma omp target teams distribute parallel for
  for (int x = 0; x < p->width[l]; x++) p->level[l][x] += gain * p->level[l + 1][x / 2];
  p->count += 2;
}
static void make(pyramid *p, int n) {
  memset(p, 0, sizeof *p);
  p->weight = 0.5;
  for (int l = 0; l < LEVELS; l++) {
    p->width[l] = n >> l;
    p->level[l] = calloc(n >> l, sizeof(double));
    for (int i = 0; i < n >> l; i++) p->level[l][i] = i % (7 + l);
  }
#pragma omp target enter data map(to : p[0:1])
  for (int l = 0; l < LEVELS; l++) {
#pragma omp target enter data map(to : p->level[l][0 : p->width[l]])
  }
}
static double end(pyramid *p) {
  double sum = p->count;
  for (int l = 0; l < LEVELS; l++) {
#pragma omp target update from(p->level[l][0 : p->width[l]])
    for (int i = 0; i < p->width[l]; i++) sum += p->level[l][i] * (i % 3 + 1);
  }
  for (int l = 0; l < LEVELS; l++) {
#pragma omp target exit data map(delete : p->level[l][0 : p->width[l]])
    free(p->level[l]);
  }
#pragma omp target exit data map(delete : p[0:1])
  return sum;
}

/* The run begins behind the pointer, or has it in it, or another one of its name. */
static void outside(pyramid *all) {
  pyramid *p = all + 1;
  for (int l = 0; l + 1 < LEVELS; l++) halve(p, l);
  for (int l = LEVELS - 2; l >= 0; l--) spread(p, l, p->weight + 0.1 * l);
}
static void inside(pyramid *all, int n) {
  for (int k = 0; k < n; k++) {
    pyramid *p = &all[k];
    halve(p, 0);
    spread(p, 0, p->weight);
    halve(p, 1);
  }
}
static void hidden(pyramid *all, pyramid *const p) {
  halve(p, 0);
  {
    pyramid *const p = all;
    spread(p, 1, p->weight);
    halve(p, 2);
    p->weight *= 0.5;
  }
  spread(p, 0, p->weight);
}
static void changed(pyramid *all) {
  pyramid *p = all;
  for (int k = 0; k < 2; k++, p++) {
    halve(p, 0);
    halve(p, 1);
    p->weight += k;
  }
}

int main(void) {
  pyramid all[2], *first = all, *none = NULL;
  make(first, 400);
  make(all + 1, 640);
  outside(all);
  inside(all, 2);
  hidden(all, all + 1);
  changed(all);
  for (int l = 0; l + 1 < LEVELS; l++) {
    halve(first, l);
    if (none) none->count = l;
  }
  printf("%.9g\n", end(first));
  printf("%.9g\n", end(all + 1));
  return 0;
}
