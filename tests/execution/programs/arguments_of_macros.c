// Expressions that are an argument of a macro which the body of another macro uses: bounds, steps, subscripts, operands.
#include <stdio.h>
#define N 40
#define SECOND(x, y) y
#define BOTH(x, y) (SECOND(x, y))
#define BOUND SECOND(N, n)
#define LESS SECOND(N, n - 1)
#define AT(i) SECOND(0, (i) + off)
#define ITEM BOTH(b, a[at])
#define SET(x) SECOND(0, x = 7)

static void show(const char *what, const double *a) {
  printf("%s:", what);
  for (int i = 0; i < N + 2; i++) printf(" %g", a[i]);
  printf("\n");
}

int main(void) {
  int n = N, off = 1, at = 0;
  double a[N + 2] = {3};
#pragma omp target teams distribute parallel for map(tofrom: a[:N + 2])
  for (int i = 0; i < BOUND; i++) {
    int at = i + SECOND(5, off);
    ITEM = i;
    a[AT(i)] += (int)BOUND + -LESS;
    if (i == BOUND - 1) SET(a[0]);
  }
  show("loop", a);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
  for (int i = 0; i < SECOND(1, BOUND); i++)
    for (int j = 0; j < LESS; j += SECOND(1, off)) {
#pragma omp atomic
      ITEM += j;
    }
  show("nest", a);
#pragma omp target teams distribute map(tofrom: a[:BOUND])
  for (int i = 0; i < BOUND; i += 4) {
    double sum = 0;
#pragma omp parallel for reduction(+: sum)
    for (int j = 0; j < LESS; j++) sum += BOTH(0, j);
    a[i] = SECOND(i, sum);
  }
  show("team", a);
  return 0;
}
