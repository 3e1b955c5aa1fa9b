#include <stdio.h>
#include <omp.h>
static int mine(void) { return omp_get_team_num(); }
int main(void) {
  int n = -1, m = -1, most = 0, nt = 0, seen[64] = {0}; long s = 0;
#pragma omp target teams map(tofrom: n)
  if (omp_get_team_num() == 0) n = omp_get_num_teams();
#pragma omp target teams distribute parallel for map(tofrom: m, most)
  for (int i = 0; i < 100000; i++) { if (i == 0) m = omp_get_num_teams();
    int t = mine();
    if (t > most) {
#pragma omp critical
      if (t > most) most = t; } }
#pragma omp target teams distribute parallel for reduction(+: s)
  for (int i = 0; i < 1000; i++) s += i;
#pragma omp target teams distribute map(tofrom: nt, seen)
  for (int i = 0; i < 64; i++) { if (i == 3) nt = omp_get_num_teams(); 
#pragma omp parallel for
    for (int j = 0; j < 4; j++) if (j == 2) seen[i]++; }
#pragma omp target teams distribute dist_schedule(static, 3) map(tofrom: seen)
  for (int i = 0; i < 64; i++) seen[i]++;
  int t = 0; for (int i = 0; i < 64; i++) t += seen[i];
  int th = 0;
#pragma omp target teams distribute map(tofrom: th)
  for (int i = 0; i < 2; i++) {
#pragma omp parallel
    if (i == 0 && omp_get_thread_num() == 0) th = omp_get_num_threads();
  }
  printf("%d %d %d %ld %d %d %d\n", n, m, most < m, s, nt, t, th);
}
