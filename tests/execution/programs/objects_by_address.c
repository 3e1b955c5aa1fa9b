/* Objects that functions are given by their address, between launches that nobody waits for. */
#include <stdio.h>
#include <stdlib.h>

struct part { int first, last; };
typedef struct {
  int n, done;
  double by[3], *now, *next;
  struct part part;
} state;

static void step(state *s) {
  const double *now = s->now;
  double *next = s->next;
  const int first = s->part.first, last = s->part.last;
  double by = s->by[s->done % 3];
#pragma omp target teams distribute parallel for
  for (int i = first; i < last; i++) next[i] = now[i] + by * now[i - 1];
  s->now = next;
  s->next = (double *)now;
  s->done++;
}
static void steps(state *s, int count) {
  for (int k = 0; k < count; k++) {
    step(s);
    if (s->done % 4 == 3) s->by[s->done % 3] *= 0.5;
  }
}
static void many(state *s, int count) {
  for (; count > 0; count--, s++) { /* the parameter changes */
    step(s);
    s->by[0] += 1;
  }
}
static int longest(const state *s, const state *other) {
  int best = 0;
  for (int k = 0; k < 2; k++) {
    double *now = s->now;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < s->n; i++) now[i] += k;
    if (other && other->n > best) best = other->n;
    if (s->n > best) best = s->n;
  }
  return best;
}
/* What it is given comes back from the device, and is read at once. */
static int counted(state *s, int limit) {
  int rounds = 0;
  while (s->done < limit) {
#pragma omp target map(tofrom : s->done)
    s->done += 3;
    rounds++;
  }
  return rounds;
}

int main(void) {
  enum { n = 1000 };
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
  for (int i = 0; i < n; i++) a[i] = b[i] = i % 7;
  state own = {n, 0, {1, 0.25, 0.125}, a, b, {1, n}}, several[3] = {own, own, own}, *kept = malloc(sizeof *kept);
  *kept = own;
#pragma omp target data map(tofrom : a[0:n], b[0:n])
  {
    for (int k = 0; k < 10; k++) step(&own);
    steps(&own, 12);
    for (int k = 0; k < 5; k++) {
      step(kept);
      steps(kept, k);
      own.by[k % 3] += 0.01 * kept->done;
    }
    many(several, 3);
    for (int k = 0; k < 3; k++) step(&several[k]);
    printf("%d %d\n", longest(&own, NULL), longest(kept, &several[1]));
  }
  for (int i = 0; i < n; i++) sum += a[i] * (i % 5) + b[i];
  printf("%.9g %d %d %g %g\n", sum, own.done, kept->done, own.by[1], several[2].by[0]);
  const int rounds = counted(&own, 50);
  printf("%d %d\n", rounds, own.done);
  free(a), free(b), free(kept);
}
