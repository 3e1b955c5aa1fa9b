/* groupprivate (OpenMP 6.0, 7.13): each team has a variable of its own, and the host's keep their values. */
#include <stdio.h>

#define N 96
#define TEAMS 40

#ifdef _OPENMP
#define KEPT(variable, value) ((variable) == (value))
#else
#define KEPT(variable, value) 1
#endif

struct cell {
  int n;
  double x;
};

extern int count;
static double tile[N];
struct cell cells[4] __attribute__((aligned(32)));
int count;
volatile unsigned char small[N];
#pragma omp groupprivate(tile, cells, small) device_type(any)
#pragma omp groupprivate(count)
static int never;
#pragma omp groupprivate(never) device_type(host)
int others, *pointer;
#pragma omp groupprivate(pointer)

static void put(int i, double v) { tile[i] = v; }

static double sum_of(int from, int to) {
  double s = 0;
  for (int i = from; i < to; i++) s += tile[i];
  return s + count;
}

static int in_a_function(int x) {
  static int room[N];
#pragma omp groupprivate(room)
  int total = 0;
#pragma omp parallel for
  for (int i = 0; i < N; i++) room[i] = i * x;
  for (int i = 0; i < N; i++) total += room[N - 1 - i] * (i & 3);
  return total;
}

static void at_file_scope(double *out, int *more) {
#pragma omp target teams distribute map(from : out[0 : TEAMS], more[0 : TEAMS]) num_teams(7)
  for (int t = 0; t < TEAMS; t++) {
    count = t;
    cells[t & 3].n = 3 * t;
    cells[3 - (t & 3)].x = t;
#pragma omp parallel for num_threads(32)
    for (int i = 0; i < N; i++) put((i * 7) % N, i * (t + 1) + cells[t & 3].n);
#pragma omp parallel for num_threads(32)
    for (int i = 0; i < N; i++) small[N - 1 - i] = (unsigned char)(i + count);
    out[t] = sum_of(0, N / 2) - sum_of(N / 2, N) + small[5];
    more[t] = in_a_function(t + 1);
  }
}

static void directly(int *out) {
#pragma omp target teams distribute map(from : out[0 : TEAMS])
  for (int t = 0; t < TEAMS; t++) {
    static int mine[N];
#pragma omp groupprivate(mine)
#pragma omp parallel for
    for (int i = 0; i < N; i++) mine[i] = t + i;
    int s = 0;
    for (int i = 0; i < N; i++) s += mine[i] * (i % 5);
    out[t] = s;
  }
}

static void of_a_block(int *out) {
  static int last, many[N];
#pragma omp groupprivate(last, many)
  last = 12;
  many[3] = 4;
#pragma omp target teams distribute map(from : out[0 : TEAMS])
  for (int t = 0; t < TEAMS; t++) {
    int s = 0;
    last = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : s)
      for (int i = 0; i < N; i++) s += i ^ t;
#pragma omp single
      last = s;
#pragma omp for
      for (int i = 0; i < N; i++) many[i] = last + i;
    }
    out[t] = many[N - 1] - many[t];
  }
#pragma omp target parallel map(from : out[0 : 1]) num_threads(4)
  {
#pragma omp single
    last = 70;
#pragma omp barrier
#pragma omp masked
    out[0] = last;
#pragma omp barrier
#pragma omp critical
    last++;
  }
  printf("block %d %d\n", KEPT(last, 12), KEPT(many[3], 4));
}

static int shared_by_all(void) {
  int found = 0;
#pragma omp target parallel map(tofrom : found)
  {
#pragma omp single
    others = count = 5;
#pragma omp for
    for (int i = 0; i < N; i++) tile[i] = i * count;
#pragma omp single
    {
      pointer = &count;
      found = (int)tile[N - 1] + *pointer;
    }
  }
  return found;
}

int main(void) {
  double out[TEAMS];
  int more[TEAMS], i;
  long sum = 0;
  never = 3;
  count = 77;
  tile[N - 1] = 0.5;
  at_file_scope(out, more);
  for (i = 0; i < TEAMS; i++) sum = sum * 31 + (long)out[i] * 7 + more[i], sum %= 1000000007;
  printf("file %ld %g %d\n", sum, out[9], more[11]);
  directly(more);
  for (i = 0; i < TEAMS; i++) sum = sum * 31 + more[i], sum %= 1000000007;
  printf("direct %ld %d\n", sum, more[17]);
  of_a_block(more);
  for (i = 0; i < TEAMS; i++) sum = sum * 31 + more[i], sum %= 1000000007;
  printf("of a block %ld %d %d\n", sum, more[0], more[7]);
  printf("by all %d\n", shared_by_all());
  printf("host %d %d %d\n", KEPT(count, 77), KEPT(tile[N - 1], 0.5), never);
  return 0;
}
