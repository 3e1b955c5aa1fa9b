/* Functions with parallels that the sequential code of a team calls: by all threads together, and by one where that
   cannot be; results, memory that callers and functions change in turn, functions that call each other and themselves. */
#include <stdio.h>

#define N 200
#define ROWS 5

#pragma omp declare target
static float norm2(const float *x, int m) {
  float s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < m; i++) s += x[i] * x[i];
  return s;
}

/* Leaves early, has variables that its threads share, parallels in a loop. */
static int smooth(int *a, int m, int rounds) {
  if (m <= 2) return -1;
  int changed = 0, edge[2];
  for (int r = 0; r < rounds; r++) {
    edge[0] = a[0];
    edge[1] = a[m - 1];
    if (edge[0] == edge[1] + 1000) return r;
#pragma omp parallel
    {
#pragma omp for
      for (int i = 1; i < m - 1; i++) a[i] += edge[i % 2] + r;
#pragma omp for reduction(+ : changed)
      for (int i = 0; i < m; i++) changed += a[i] & 1;
    }
    a[0]++;
  }
  return changed;
}

/* Statements of one thread in front of parallels and behind them, a result in memory. */
static void rank(int *a, int *out, int m) {
  int most = a[0];
  for (int i = 0; i < m; i++)
    if (a[i] > most) most = a[i];
  out[0] = most;
#pragma omp parallel for
  for (int i = 1; i < m; i++) out[i] = a[i] - out[0];
  out[0] += 7;
}

/* Calls another one, with its result in an expression. */
static int both(int *a, int *out, int m) {
  int sum = smooth(a, m, 2);
  rank(a, out, m);
  out[m - 1] = smooth(out, m, 1) * 2;
  return sum + out[m - 1] % 5;
}

/* Without prototypes, as older C has them. */
int counted[N];
static int count_up() {
#pragma omp parallel for
  for (int i = 0; i < N; i++) counted[i] += i;
  return counted[N - 1];
}
static int scaled(m, by)
int m, by;
{
#pragma omp parallel for
  for (int i = 0; i < m; i++) counted[i] *= by;
  return counted[m - 1];
}

/* Calls itself: the inner calls are one thread's. */
static int halves(int *a, int m) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < m; i++) sum += a[i];
  if (m < 2) return sum;
  sum += halves(a, m / 2);
  return sum;
}

static int odd(int *a, int m);
static int even(int *a, int m) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < m; i += 2) sum += a[i];
  return m > 0 ? sum + odd(a, m - 1) : sum;
}
static int odd(int *a, int m) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i < m; i += 2) sum += a[i];
  return m > 0 ? sum - even(a, m - 1) : sum;
}

/* A parameter that a parallel changes; one whose address is taken; a static variable. */
static int shares(int *a, int m, int seen) {
#pragma omp parallel for
  for (int i = 0; i < m; i++) {
    a[i]++;
    if (i == m - 1) seen += a[i];
  }
  return seen;
}
static int counts(int *a, int m) {
  int before = m, *p = &m;
  *p -= 1;
#pragma omp parallel for
  for (int i = 0; i < m; i++) a[i] += before;
  return m;
}
static void bump(int *n) { *n += 3; }
static int lifted(int *a, int m) {
  int k = 1;
  bump(&k);
#pragma omp parallel for
  for (int i = 0; i < m; i++) a[i] *= k;
  bump(&k);
  return k + a[1];
}
/* Works with the constructs of one thread, and asks who it is. */
static int asks(int *a, int m) {
  int ones = 0;
#pragma omp critical
  ones++;
#pragma omp parallel
  {
#pragma omp single
    a[0] += 5;
#pragma omp for
    for (int i = 1; i < m; i++) a[i] += a[0];
#pragma omp atomic
    ones += 0;
  }
  return ones;
}
static void shared_loop(int *a, int m) {
#pragma omp for
  for (int i = 0; i < m; i++) a[i] += 2;
}
static int hands_on(int *a, int m) {
#pragma omp parallel
  shared_loop(a, m);
  shared_loop(a, 3);
  return a[m - 1];
}
#pragma omp end declare target

static void fill(int *a, int n) {
  for (int i = 0; i < n; i++) a[i] = (i * 37) % 101 - 20;
}
static long hash(const int *a, int n) {
  long h = 7;
  for (int i = 0; i < n; i++) h = (h * 31 + a[i]) % 1000003;
  return h;
}

