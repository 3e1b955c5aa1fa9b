/* Variables that a construct maps and another one inside makes private: nothing comes back. Last values of copies of the
   target construct's own. Indices of `simd` that a map brings home, and private copies of structures without a name. */
#include <stdio.h>

#ifdef _OPENMP
#define RIGHT(value, expected) ((value) == (expected))
#else
#define RIGHT(value, expected) 1
#endif
#define CHECK(value, expected)                                                                                         \
  (RIGHT(value, expected) ? (void)printf("%d: right\n", __LINE__) : (void)printf("%d: %d\n", __LINE__, (int)(value)))

typedef struct {
  int a, b;
} Pair;
#pragma omp begin declare target
int global = 50;
#pragma omp end declare target

static void scalars(void) {
  int parallel = 5, teams = 6, league = 7, first = 8, inner = 9, reduced = 10, vector = 11, v[10] = {0};
#pragma omp target map(tofrom : parallel)
#pragma omp parallel private(parallel)
  parallel = 70;
  CHECK(parallel, 5);
#pragma omp target map(tofrom : teams)
#pragma omp teams private(teams)
  teams = 70;
  CHECK(teams, 6);
#pragma omp target teams map(tofrom : league, v)
#pragma omp distribute parallel for private(league)
  for (int i = 0; i < 10; i++) {
    league = i;
    v[i] = league;
  }
  CHECK(league, 7);
  CHECK(v[9], 9);
#pragma omp target map(tofrom : first, v)
#pragma omp teams num_teams(1) firstprivate(first)
  {
    first++;
#pragma omp parallel private(first)
    first = 100;
    v[0] = first;
  }
  CHECK(first, 8);
  CHECK(v[0], 9);
#pragma omp target map(tofrom : inner, v)
#pragma omp teams distribute private(inner)
  for (int k = 0; k < 2; k++) {
    inner = k;
#pragma omp parallel for
    for (int i = 0; i < 5; i++) v[inner * 5 + i] = inner + 1;
  }
  CHECK(inner, 9);
  CHECK(v[4] * 10 + v[5], 12);
#pragma omp target map(tofrom : reduced)
#pragma omp teams private(reduced)
#pragma omp distribute parallel for reduction(+ : reduced)
  for (int i = 0; i < 10; i++) reduced += i;
  CHECK(reduced, 10);
#pragma omp target map(tofrom : vector, v)
#pragma omp simd private(vector)
  for (int i = 0; i < 10; i++) {
    vector = i;
    v[i] = vector;
  }
  CHECK(vector, 11);
}

static void objects(void) {
  Pair pair = {1, 2};
  int four[4] = {1, 2, 3, 4}, v[10] = {0}, *p = v, n = 10, on_device = 0;
#pragma omp target map(tofrom : pair, v)
#pragma omp teams distribute parallel for private(pair)
  for (int i = 0; i < 10; i++) {
    pair.a = i, pair.b = 2 * i;
    v[i] = pair.a + pair.b;
  }
  CHECK(pair.a * 10 + pair.b, 12);
  CHECK(v[9], 27);
#pragma omp target map(tofrom : pair.b, v)
#pragma omp parallel for private(pair)
  for (int i = 0; i < 10; i++) {
    pair.a = i, pair.b = 3 * i;
    v[i] = pair.a + pair.b;
  }
  CHECK(pair.a * 10 + pair.b, 12);
  CHECK(v[9], 36);
#pragma omp target map(tofrom : four, v)
#pragma omp teams distribute parallel for private(four)
  for (int i = 0; i < 10; i++) {
    for (int k = 0; k < 4; k++) four[k] = i;
    v[i] = four[0] + four[3];
  }
  CHECK(four[0] + four[3], 5);
  CHECK(v[9], 18);
#pragma omp target map(tofrom : v, p[0 : n])
#pragma omp teams distribute parallel for private(p)
  for (int i = 0; i < 10; i++) {
    p = &v[i];
    *p = i;
  }
  CHECK(p == v, 1);
  CHECK(v[9], 9);
#pragma omp target map(always, tofrom : global)
#pragma omp parallel private(global)
  global = 7;
#pragma omp target map(from : on_device)
  on_device = global;
  CHECK(global, 50);
  CHECK(on_device, 50);
}

