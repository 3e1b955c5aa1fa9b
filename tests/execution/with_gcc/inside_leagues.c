/* Constructs of a league in functions. The host version has no league: code from clang 19 fails there. */
#include <stdio.h>

#define N 120
#pragma omp declare target
static int a[N];

static void share_teams(int *p, int n) {
#pragma omp distribute
  for (int i = 0; i < n; i++) p[i] += 7;
}

static void share_all(int *p, int n) {
#pragma omp distribute parallel for schedule(static, 4)
  for (int i = 0; i < n; i++) {
    int inner = 0;
#pragma omp parallel for reduction(+ : inner)
    for (int k = 0; k <= i; k++) inner += k;
    p[i] += inner;
  }
}

static void share_chunks(int *p, int n) {
#pragma omp distribute simd dist_schedule(static, 3)
  for (int i = n; i > 0; i -= 2) p[i - 1] *= 2;
}

static void share_bound(int *p, int n) {
#pragma omp loop bind(teams)
  for (long i = 0; i < n; ++i) p[i] += 11;
}
#pragma omp end declare target

int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target update to(a)
#pragma omp target teams num_teams(5)
  {
    share_teams(a, 30);
    share_all(a + 30, 30);
    share_chunks(a + 60, 30);
    share_bound(a + 90, 30);
  }
#pragma omp target update from(a)
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += (long long)(i + 1) * a[i];
  printf("%lld\n", sum);
  return 0;
}
