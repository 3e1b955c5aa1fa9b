/* Loops of one team, which all teams share where nothing can tell, and such as stay with one. */
#include <omp.h>
#include <stdio.h>

#define N 5000

static int a[N], histogram[7], numbers[N];
static double total, most;

static int thrice(int one) { return 3 * one; }

int main(void) {
  int sum = 0, last = 0, wrong = 0;
#pragma omp target parallel for map(from: a)
  for (int i = 0; i < N; i++) a[i] = thrice(i) % 101;

#pragma omp target map(to: a) map(tofrom: histogram)
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
#pragma omp atomic
    histogram[a[i] % 7]++;
  }

#pragma omp target parallel for reduction(+: sum) reduction(max: most) map(tofrom: most) collapse(2)
  for (int i = 0; i < N / 50; i++)
    for (int j = 0; j < 50; j++) {
      sum += a[i * 50 + j];
      if (a[i * 50 + j] > most) most = a[i * 50 + j];
    }

#pragma omp target parallel for map(tofrom: a) lastprivate(last)
  for (int i = 0; i < N; i++) {
    last = a[i];
    a[i] += last % 2;
  }

#pragma omp target parallel for map(from: numbers) num_threads(8)
  for (int i = 0; i < N; i++) numbers[i] = omp_get_num_teams() * 100 + omp_get_team_num();
  for (int i = 0; i < N; i++) wrong += numbers[i] != 100;

#pragma omp target parallel for map(tofrom: a)
  for (int i = 0; i < N / 100; i++)
    for (int j = 0; j < 100; j++) a[i * 100 + j] = a[i * 100 + j] * 2 + j;

#pragma omp target parallel loop map(tofrom: total)
  for (int i = 0; i < 1; i++) total += 0.5;

  printf("%d %d %d %g %g", sum, last, wrong, most, total);
  for (int i = 0; i < 7; i++) printf(" %d", histogram[i]);
  long all = 0;
  for (int i = 0; i < N; i++) all = all * 31 % 1000003 + a[i];
  printf(" %ld\n", all);
  return 0;
}
