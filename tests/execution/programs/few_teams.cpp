/* Loops of few teams whose threads the program leaves open: blocks may be wide, and some kernels have a form for these.
   However many threads there are, each iteration is executed once, and sums are whole. */
#include <cstdio>
#include <cstdlib>

static const int most = 40000;
static int *x, *y;

struct Ends {
  int least, greatest;
};
#pragma omp declare reduction(ends : Ends : omp_out.least = omp_in.least < omp_out.least ? omp_in.least : omp_out.least,   \
                                  omp_out.greatest = omp_in.greatest > omp_out.greatest ? omp_in.greatest                  \
                                                                                         : omp_out.greatest)               \
    initializer(omp_priv = Ends{1 << 30, -1})

static int turns(int from, int m) {
  int s = from;
  for (int j = 0; j < m; j++) s = (s * 7 + j) & 0xffff;
  return s;
}

static int in_one(const int *values, int m) {
  int s = 0;
#pragma omp simd reduction(+ : s)
  for (int j = 0; j < m; j++) s += values[j];
  return s;
}

static int counted(int *p, int by) {
  int old;
#pragma omp atomic capture
  { old = *p; *p += by; }
  return old >= 0;
}

static void show(const char *what, int n, int teams) {
  unsigned long long sum = 0;
#pragma omp target update from(y[0 : most])
  for (int k = 0; k < most; k++) sum = sum * 31 + (unsigned)y[k];
  printf("%s of %d by %d: %llx\n", what, n, teams, sum);
}

static void light(int n, int teams) {
#pragma omp target teams distribute parallel for num_teams(teams)
  for (int i = 0; i < n; i++) y[i] += 2 * x[i];
  show("light", n, teams);
#pragma omp target teams distribute parallel for simd num_teams(teams) schedule(static, 1)
  for (long i = n; i > 0; i -= 2) y[i - 1] ^= (int)i;
  show("downwards", n, teams);
#pragma omp target teams distribute parallel for num_teams(n > 200 ? teams : 1)
  for (unsigned i = 3; i <= (unsigned)n; i += 3) y[i - 1] += x[i - 1] > 5 ? 1 : -1;
  show("one team for few", n, teams);
#pragma omp target teams distribute parallel for collapse(2) num_teams(teams)
  for (int i = 0; i < n / 9; i++)
    for (int j = 0; j < 9; j++) y[i * 9 + j] += i - j;
  show("nest", n, teams);
#pragma omp target teams loop num_teams(128)
  for (int i = 0; i < n; i++) y[i] = y[i] * 3 + 1;
  show("loop", n, 128);
  int count = 0, whole = 0;
#pragma omp target teams distribute parallel for num_teams(teams) map(tofrom : count, whole)
  for (int i = 0; i < n; i++) {
    y[i] += counted(&count, i & 3);
#pragma omp atomic
    whole += i % 5;
  }
  printf("changed by all threads: %d %d\n", count, whole);
  show("counted", n, teams);
}

static void long_ones(int n, int m, int teams) {
#pragma omp target teams distribute parallel for num_teams(teams)
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++) s += x[(i + j) % most];
    y[i] += s;
  }
  show("loads in turn", n, teams);
#pragma omp target teams distribute parallel for num_teams(teams)
  for (int i = 0; i < n; i++) y[i] += turns(x[i], m);
  show("turns", n, teams);
#pragma omp target teams distribute parallel for num_teams(teams)
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++)
      for (int k = 0; k < j; k++) s += (k ^ i) & 3;
    y[i] += s;
  }
  show("nested", n, teams);
  int table[20], last = -1;
  for (int k = 0; k < 20; k++) table[k] = k * k;
#pragma omp target teams distribute parallel for num_teams(teams) firstprivate(table) lastprivate(last)
  for (int i = 0; i < n; i++) {
    for (int k = 1; k < 20; k++) table[k] = (table[k] & 0xff) + (k == i % 20);
    y[i] += (table[i % 20] >= 0) + in_one(x + i % 100, m);
    last = i;
  }
  printf("last %d\n", last);
  show("arrays of threads", n, teams);
}

