/* Statements that stand beside each other in one use of a macro, some for all threads and some for the first one. */
#include <stdio.h>
#define TWO(a, b) a; b
#define SWAPPED(a, b) b; a
#define DECLARED(t, v, s) t v = 5; s
#define EACH(s) for (int q = 0; q < n; q++) s
int main(void) {
  int r[64] = {0}, n = 16, last = 0;
#pragma omp target teams distribute map(tofrom : r) thread_limit(8) num_teams(2)
  for (int b = 0; b < 2; b++) {
    int z = b, y = 1;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[32 + b * 16 + i] += z;
    TWO(z++, r[b] += z);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[32 + b * 16 + i] += z;
    SWAPPED(r[b + 2] += z, z++);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[32 + b * 16 + i] += z;
    TWO(r[b] += z, z++);
    DECLARED(int, w, r[b + 4] += w);
    DECLARED(int, v, y += v);
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; i++) r[32 + b * 16 + i] += z + w + v + y;
#pragma omp parallel for num_threads(4)
    EACH(r[32 + b * 16 + q] += z);
  }
#pragma omp target map(tofrom : r, last)
#pragma omp parallel for lastprivate(last)
  EACH(last = r[q]);
  for (int i = 0; i < 64; i++) printf("%d ", r[i]);
  printf("%d\n", last);
}
