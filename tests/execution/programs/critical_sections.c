/* Critical sections that are one update, and those whose condition tells that they have nothing to do: of all teams, of
   threads of a team, with ties, members and several variables; sections that need their lock for another one's sake. */
#include <math.h>
#include <stdio.h>

#define N 3000

typedef struct {
  double value;
  long at;
} Best;

static float a[N];
static int k[N];

static void fill(void) {
  for (int i = 0; i < N; i++) {
    a[i] = (float)((i * 7919) % 1013) / 4;
    k[i] = (i * 31) % 17;
  }
}

static void extremes(void) {
  float most = -1, least = 1e9f;
  int at = -1, from = -1;
  Best best = {-5, -1};
#pragma omp target teams distribute parallel for map(tofrom : most, at, least, from, best)
  for (int i = 0; i < N; i++) {
    if (a[i] > 100) {
#pragma omp critical
      if (a[i] > most || (a[i] == most && i < at)) {
        most = a[i];
        at = i;
      }
    }
#pragma omp critical(low)
    if (least > a[i] || (k[i] >= 0 && i < from && a[i] == least)) {
      least = a[i];
      from = i;
    }
    double value = sqrt((double)a[i]) - k[i];
#pragma omp critical(members)
    {
      if (value >= best.value && (value > best.value || i < best.at)) {
        best.value = value;
        best.at = i;
      }
    }
  }
  printf("extremes %g %d %g %d %.12g %ld\n", most, at, least, from, best.value, best.at);
}

static void guarded(void) { // what the conditions ask first lets them divide and read
  int most = -1, at = -1, largest = -1;
#pragma omp target teams distribute parallel for map(tofrom : most, at, largest)
  for (int i = 0; i < 2 * N; i++) {
    int by = i % 5;
#pragma omp critical(divided)
    if (by != 0 && i / by > most) {
      most = i / by;
      at = i;
    }
    const int *p = i < N ? &k[i] : NULL;
#pragma omp critical(pointed)
    if (p && *p > largest) largest = *p;
  }
  printf("guarded %d %d %d\n", most, at, largest);
}

#define COUNT(x) x += 2
static void mixed(void) { // one of two sections that change a variable needs its lock
  int sum = 0, count = 0, all = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum, count, all)
  for (int i = 0; i < N; i++) {
#pragma omp critical(mixed)
    count += 1;
#pragma omp critical(mixed)
    sum += 1;
#pragma omp critical(mixed)
    sum += count > 0 ? 3 : 0;
#pragma omp critical(hidden)
    all += 1;
#pragma omp critical(hidden)
    COUNT(all);
  }
  printf("mixed %d %d %d\n", sum, count, all);
}

static void sums(void) {
  long sum = 3, most = -4;
  int count = 0, all = -1, bits = 0;
  double half = 0;
  unsigned product = 1;
  Best two = {0, 0};
  float tiny = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum, most, count, all, bits, half, product, two, tiny)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    sum += k[i] * 2 - i;
#pragma omp critical(count)
    { ++count; }
#pragma omp critical(most)
    if (most < k[i] * i) most = k[i] * i;
#pragma omp critical(bits)
    bits = k[i] | bits;
#pragma omp critical(all)
    all &= k[i] + 1024;
#pragma omp critical(half)
    half += k[i] * 0.5;
#pragma omp critical(product)
    product *= 2u * (unsigned)i + 1u;
#pragma omp critical(two)
    two.at -= i;
#pragma omp critical(tiny)
    tiny += 1e-40f;
  }
  printf("tiny %d\n", tiny > 2.9e-37f && tiny < 3.1e-37f);
  printf("sums %ld %ld %d %d %d %g %u %ld\n", sum, most, count, all, bits, half, product, two.at);
}

/* Each keeps its lock: somebody looks at what another one changes, or it is no single change. */
static void locked(void) {
  int top = 0, next = 0, twice = 0, last = 0, seen = 0, *p = &seen;
  long sum = 0, both = 0;
  static int list[N];
#pragma omp target teams distribute parallel for map(tofrom : top, next, twice, last, sum, both, list, seen, p[0 : 1])
  for (int i = 0; i < N; i++) {
#pragma omp critical(list)
    { list[next++] = i; }
#pragma omp critical(pair)
    {
      sum += i;
      both += sum - sum + 1;
    }
#pragma omp critical(looks)
    top += 1;
#pragma omp critical(looks)
    if (top > last) last = top;
#pragma omp critical(twice)
    {
      twice += 5;
      twice -= 4;
    }
#pragma omp critical(by_address)
    seen += 1;
  }
  long check = 0;
  for (int i = 0; i < N; i++) check += list[i];
  printf("locked %d %d %d %d %ld %ld %d %ld\n", top, next, twice, last, sum, both, seen, check);
}

static void of_a_team(void) {
  int most[4], count[4];
#pragma omp target teams distribute map(from : most, count) thread_limit(9)
  for (int t = 0; t < 4; t++) {
    int m = -1, c = 0;
    struct {
      int value, at;
    } best = {-1, 0};
#pragma omp parallel
    {
      int own = -1;
#pragma omp for
      for (int i = t; i < N; i++) {
        if (k[i] + i % (9 + t) > own) own = k[i] + i % (9 + t);
#pragma omp critical
        c++;
      }
#pragma omp critical(m)
      if (own > m) m = own;
#pragma omp critical(best)
      if (own > best.value) {
        best.value = own;
        best.at = t;
      }
#pragma omp barrier
#pragma omp single
      c += m;
    }
    most[t] = m + 100 * best.value + best.at;
    count[t] = c;
  }
  for (int t = 0; t < 4; t++) printf("team %d %d\n", most[t], count[t]);
}

int main(void) {
  fill();
#pragma omp target enter data map(to : a, k)
  extremes();
  guarded();
  mixed();
  sums();
  locked();
  of_a_team();
  return 0;
}
