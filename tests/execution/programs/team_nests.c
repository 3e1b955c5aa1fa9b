/* Collapsed loops whose iterations are each a team's work: extents, steps and numbers of teams of the run. */
#include <stdio.h>

#define MOST 4000

static double a[64], b[MOST];

static void print(const char *what, int n, int m, int teams) {
  double sum = 0;
  for (int i = 0; i < MOST; i++) sum += b[i] * (i % 97 + 1), b[i] = 0;
  printf("%s %d %d %d: %.0f\n", what, n, m, teams, sum);
}

static void two(int n, int m, int teams) {
#pragma omp target teams distribute collapse(2) num_teams(teams) map(to : a) map(tofrom : b)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = i;
#pragma omp parallel for reduction(+ : sum) num_threads(64)
      for (int k = 0; k < 40; k++) sum += a[k] * (j + 1);
      b[i * m + j] += sum;
    }
  print("two", n, m, teams);
}

static void three(int n, long m, int teams) {
#pragma omp target teams distribute collapse(3) num_teams(teams) map(to : a) map(tofrom : b)
  for (unsigned i = 0; i < 3; i++)
    for (long j = m; j >= 1; j -= 2)
      for (short k = 2; k <= n; k++) {
        double most = -1;
#pragma omp parallel for reduction(max : most)
        for (int x = 0; x < 64; x++) most = a[x] * k > most ? a[x] * k : most;
        b[(i * 40 + j) * 20 + k] += most - i;
      }
  print("three", n, (int)m, teams);
}

static void inside(int n, int m) {
#pragma omp target teams map(to : a) map(tofrom : b)
#pragma omp distribute collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++) {
#pragma omp parallel for
      for (int k = 0; k < 8; k++) b[(i * m + j) % 400 * 8 + k] = a[k] + j;
    }
  print("inside", n, m, 0);
}

int main(void) {
  const int sizes[] = {-1, 0, 1, 7, 20};
  for (int i = 0; i < 64; i++) a[i] = i % 11 - 3;
  for (int n = 0; n < 5; n++)
    for (int m = 0; m < 5; m++)
      for (int teams = 1; teams < 600; teams = teams * 10 + 3) {
        two(sizes[n], sizes[m], teams);
        three(sizes[n] - 2, sizes[m], teams);
      }
  inside(20, 20);
  return 0;
}
