/* Teams of a warp or less: their numbers, loops, barriers, reductions and memory, whatever teams share a block. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3001, M = 45, LONG = 200000 };

static int start[N + 1], column[N * M];
static double value[N * M], x[N], y[N];
static float a[N * M], b[N * M];
static long long counts[N];
static int teams_of[N], seen[N];

#pragma omp declare target
static int longest_run(const int *from, int n) { /* a function of its own loop */
  int best = 0, run = 0;
  for (int i = 0; i < n; i++) {
    run = from[i] % 3 ? run + 1 : 0;
    if (run > best) best = run;
  }
  return best;
}
#pragma omp end declare target

static void csr(int n, int bias) {
#pragma omp target teams distribute thread_limit(32)
  for (int i = 0; i < n; i++) {
    double sum = bias;
#pragma omp parallel for reduction(+ : sum) num_threads(32)
    for (int j = start[i]; j < start[i + 1]; j++) sum += value[j] * x[column[j]];
    y[i] = sum;
  }
}

static long long search(int n, int limit, int *most) {
  long long found = 5;
  int best = *most;
#pragma omp target teams distribute reduction(+ : found) reduction(max : best) thread_limit(32) map(tofrom : found, best)
  for (int v = 0; v < n; v++) {
    const int begin = start[v], end = start[v + 1];
    long long mine = 0;
    int here = -1;
#pragma omp parallel for reduction(+ : mine) reduction(max : here)
    for (int k = begin; k < end; k++) {
      if (column[k] < limit) mine += column[k];
      if (column[k] > here) here = column[k];
    }
    found += mine;
    best = here > best ? here : best;
  }
  *most = best;
  return found;
}

static void rows(int n) { /* half a warp, three loops */
#pragma omp target teams distribute thread_limit(16)
  for (int i = 0; i < n; i++) {
    float most = -1e30f, sum = 0;
#pragma omp parallel for reduction(max : most)
    for (int j = 0; j < M; j++) most = a[i * M + j] > most ? a[i * M + j] : most;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < M; j++) sum += most - a[i * M + j];
#pragma omp parallel for
    for (int j = 0; j < M; j++) b[i * M + j] = (most - a[i * M + j]) + sum;
  }
}

static void numbers(int n, int teams) { /* who a thread is, as many teams as asked for */
#pragma omp target teams distribute num_teams(teams) thread_limit(8)
  for (int i = 0; i < n; i++) {
    teams_of[i] = omp_get_team_num() * 100000 + omp_get_num_teams();
#pragma omp parallel
    {
#pragma omp atomic
      counts[i] += 1000000LL * omp_get_num_threads() + omp_get_thread_num();
    }
  }
}

static void meeting(int n) { /* a barrier, a single and a critical inside of a parallel */
#pragma omp target teams distribute thread_limit(32)
  for (int i = 0; i < n; i++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      for (int j = me; j < M; j += threads) b[i * M + j] = a[i * M + j];
#pragma omp barrier
      for (int j = me; j < M; j += threads) a[i * M + j] = b[i * M + (j + 1) % M] + 1;
#pragma omp barrier
#pragma omp masked
      seen[i] = longest_run(column + i * M, M);
#pragma omp critical
      counts[i] |= 3;
    }
  }
}

static void shared(int n) { /* memory of the team */
#pragma omp target teams distribute thread_limit(32)
  for (int i = 0; i < n; i++) {
    int bins[8];
    for (int k = 0; k < 8; k++) bins[k] = i;
#pragma omp parallel for
    for (int j = 0; j < M; j++)
#pragma omp atomic
      bins[column[i * M + j] % 8]++;
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += bins[k] * (k + 1);
    seen[i] += sum;
  }
}

static int once(int teams) { /* no loop of teams: whether the sum is that of as many as there are */
  long long sum = 0;
  int got = 0;
#pragma omp target teams num_teams(teams) thread_limit(32) reduction(+ : sum) map(tofrom : sum) map(from : got)
  {
    long long own = 0;
    if (omp_get_team_num() == 0) got = omp_get_num_teams();
#pragma omp parallel for reduction(+ : own)
    for (int k = 0; k < 100; k++) own += k * (omp_get_team_num() + 1);
    sum += own;
  }
  return sum == 4950LL * got * (got + 1) / 2;
}

static void chunks(int n) {
#pragma omp target teams distribute dist_schedule(static, 7) thread_limit(4)
  for (int i = 0; i < n; i++) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int j = 0; j < i % M; j++) sum += column[i * M + j];
    seen[i] = sum;
  }
}

enum { ROWS = 20011 };
static int ends[ROWS + 1];
static long long weights[ROWS];

