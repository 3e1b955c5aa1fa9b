/* Light loops of teams, of which a thread computes four values before it stores the first, and those that look alike but
   whose threads rely on the order of their own iterations. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define TEAMS 300
#define N 1024

static double a[TEAMS][N], b[TEAMS][N], w[TEAMS][N];

static void fill(void) {
  for (int t = 0; t < TEAMS; t++)
    for (int i = 0; i < N; i++) a[t][i] = i % 17, w[t][i] = (t + i) % 13, b[t][i] = -1;
}

static void print(const char *what) {
  double sum = 0;
  for (int t = 0; t < TEAMS; t++)
    for (int i = 0; i < N; i++) sum += a[t][i] * (i + 1) + b[t][i] * (t % 7 + 1);
  printf("%s: %.0f\n", what, sum);
}

static void moved(double *to, const double *from, int n) {
#pragma omp target teams distribute
  for (int t = 0; t < TEAMS; t++) {
    double *row = to + t * N;
    const double *other = from + t * N;
#pragma omp parallel for
    for (int i = 0; i < n; i++) row[i] = i > 0 ? other[i] - other[i - 1] : other[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++) row[i] = row[i] * 2 + 1; /* in place */
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      if (other[i] > 3) row[i] = other[i] + row[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      if (other[i] > 8)
        row[i] = other[i];
      else if (other[i] < 2)
        row[i] = -other[i];
      else
        row[i] = 1 + row[i];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
      double here = other[i];
      if (here > 5) {
        row[i] = here - row[i];
      }
    }
  }
}

/* One thread executes the iterations in their order, whoever chose it. */
static void alone(int threads) {
#pragma omp target teams distribute
  for (int t = 0; t < TEAMS; t++) {
#pragma omp parallel for num_threads(threads)
    for (int i = 1; i < N; i++) a[t][i] = a[t][i - 1] + w[t][i];
  }
}

static void limited(void) {
#pragma omp target teams distribute thread_limit(1)
  for (int t = 0; t < TEAMS; t++) {
#pragma omp parallel for
    for (int i = 1; i < N; i++) a[t][i] = a[t][i - 1] - w[t][i];
  }
}

/* Each thread has a place of its own, or knows which iterations it has. */
static void own(void) {
#pragma omp target teams distribute
  for (int t = 0; t < TEAMS; t++) {
    double part[128] = {0}, kept[128] = {0};
#pragma omp parallel num_threads(128)
    {
      int me = omp_get_thread_num();
      double mine[1] = {0};
      part[me] = 0;
#pragma omp for
      for (int i = 0; i < N; i++) part[me] = part[me] + w[t][i];
#pragma omp for nowait
      for (int i = 0; i < N; i++) mine[0] = mine[0] + w[t][i];
      kept[me] = mine[0];
    }
    double sum = 0;
    for (int k = 0; k < 128; k++) sum += part[k] - kept[k] / 2;
    b[t][0] = sum;
#pragma omp parallel for num_threads(128) schedule(static, 1)
    for (int i = 128; i < N; i++) a[t][i] = a[t][i - 128] + 1;
  }
}

int main(void) {
#pragma omp target enter data map(to : a, b, w)
  fill();
#pragma omp target update to(a, b, w)
  moved(&b[0][0], &a[0][0], N);
  moved(&a[0][0], &w[0][0], N - 1);
#pragma omp target update from(a, b)
  print("moved");
  fill();
#pragma omp target update to(a, b)
  alone(1);
#pragma omp target update from(a)
  print("alone");
  limited();
#pragma omp target update from(a)
  print("limited");
  own();
#pragma omp target update from(a, b)
  print("own");
}
