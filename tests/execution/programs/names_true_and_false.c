// C variables with the names of constants of C++, beside what generated code says of teams, last values and loops.
#include <stdio.h>
#include <omp.h>
static int who(void) { return omp_get_thread_num() * 100 + omp_get_num_threads(); }
int main(void) {
  int true = 0, s = 0, false = 5;
#pragma omp target teams map(tofrom: s) num_teams(1)
  {
    s += (who() == omp_get_thread_num() * 100 + omp_get_num_threads()) + true;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 4; i++) {
#pragma omp critical
      s += (who() == omp_get_thread_num() * 100 + omp_get_num_threads()) + true + false;
    }
  }
  printf("%d\n", s);
#pragma omp target parallel for map(tofrom: s) num_threads(4)
  for (int i = 0; i < 4; i++) {
#pragma omp critical
    s += (who() == omp_get_thread_num() * 100 + omp_get_num_threads()) + true + false;
  }
  printf("%d\n", s);
  int last = 0, a[4][3], t = 0;
#pragma omp target map(tofrom: last, t) map(from: a)
#pragma omp parallel num_threads(2)
  {
#pragma omp for lastprivate(last)
    for (int i = 0; i < 10; i++) last = i + true;
#pragma omp for collapse(2) reduction(+: t)
    for (int i = 0; i < 4; i++) {
      int base = i * false;
      for (int j = 0; j < 3; j++) { a[i][j] = base + j; t += a[i][j]; }
    }
  }
#pragma omp target teams distribute parallel for lastprivate(last) map(tofrom: t)
  for (int i = 0; i < 20; i++) {
    last = i + false;
#pragma omp atomic
    t += true + 1;
  }
  printf("%d %d %d\n", last, t, a[3][2]);
}
