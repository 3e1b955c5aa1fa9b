/* Data-sharing attributes: what each thread sees, what comes back. Regions write their first-private copies. */
#include <stdio.h>
#include <stdint.h>
#include <stdbool.h>

#define N 256
#ifdef _OPENMP
#define AFTER(openmp, serial) (openmp)
#else
#define AFTER(openmp, serial) (serial)
#endif

typedef struct {
  int x, y;
  double weights[4];
} Point;
enum colour { RED, GREEN = 5, BLUE };
typedef union {
  int i;
  float f;
} Both;

static int table[N];
int global = 11;
static double threshold = 2.5;
static int primes[5] = {2, 3, 5, 7, 11};
static const double half = 0.5;
const char *const names[2] = {"a", "b"};
static float grid[4][5];

static void scalars(void) {
  int i0 = 1;
  char c = 'c';
  signed char sc = -5;
  unsigned char uc = 250;
  short s = -1234;
  unsigned short us = 65000;
  unsigned u = 4000000000u;
  long l = -1L << 40;
  unsigned long long ull = 0xfedcba9876543210ull;
  float f = 1.5f;
  double d = 1e-300;
  _Bool b = 1;
  enum colour e = BLUE;
  int64_t i64 = INT64_MIN;
  long long out[13] = {0};
  double reals[2] = {0};
#pragma omp target map(from : out, reals)
  {
    out[0] = i0, out[1] = c, out[2] = sc, out[3] = uc, out[4] = s, out[5] = us, out[6] = u, out[7] = l;
    out[8] = (long long)ull, out[9] = b, out[10] = e, out[11] = i64, out[12] = BLUE;
    reals[0] = f, reals[1] = d;
  }
  for (int i = 0; i < 13; i++) printf("%lld ", out[i]);
  printf("%g %g\n", reals[0], reals[1]);
}

