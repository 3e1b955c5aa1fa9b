/* collapse, loops in loops, schedules. */
#include <stdio.h>
#include <string.h>

#define N 30
static int cube[N][N][N];

static void show(const char *what) {
  long long count = 0, where = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) count += cube[i][j][k], where += (long long)cube[i][j][k] * (i * 10007 + j * 101 + k);
  printf("%s: %lld %lld\n", what, count, where);
  memset(cube, 0, sizeof cube);
}

static void collapsed(int n, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cube)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) cube[i][j][0] += i + 2 * j;
  show("collapse(2)");
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : cube)
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= m; j += 2)
      for (int k = 25; k >= 3; k -= 2) cube[i][j][k] += i + 2 * j + k;
  show("collapse(3)");
#pragma omp target teams distribute parallel for simd collapse(2) map(tofrom : cube)
  for (int i = n - 1; i >= 0; i--) {
    for (unsigned j = m; j > 0u; j--) {
      cube[i][j][1] += 1;
    }
  }
  show("collapse down");
#pragma omp target teams distribute collapse(2) map(tofrom : cube)
  for (short i = 0; i != n; ++i)
    for (long j = 0; j != m; ++j) {
      for (int k = 0; k < N; k++) cube[i][j][k] += k;
    }
  show("teams distribute collapse(2)");
#pragma omp target parallel for collapse(2) map(tofrom : cube)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (i == j) continue;
      cube[i][j][2] += 1;
    }
  show("parallel for collapse(2)");
  int i, j, k;
#pragma omp target teams distribute parallel for collapse(3) private(k) map(tofrom : cube)
  for (i = 2; i < n; i += 3)
    for (j = 1; j < m; j += 4)
      for (k = 0; k < N; k += 5) cube[i][j][k]++;
  show("indices declared outside");
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cube)
  for (int i = 0; i < 0; i++)
    for (int j = 0; j < m; j++) cube[i][j][0] = 1;
  show("outer empty");
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : cube)
  for (int i = 0; i < n; i++)
    for (int j = 5; j < 5; j++) cube[i][j][0] = 1;
  show("inner empty");
#pragma omp target teams distribute parallel for collapse(1 + 1) map(tofrom : cube)
  for (unsigned char i = 0; i < 9; i++)
    for (long long j = 29; j > 2; j -= 5) cube[i][j][i] += 1;
  show("constant expression");
  enum { TWO = 2 };
#pragma omp target map(tofrom : cube)
#pragma omp teams
#pragma omp distribute parallel for collapse(TWO)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < j; k++) cube[i][j][k] += 3;
  show("nested constructs, inner loop depends on j");
  int *base = &cube[0][0][0];
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : base[0 : N * N * N])
  for (int i = 0; i < 10; i++)
    for (int *p = base + 5; p < base + 50; p += 3) p[i * 60] += 1;
  show("pointer inside");
}

static void schedules(int n, int chunk) {
#pragma omp target parallel for schedule(static, 3) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("static, 3");
#pragma omp target parallel for schedule(static, chunk) num_threads(4) map(tofrom : cube)
  for (int i = n - 1; i >= 0; i -= 2) cube[i][0][0] += i;
  show("static, chunk down");
#pragma omp target parallel for schedule(dynamic) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("dynamic");
#pragma omp target parallel for schedule(guided, 2) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("guided");
#pragma omp target parallel for schedule(auto) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("auto");
#pragma omp target parallel for schedule(runtime) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("runtime");
#pragma omp target parallel for schedule(monotonic : static, 2) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("monotonic: static");
#pragma omp target teams distribute dist_schedule(static, 4) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][1][0] += i;
  show("dist_schedule");
#pragma omp target teams distribute parallel for dist_schedule(static, 8) schedule(static, 1) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][1][0] += i;
  show("both schedules");
#pragma omp target teams distribute dist_schedule(static, 5) collapse(2) map(tofrom : cube)
  for (int i = 0; i < n; i++)
    for (int j = n - 1; j > 2; j -= 3) cube[i][j][0] += i;
  show("dist_schedule collapse");
#pragma omp target parallel for schedule(static, 7) num_threads(1) map(tofrom : cube)
  for (int i = 1; i <= n - 1; i += 3) cube[i][0][0] += i;
  show("one thread");
#pragma omp target parallel for schedule(static, 100) map(tofrom : cube)
  for (unsigned i = 0; i < 0u; i++) cube[i][0][0] += i;
  show("chunks of nothing");
#pragma omp target parallel for order(concurrent) proc_bind(spread) map(tofrom : cube)
  for (int i = 0; i < n; i++) cube[i][0][0] += i;
  show("order and proc_bind");
}

int main(void) {
  collapsed(29, 23);
  schedules(30, 4);
  return 0;
}
