/* Directives in attributes of C23: on statements, around blocks, without a statement. */
#include <stdio.h>

static int counts[4];
[[omp::directive(declare target(counts))]];

static int fill(int n, int *p) {
  int most = 0;
  [[omp::directive(target data map(tofrom : p[0 : n]))]] {
    [[omp::directive(target teams distribute parallel for reduction(max : most) /* the greatest */
                     map(tofrom : most))]]
    for (int i = 0; i < n; i++) {
      p[i] = (i * 7) % n;
      if (p[i] > most) most = p[i];
    }
    [[omp::sequence(directive(target map(to : n)), directive(parallel for))]]
    for (int i = 0; i < n; i++) {
      [[omp::directive(atomic)]] counts[p[i] % 4]++;
    }
  }
  return most;
}

int main(void) {
  int p[50];
  int most = fill(50, p);
  [[omp::directive(target update from(counts))]];
  printf("%d %d: %d %d %d %d\n", most, p[9], counts[0], counts[1], counts[2], counts[3]);
  return 0;
}