static long long by_rows(int n, const int *p, long long *w, long long *most) { /* as many teams as there may be */
  long long all = 3, greatest = *most;
#pragma omp target teams distribute reduction(+ : all) reduction(max : greatest) map(to : p[0 : n + 1]) map(from : w[0 : n])
  for (int i = 0; i < n; i++) {
    const int first = p[i], last = p[i + 1];
    long long mine = 0;
#pragma omp parallel for reduction(+ : mine)
    for (int k = first; k < last; k++)
      for (int j = k; j > 0; j /= 3) mine += j % 5;
    w[i] = mine;
    all += mine;
    greatest = mine > greatest ? mine : greatest;
  }
  *most = greatest;
  return all;
}
static long long twice(int n, const int *p, long long *w) { /* two loops, a barrier between what they write and read */
#pragma omp target teams distribute map(to : p[0 : n + 1]) map(tofrom : w[0 : n])
  for (int i = 0; i < n; i++) {
    long long least = 1 << 30;
    w[i] += 1;
#pragma omp parallel for reduction(min : least)
    for (int k = p[i]; k < p[i + 1]; k++)
      for (int j = k; j > 0; j /= 3) least = least < j + w[i] ? least : j + w[i];
    w[i] += least;
#pragma omp parallel for
    for (int k = p[i]; k < p[i + 1]; k++)
      if (k % 7 == 0)
#pragma omp atomic
        w[i] += k;
    w[i] += 3;
  }
  long long sum = 0;
  for (int i = 0; i < n; i++) sum += w[i] % 10007;
  return sum;
}
static long long rows_of(int length, int longest) {
  long long most = 1;
  for (int i = 0; i < ROWS; i++) ends[i + 1] = ends[i] + (i == ROWS / 3 ? longest : i * 37 % (2 * length + 1));
  long long all = by_rows(9000, ends, weights, &most) + by_rows(1, ends, weights, &most);
  all += by_rows(0, ends, weights, &most) + by_rows(ROWS, ends, weights, &most);
  return all % 1000003 * 100 + most % 97 + twice(ROWS, ends, weights);
}

static double long_row(void) { /* one team, many iterations */
  double sum = 0;
#pragma omp target teams distribute reduction(+ : sum) thread_limit(32) map(tofrom : sum)
  for (int i = 0; i < 1; i++) {
    double own = 0;
#pragma omp parallel for reduction(+ : own)
    for (int k = 0; k < LONG; k++) own += k % 7;
    sum += own;
  }
  return sum;
}

static void tell(const char *what) {
  double of_y = 0, of_b = 0, of_a = 0;
  long long of_counts = 0, of_teams = 0, of_seen = 0;
  for (int i = 0; i < N; i++) of_y += y[i], of_counts += counts[i], of_teams += teams_of[i], of_seen += seen[i];
  for (int i = 0; i < N * M; i++) of_a += a[i], of_b += b[i];
  printf("%s: %.1f %.1f %.1f %lld %lld %lld\n", what, of_y, of_a, of_b, of_counts, of_teams, of_seen);
}

int main(void) {
  for (int i = 0; i < N; i++) {
    start[i + 1] = start[i] + i * 7 % M;
    x[i] = i % 11;
  }
  for (int i = 0; i < N * M; i++) column[i] = i * 13 % N, value[i] = i % 5, a[i] = (float)(i * 17 % 64);
  int most = 7;
#pragma omp target data map(to : start, column, value, x) map(tofrom : y, a, b, counts, teams_of, seen)
  {
    csr(N, 1), csr(5, 2), csr(0, 3), csr(1, 4);
    const long long first = search(N, 900, &most), second = search(3, 900, &most);
    printf("%lld %lld %d\n", first, second, most);
    rows(N), rows(1);
    meeting(N);
    shared(N);
    printf("%d %d %d\n", once(1), once(8), once(13));
    printf("%.1f\n", long_row());
    printf("%lld %lld %lld\n", rows_of(6, 10), rows_of(100, 10), rows_of(3, 100000));
#pragma omp target update from(y, a, b, counts, seen)
    tell("loops");
    chunks(N);
#pragma omp target update from(seen)
    tell("chunks");
  }
  /* what depends on how many threads there are has one answer in each team */
  for (int teams = 1; teams < 4000; teams = teams * 3 + 2) {
#pragma omp target data map(tofrom : counts, teams_of)
    {
      for (int i = 0; i < N; i++) counts[i] = teams_of[i] = 0;
#pragma omp target update to(counts, teams_of)
      numbers(N, teams);
    }
    int wrong = 0;
    for (int i = 0; i < N; i++) {
      const long long threads = counts[i] > 0 ? (long long)(counts[i] / 1000000.0 + 0.5) : 0;
      long long expected = 0;
      for (long long t = 1; t <= 8; t++)
        if (t * t == threads) expected = t * t * 1000000 + t * (t - 1) / 2;
      const int number = teams_of[i] / 100000, of = teams_of[i] % 100000;
      wrong += expected != counts[i] || number >= of || of > teams;
    }
    printf("%d\n", wrong);
  }
  return 0;
}
