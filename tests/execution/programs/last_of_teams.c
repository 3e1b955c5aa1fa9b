/* lastprivate on loops around parallels: the team with the last iteration keeps its copy. */
#include <stdio.h>

static void set(int *p, int v) { *p = v; }

int main(void) {
  int n = 37, own = -1, shared = -1, exposed = -1, v[3] = {0}, a[37], i = -1;
#pragma omp target teams distribute lastprivate(own, shared, exposed, v, i) map(from : a)
  for (i = 0; i < n; i += 2) {
    own = i * 3;
    set(&exposed, i + 7);
#pragma omp parallel for lastprivate(shared)
    for (int j = 0; j < 8; j++) shared = i * 100 + j;
#pragma omp parallel for num_threads(3)
    for (int j = 0; j < 3; j++) v[j] = shared + own + j;
    a[i] = v[2];
    if (i + 1 < n) a[i + 1] = exposed;
  }
  int t = 0;
  for (int k = 0; k < n; k++) t = t * 3 + a[k];
  printf("%d %d %d %d %d %d %d %d\n", i, own, shared, exposed, v[0], v[1], v[2], t);
#pragma omp target teams distribute collapse(2) lastprivate(own) num_teams(3)
  for (int k = 0; k < 5; k++)
    for (int l = 0; l < 4; l++) {
      int sum = 0;
#pragma omp parallel for reduction(+ : sum)
      for (int j = 0; j < 10; j++) sum += j;
      own = sum * k + l;
    }
  printf("%d\n", own);
  return 0;
}