static int a[ROWS * N], b[ROWS * N], kept[ROWS][12];
static float x[ROWS * N], norms[ROWS];

static void rows(int m) {
  fill(a, ROWS * N);
#pragma omp target teams distribute thread_limit(13) map(tofrom : a, b, kept)
  for (int r = 0; r < ROWS; r++) {
    int *mine = a + r * N, *out = b + r * N, k = 0;
    k = smooth(mine, m, 3);
    kept[r][0] = k;
    k += both(mine, out, m);
    mine[2] = k;
    kept[r][1] = halves(mine, m / 25);
    kept[r][2] = even(mine, 5) + smooth(mine, 2, 1);
    for (int i = 0; i < 3; i++) kept[r][3] += smooth(mine, m - i, i);
    if (mine[0] > -5000) kept[r][4] = smooth(mine, m, 1);
    else
      kept[r][4] = 3;
#pragma omp parallel for
    for (int i = 0; i < m; i++) mine[i] -= smooth(&mine[i], 1, i);
    kept[r][5] = smooth(mine, m, 2);
    mine[5] = 4;
    rank(mine, out, m);
    mine[6] = out[1];
  }
  printf("rows %ld %ld %ld\n", hash(a, ROWS * N), hash(b, ROWS * N), hash(&kept[0][0], ROWS * 12));
}

static void more(int m) {
  fill(a, ROWS * N);
#pragma omp target teams distribute thread_limit(8) map(tofrom : a, kept)
  for (int r = 0; r < ROWS; r++) {
    int *mine = a + r * N, local[20];
    for (int i = 0; i < 20; i++) local[i] = i;
    kept[r][0] = shares(mine, m, r);
    kept[r][1] = counts(mine, m);
    kept[r][2] = lifted(mine, m) + lifted(local, 20);
    kept[r][3] = asks(mine, m);
    kept[r][4] = hands_on(mine, m);
    int s = local[4], t = smooth(local, 20, 2);
    s += t ? smooth(local, 20, 1) : 5;
    while (smooth(local, 20, 1) > 0 && s < 2000) s += 100;
    kept[r][5] = s + local[7];
    int (*through)(int *, int) = hands_on;
    kept[r][6] = through(mine, m);
  }
  printf("more %ld %ld\n", hash(a, ROWS * N), hash(&kept[0][0], ROWS * 12));
}

static void norm(int m) {
  for (int i = 0; i < ROWS * N; i++) x[i] = (float)(i % 9);
#pragma omp target teams distribute
  for (int r = 0; r < ROWS; r++) {
    float s = norm2(x + r * N, m);
    float f = s > 0 ? 4 / s : 0;
    norms[r] = s;
#pragma omp parallel for
    for (int i = 0; i < m; i++) x[r * N + i] *= f;
    norms[r] += norm2(x + r * N, 2) + (norm2(x + r * N, 1) > 100 ? 1 : 0);
  }
  for (int r = 0; r < ROWS; r++) printf("norm %.5f\n", norms[r]);
}

/* No parallel of the region's own; a result that is mapped. */
static void alone(int m) {
  int result = 0, second = 0;
  fill(a, N);
#pragma omp target map(tofrom : a, result, second) thread_limit(9)
  {
    result = smooth(a, m, 3);
    second += smooth(a, m, 1) - result;
  }
  printf("alone %d %d %ld\n", result, second, hash(a, N));
#pragma omp target map(tofrom : a)
  rank(a, a + N, m);
  printf("alone %ld\n", hash(a, 2 * N));
#pragma omp target teams distribute reduction(+ : result) map(tofrom : a)
  for (int r = 0; r < 4; r++) result += smooth(a + r * N, m, r);
  printf("alone %d %ld\n", result, hash(a, ROWS * N));
#pragma omp target parallel for map(tofrom : a) num_threads(7)
  for (int r = 0; r < 4; r++) a[r * N] += smooth(a + r * N, m, r);
  printf("alone %ld\n", hash(a, ROWS * N));
}

static void without_prototypes(void) {
  int sum = 0;
#pragma omp target map(tofrom : sum)
  {
    sum = count_up();
    sum += scaled(N / 2, 3) - scaled(N, 2);
  }
#pragma omp target update from(counted)
  printf("without prototypes %d %ld\n", sum, hash(counted, N));
}

int main(void) {
  without_prototypes();
  rows(N);
  rows(17);
  more(N);
  more(33);
  norm(N);
  alone(N);
  alone(3);
  return 0;
}