static void sums(int n, int teams) {
  long s = 1;
  int least = 99, bits = 0, any = 0;
  Ends ends = {1 << 29, -1};
#pragma omp target teams distribute parallel for num_teams(teams) reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i];
#pragma omp target teams distribute parallel for num_teams(teams) reduction(+ : s) reduction(min : least) \
    reduction(| : bits) reduction(|| : any)
  for (int i = 0; i < n; i++) {
    s += y[i] & 15;
    least = x[i] < least ? x[i] : least;
    bits |= 1 << (i % 17);
    any = any || x[i] == 12;
  }
#pragma omp target teams distribute parallel for num_teams(teams) reduction(ends : ends)
  for (int i = 0; i < n; i++) {
    const int value = turns(x[i], 5);
    if (value < ends.least) ends.least = value;
    if (value > ends.greatest) ends.greatest = value;
  }
  int found[4] = {0, 0, 0, 0}, *const pointed = found, counts[8] = {0};
#pragma omp target teams distribute parallel for num_teams(teams) reduction(max : pointed[0 : 4])
  for (int i = 0; i < n; i++) {
    const int k = x[i] & 3;
    pointed[k] = x[i] > pointed[k] ? x[i] : pointed[k];
  }
#pragma omp target teams distribute parallel for num_teams(teams) reduction(+ : counts)
  for (int i = 0; i < n; i++) counts[x[i] & 7] += 1;
  printf("sums of %d by %d: %ld %d %x %d, %d to %d, %d %d %d %d, %d %d\n", n, teams, s, least, bits, any, ends.least,
         ends.greatest, found[0], found[1], found[2], found[3], counts[0], counts[7]);
}

template <class T, int Teams> T template_sum(int n, const T *values) {
  T s = 0;
#pragma omp target teams distribute parallel for num_teams(Teams) reduction(+ : s) map(to : values[0 : n])
  for (int i = 0; i < n; i++) s += values[i];
  return s;
}

template <class T, class F> void each(int n, int teams, T *values, F f) {
#pragma omp target teams distribute parallel for num_teams(teams) map(tofrom : values[0 : n]) firstprivate(f)
  for (int i = 0; i < n; i++) values[i] = f(i, values[i]);
}

template <class T> struct Box {
  T value;
};

template <template <class> class B, class T, int... K> T with_packs(int n, int m, int teams, T *values) {
  T s = 0;
#pragma omp target teams distribute parallel for num_teams(teams) map(tofrom : values[0 : n]) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    B<T> box{values[i]};
    const int more[] = {K...};
    for (int k = 0; k < m; k++) box.value += more[k % sizeof...(K)] * k;
    values[i] = box.value & 0xffff;
    s += values[i] & 7;
  }
  return s;
}

static void templates(int n, int teams) {
  each(n, teams, y, [](int i, int old) { return old + i; });
  each(n, teams, y, [=](int i, int old) {
    for (int k = 0; k < teams % 50; k++) old = (old * 5 + k + i) & 0xfffff;
    return old;
  });
  show("lambdas", n, teams);
  printf("packs %d\n", with_packs<Box, int, 3, 1, 2>(n, 9, teams, y));
  printf("%d %d\n", template_sum<int, 100>(n, x), template_sum<int, 5000>(n, x));
}

static int private_arrays(int n, int m, int teams) {
  int own[300];
  int s = 0;
#pragma omp target teams distribute parallel for num_teams(teams) private(own) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) own[j] = i ^ j;
    s += own[i % m] & 255;
  }
  return s;
}

int main() {
  const int teams[] = {1, 2, 7, 64, 128, 300, 3000};
  const int counts[] = {0, 1, 31, 257, 5000, 36000};
  x = (int *)malloc(sizeof *x * most), y = (int *)malloc(sizeof *y * most);
  for (int k = 0; k < most; k++) x[k] = (int)(k * 2654435761u >> 17) % 13, y[k] = k % 7;
  for (int n : counts)
    for (int some : teams) {
#pragma omp target data map(to : x[0 : most]) map(tofrom : y[0 : most])
      {
        light(n, some);
        long_ones(n, 9, some);
        sums(n, some);
        templates(n, some);
      }
      printf("private %d\n", private_arrays(n, 300, some));
    }
  free(x), free(y);
}