/* What a target construct copies itself, and what a default mapping copies, keeps the last value to itself. */
static void last_values(void) {
  Pair pair = {1, 2};
  int four[4] = {1, 2, 3, 4}, x = 5, mapped = 6;
  double real = 2.5;
#pragma omp target firstprivate(pair)
#pragma omp parallel for lastprivate(pair)
  for (int i = 0; i < 10; i++) pair.a = pair.b = i;
  CHECK(pair.a * 10 + pair.b, 12);
#pragma omp target firstprivate(pair, four, real, x)
#pragma omp teams distribute parallel for lastprivate(pair, four, real, x)
  for (int i = 0; i < 10; i++) four[0] = four[3] = pair.a = real = x = i;
  CHECK(pair.a * 10 + pair.b, 12);
  CHECK(four[0] + four[3], 5);
  CHECK(real * 10, 25);
  CHECK(x, 5);
#pragma omp target defaultmap(firstprivate)
#pragma omp parallel for lastprivate(pair, four)
  for (int i = 0; i < 10; i++) four[0] = four[3] = pair.a = i;
  CHECK(pair.a * 10 + pair.b, 12);
  CHECK(four[0] + four[3], 5);
#pragma omp target defaultmap(tofrom : scalar)
#pragma omp parallel for lastprivate(mapped) linear(x : 2)
  for (int i = 0; i < 10; i++) mapped = i, x += 2;
  CHECK(mapped, 9);
  CHECK(x, 25);
#pragma omp target
#pragma omp parallel for lastprivate(pair)
  for (int i = 0; i < 10; i++) pair.a = i;
  CHECK(pair.a, 9);
}

static void indices(void) {
  int one = 0, two = 0, outer = 0, nested = 0, own = 9, last = 0, v[20] = {0};
#pragma omp target map(tofrom : one)
  {
#pragma omp simd
    for (one = 3; one < 10; one += 4)
      ;
  }
  CHECK(one, 11);
#pragma omp target map(tofrom : two)
#pragma omp parallel
#pragma omp simd linear(two)
  for (two = 3; two < 10; two += 4)
    ;
  CHECK(two, 11);
#pragma omp target map(tofrom : outer, nested)
  {
#pragma omp simd collapse(2)
    for (outer = 3; outer < 10; outer += 4)
      for (nested = 7; nested > 0; nested--)
        ;
  }
  CHECK(outer, 11);
  CHECK(nested, 0);
#pragma omp target map(tofrom : own, v)
#pragma omp simd private(own)
  for (own = 3; own < 10; own += 4) v[own] = own;
  CHECK(own, 9);
  CHECK(v[7], 7);
#pragma omp target map(tofrom : last, v)
  {
#pragma omp simd lastprivate(last)
    for (last = 3; last < 10; last += 4) v[last] = last;
    last += 100;
  }
  CHECK(last, 111);
}

static void without_names(void) {
  int sum = 0, last = 0;
#pragma omp target teams num_teams(1) map(tofrom : sum, last)
  {
    struct {
      int x, y[2];
    } object = {1, {2, 3}}, kept = {0, {0, 0}};
    union {
      int i;
      float f;
    } either;
    struct {
      int a;
    } two[2] = {{1}, {2}};
    either.i = 4;
#pragma omp parallel for num_threads(4) firstprivate(object, either, two) lastprivate(kept)
    for (int i = 0; i < 4; i++) {
      if (object.y[1] == 3) object.y[1]++, either.i++, two[1].a++;
      kept.x = i;
#pragma omp atomic
      sum += object.y[1] + either.i + two[1].a;
    }
    last = kept.x + object.y[1] + either.i;
  }
  CHECK(sum, 48);
  CHECK(last, 10);
}

static void local_types(void) {
  struct inside {
    int a, b[3];
  } mapped = {1, {1, 2, 3}};
  struct {
    int x, y[2];
  } unnamed = {1, {2, 3}};
#pragma omp target map(tofrom : mapped, unnamed)
  {
    mapped.b[2] <<= 2;
    unnamed.y[1]++;
  }
  CHECK(mapped.b[2] * 10 + unnamed.y[1], 124);
}

int main(void) {
  scalars();
  objects();
  last_values();
  indices();
  without_names();
  local_types();
  return 0;
}