static void implicit(void) {
  int local = 3, array[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  Point p = {1, 2, {3, 4, 5, 6}};
  Both both = {.i = 77};
#pragma omp target
  {
    local += 100;
    array[2] += local;
    p.x += 10;
    p.weights[1] *= 3;
    both.i++;
    grid[2][3] = 9;
  }
  printf("implicit: %d %d %g %d %d %g %d %g\n", AFTER(local, 3), global, threshold, array[2], p.x,
         p.weights[1], both.i, grid[2][3]);
  global = 11, threshold = 2.5;
  int result[6];
#pragma omp target map(from : result)
  {
    result[0] = primes[3];
    result[1] = (int)(half * 10);
    result[2] = GREEN;
    result[3] = (int)sizeof(Point);
    result[4] = N;
    result[5] = __LINE__ > 0;
  }
  printf("constants: %d %d %d %d %d %d\n", result[0], result[1], result[2], result[3], result[4], result[5]);
}

static void private_and_firstprivate(void) {
  int t = 5, f = 6, out[N], scratch[4] = {1, 2, 3, 4}, first[3] = {10, 20, 30};
  Point p = {7, 8, {1, 2, 3, 4}}, q = {0};
  double *pointer = 0;
  for (int i = 0; i < N; i++) out[i] = -1;
#pragma omp target teams distribute parallel for private(t, scratch, q, pointer) firstprivate(f, first, p) map(tofrom : out)
  for (int i = 0; i < N; i++) {
    t = i;
    scratch[i % 4] = t + f;
    q.x = scratch[i % 4] + p.y;
    int keep = first[1];
    first[1] = 0;
    p.y = 0;
    f = 0;
    first[1] = keep;
    p.y = 8;
    f = 6;
    out[i] = q.x + first[i % 3];
  }
  long long sum = 0;
  for (int i = 0; i < N; i++) sum += out[i] * (i + 1LL);
  printf("private: %lld %d %d %d %d\n", sum, AFTER(t, 5), AFTER(f, 6), first[1], p.y);
  t = 5;
  f = 6, first[0] = 10, p.x = 7, t = 5;
#pragma omp target parallel for firstprivate(t) map(tofrom : out)
  for (int i = 0; i < N; i++) out[i] = t + i;
  printf("inner firstprivate: %d %d\n", out[0], out[N - 1]);
#pragma omp target map(tofrom : out)
#pragma omp teams distribute parallel for private(t) firstprivate(f)
  for (int i = 0; i < N; i++) {
    t = out[i];
    out[i] = t * 2 + f;
  }
  printf("on an inner construct: %d %d\n", out[0], out[N - 1]);
#pragma omp target teams distribute parallel for shared(out) default(none) firstprivate(f) map(tofrom : out)
  for (int i = 0; i < N; i++) out[i] += f;
  printf("default(none): %d %d\n", out[0], out[N - 1]);
#pragma omp target teams distribute parallel for default(none) firstprivate(f) map(tofrom : out)
  for (int i = 0; i < N; i++) out[i] -= f;
#pragma omp target teams distribute default(none) firstprivate(f) map(tofrom : out)
  for (int i = 0; i < N; i++) out[i] *= f;
  printf("default(none), mapped: %d %d\n", out[0], out[N - 1]);
}

static void mapped_scalars(void) {
  int a = 1, b = 2, c = 3, d = 4;
  double x = 0.25;
  Point p = {1, 2, {0}};
#pragma omp target map(to : a) map(tofrom : b, x) map(from : c) map(alloc : d) map(tofrom : p)
  {
    b += a;
    c = 30;
    d = 40;
    x *= 2;
    p.y = b;
    a = 100;
  }
  printf("mapped: %d %d %d %d %g %d\n", AFTER(a, 1) == 1 || a == 100, b, c, 1, x, p.y);
  int flag = 0;
#pragma omp target map(from : flag)
  flag = 42;
  printf("one statement: %d\n", flag);
#pragma omp target map(tofrom : global)
  global *= 3;
  printf("global: %d\n", global);
  global = 11;
}

static void shadows(void) {
  int n = 4, sum = 0;
#pragma omp target map(tofrom : sum)
  {
    int n = 10;
    for (int n = 0; n < 3; n++) sum += n;
    sum += n;
    {
      int sum2 = n;
      sum += sum2;
    }
  }
  printf("shadows: %d %d\n", n, sum);
  static int calls = 5;
#pragma omp target map(tofrom : calls)
  calls++;
  printf("static local: %d\n", calls);
}

static void defaults(void) {
  int s = 1, array[4] = {1, 2, 3, 4}, *p = array;
  Point point = {1, 1, {0}};
#pragma omp target defaultmap(tofrom : scalar)
  s += 10;
  printf("defaultmap(tofrom: scalar): %d\n", s);
#pragma omp target defaultmap(tofrom)
  {
    s += 10;
    array[0] += s;
  }
  printf("defaultmap(tofrom): %d %d\n", s, array[0]);
#pragma omp target defaultmap(to : aggregate) map(from : s)
  s = array[1] + point.x;
  printf("defaultmap(to: aggregate): %d\n", s);
#pragma omp target defaultmap(none) map(tofrom : s) firstprivate(array)
  s += array[2];
  printf("defaultmap(none): %d\n", s);
  array[3] = 4;
#pragma omp target data map(tofrom : array)
  {
#pragma omp target defaultmap(present : aggregate) map(tofrom : s)
    s += array[1];
#pragma omp target map(tofrom : s)
    s += p[0];
  }
  printf("defaultmap(present: aggregate): %d\n", s);
}

static void fill(Point *p, int n, int *first, const int *restrict second) {
#pragma omp target teams distribute parallel for map(from : p[0 : n]) map(to : first[0 : n], second[:n])
  for (int i = 0; i < n; i++) {
    p[i].x = first[i];
    p[i].y = second[i];
    for (int k = 0; k < 4; k++) p[i].weights[k] = first[i] * 0.5 + k;
  }
}

int main(void) {
  scalars();
  implicit();
  private_and_firstprivate();
  mapped_scalars();
  shadows();
  defaults();
  Point p[10];
  int a[10], b[10];
  for (int i = 0; i < 10; i++) a[i] = i, b[i] = 100 - i;
  fill(p, 10, a, b);
  double s = 0;
  for (int i = 0; i < 10; i++) s += p[i].x * p[i].y + p[i].weights[i % 4];
  printf("structs: %g\n", s);
#pragma omp target teams distribute parallel for map(tofrom : table)
  for (int i = 0; i < N; i++) table[i] += global + primes[i % 5];
  printf("table: %d %d\n", table[0], table[N - 1]);
  return 0;
}
