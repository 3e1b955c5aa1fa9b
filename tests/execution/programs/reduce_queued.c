/* Reductions in statements that cannot see whether their kernels have ended: present variables, others, few and many. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 5000, BINS = 8 };

static double sum, most;
static long counts[BINS];

static void present(const int *x, int rounds) {
  sum = 1, most = -1;
#pragma omp target data map(tofrom : sum, most, counts) map(to : x[0 : N])
  {
    for (int r = 0; r < rounds; r++) {
#pragma omp target teams distribute parallel for reduction(+ : sum) reduction(max : most)
      for (int i = 0; i < N; i++) {
        sum += x[i] + r;
        if (x[i] * r > most) most = x[i] * r;
      }
#pragma omp target teams distribute parallel for reduction(+ : counts)
      for (int i = 0; i < N; i++) counts[(x[i] + r) % BINS]++;
    }
  }
  printf("%.1f %.1f:", sum, most);
  for (int k = 0; k < BINS; k++) printf(" %ld", counts[k]);
  printf("\n");
}

static void mixed(const int *x, int *y, int rounds) {
  long here = 0, there = 5;
  int blocks = 1;
#pragma omp target data map(to : x[0 : N]) map(tofrom : y[0 : N], there)
  {
    for (int r = 0; r < rounds; r++) {
      blocks = 1 + r * 7;
#pragma omp target teams distribute parallel for num_teams(blocks) reduction(+ : there)
      for (int i = 0; i < N; i++) there += x[i];
#pragma omp target teams distribute parallel for reduction(+ : here)
      for (int i = 0; i < N; i++) here += y[i];
#pragma omp target teams distribute parallel for map(to : there)
      for (int i = 0; i < N; i++) y[i] += (int)(there % 10);
    }
  }
  printf("%ld %ld %d %d\n", here, there, y[0], y[N - 1]);
}

static void large(const int *x, int rounds) {
  static int many[600];
#pragma omp target data map(tofrom : many) map(to : x[0 : N])
  {
    for (int r = 1; r <= rounds; r++) {
#pragma omp target teams distribute parallel for num_teams(10 * r) reduction(+ : many)
      for (int i = 0; i < N; i++) many[(x[i] * 3 + r) % 600] += r;
    }
  }
  long found = 0;
  for (int k = 0; k < 600; k++) found = (found * 31 + many[k]) % 1000003;
  printf("%ld\n", found);
}

int main(void) {
  int *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
  for (int i = 0; i < N; i++) x[i] = i * 37 % 1013, y[i] = i % 3;
  present(x, 12);
  present(x, 3);
  mixed(x, y, 6);
  large(x, 8);
  free(x);
  free(y);
  return 0;
}
