/* OpenMP's routines without its header: as old programs declare them. */
#include <stdio.h>

#ifdef _OPENMP
extern int omp_get_team_num(void), omp_get_num_teams(void);
int omp_get_thread_num();
double omp_get_wtime(void);
#else
static int omp_get_team_num(void) { return 0; }
static int omp_get_num_teams(void) { return 1; }
static int omp_get_thread_num(void) { return 0; }
static double omp_get_wtime(void) { return 1; }
#endif

#pragma omp begin declare target
static int place(void) { return omp_get_team_num() * 2 + (omp_get_thread_num() > 0); }
#pragma omp end declare target

int main(void) {
  int seen[8] = {0}, wrong = 0;
#pragma omp target teams num_teams(2) map(tofrom: seen)
  {
    seen[place()] = omp_get_num_teams() < 3;
    if (omp_get_wtime() < 0) seen[7] = 1;
  }
  for (int i = 1; i < 8; i++) wrong += i != 2 && seen[i];
  printf("%d %d\n", seen[0], wrong);
  return 0;
}
