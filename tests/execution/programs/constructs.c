/* Every supported construct: combined, one inside the other, with simd. */
#include <omp.h>
#include <stdio.h>

#define N 1000
static int a[N], b[N];

static void reset(void) {
  for (int i = 0; i < N; i++) a[i] = i, b[i] = 3 * i + 1;
}

static void show(const char *what) {
  long long sum = 0, weighted = 0;
  for (int i = 0; i < N; i++) sum += a[i], weighted += (long long)i * a[i];
  printf("%s: %lld %lld %d %d\n", what, sum, weighted, a[0], a[N - 1]);
  reset();
}

#define BODY a[i] = 2 * a[i] + b[i];

static void combined(void) {
#pragma omp target map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) { BODY }
  show("target");
#pragma omp target simd map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) { BODY }
  show("target simd");
#pragma omp target parallel for map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) { BODY }
  show("target parallel for");
#pragma omp target parallel for simd map(tofrom : a) map(to : b) simdlen(8)
  for (int i = 0; i < N; i++) { BODY }
  show("target parallel for simd");
#pragma omp target teams distribute map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) { BODY }
  show("target teams distribute");
#pragma omp target teams distribute simd map(tofrom : a) map(to : b) safelen(4)
  for (int i = 0; i < N; i++) { BODY }
  show("target teams distribute simd");
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : b)
  for (int i = 0; i < N; i++) { BODY }
  show("target teams distribute parallel for");
#pragma omp target teams distribute parallel for simd map(tofrom : a) map(to : b) aligned(a, b : 4)
  for (int i = 0; i < N; i++) { BODY }
  show("target teams distribute parallel for simd");
}

static void spmd(void) {
#pragma omp target teams map(tofrom : a) num_teams(7)
  {
    int team = omp_get_team_num(), teams = omp_get_num_teams();
    for (int i = team; i < N; i += teams) a[i] += 5 * i;
  }
  show("target teams");
#pragma omp target parallel map(tofrom : a) num_threads(13)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    for (int i = me; i < N; i += all) a[i] += 7 * i;
  }
  show("target parallel");
}

static void nested(void) {
#pragma omp target map(tofrom : a) map(to : b)
#pragma omp parallel for
  for (int i = 0; i < N; i++) { BODY }
  show("target + parallel for");
#pragma omp target map(tofrom : a) map(to : b)
#pragma omp teams distribute parallel for
  for (int i = 0; i < N; i++) { BODY }
  show("target + teams distribute parallel for");
#pragma omp target map(tofrom : a) map(to : b)
#pragma omp teams
#pragma omp distribute
  for (int i = 0; i < N; i++) { BODY }
  show("target + teams + distribute");
#pragma omp target map(tofrom : a) map(to : b)
  {
#pragma omp teams
    {
#pragma omp distribute parallel for simd
      for (int i = 0; i < N; i++) { BODY }
    }
  }
  show("target { teams { distribute parallel for simd } }");
#pragma omp target teams map(tofrom : a) map(to : b)
#pragma omp distribute parallel for
  for (int i = 0; i < N; i++) { BODY }
  show("target teams + distribute parallel for");
#pragma omp target map(tofrom : a) map(to : b)
#pragma omp teams
#pragma omp distribute
  for (int i = 0; i < N; i += 10) {
#pragma omp simd
    for (int k = 0; k < 10; k++) a[i + k] += b[i + k];
  }
  show("distribute with a simd loop inside");
}

static void limits(void) {
  int n = N, threads = 3;
#pragma omp target teams distribute parallel for num_teams(3) num_threads(5) map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++) { BODY }
  show("num_teams num_threads");
#pragma omp target teams distribute parallel for thread_limit(64) map(tofrom : a[0 : n]) map(to : b[0 : n])
  for (int i = 0; i < n; i++) { BODY }
  show("thread_limit");
#pragma omp target teams distribute parallel for num_teams(threads + 1) num_threads(threads * 2) map(tofrom : a) map(to : b)
  for (int i = 0; i < n; i++) { BODY }
  show("run-time teams and threads");
}

static void device_side(void) {
  int host[3] = {9, 9, 9}, teams = 0, threads = 0;
#pragma omp target map(from : host)
  {
    host[0] = omp_get_num_teams() >= 1;
    host[1] = omp_get_team_num();
    host[2] = omp_get_thread_num();
  }
  printf("in a target region: %d %d %d\n", host[0], host[1], host[2]);
#pragma omp target teams num_teams(4) map(tofrom : teams)
  {
#pragma omp atomic
    teams += 1;
  }
#pragma omp target parallel num_threads(6) map(tofrom : threads)
  {
#pragma omp atomic
    threads += 1;
  }
#ifdef _OPENMP
  printf("teams run: %d, threads run: %d\n", omp_is_initial_device() == 1 && teams >= 1 && teams <= 4, threads >= 1 && threads <= 6);
#else
  printf("teams run: 1, threads run: 1\n");
#endif
}

int main(void) {
  reset();
  combined();
  spmd();
  nested();
  limits();
  device_side();
  return 0;
}
