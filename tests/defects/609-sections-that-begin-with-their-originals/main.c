#include <stdio.h>
typedef struct { double v; int n; } cell;
#pragma omp declare reduction(keep: int: omp_out += omp_in) initializer(omp_priv = omp_orig - omp_orig)
#pragma omp declare reduction(least: double: omp_out = omp_in < omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
static void begin(cell *p, const cell *o) { p->v = 0; p->n = o->n; }
#pragma omp declare reduction(join: cell: omp_out.v += omp_in.v) initializer(begin(&omp_priv, &omp_orig))
int main(void) {
  int s[4] = {1, 2, 3, 4}; double m[3] = {100, 2, 50}; cell c[3] = {{1, 7}, {2, 8}, {3, 9}};
  double d[2][2] = {{9, 8}, {7, 6}};
#pragma omp target teams distribute parallel for reduction(keep: s[1:3])
  for (int i = 0; i < 30; i++) s[1 + i % 3] += 1;
#pragma omp target teams distribute parallel for reduction(least: m[:3])
  for (int i = 0; i < 30; i++) { double x = i + 10; if (x < m[i % 3]) m[i % 3] = x; }
#pragma omp target teams distribute parallel for reduction(join: c[0:3]) map(tofrom: c)
  for (int i = 0; i < 30; i++) c[i % 3].v += c[i % 3].n;
#pragma omp target parallel for reduction(least: d[0:2][0:2]) map(tofrom: d)
  for (int i = 0; i < 30; i++) if (i * 0.5 + 1 < d[i % 2][1]) d[i % 2][1] = i * 0.5 + 1;
  printf("%d %d %d %d | %g %g %g\n", s[0], s[1], s[2], s[3], m[0], m[1], m[2]);
  for (int i = 0; i < 3; i++) printf("%g %d ", c[i].v, c[i].n);
  printf("| %g %g %g %g\n", d[0][0], d[0][1], d[1][0], d[1][1]);
  return 0;
}
