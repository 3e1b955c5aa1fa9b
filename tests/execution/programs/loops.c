/* Canonical loops: directions, relations, strides, types, bounds; each writes which iterations ran. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 400
static int seen[N];

static void show(const char *what) {
  int count = 0;
  long long where = 0;
  for (int i = 0; i < N; i++) count += seen[i], where += (long long)seen[i] * (i + 1) * (i + 1);
  printf("%s: %d %lld\n", what, count, where);
  memset(seen, 0, sizeof seen);
}

#define RUN(what, loop)                                                                   \
  do {                                                                                    \
    _Pragma("omp target teams distribute parallel for map(tofrom : seen)") loop show(what " tdpf"); \
    _Pragma("omp target parallel for map(tofrom : seen)") loop show(what " pf");           \
    _Pragma("omp target teams distribute map(tofrom : seen)") loop show(what " td");       \
  } while (0)

int main(void) {
  int n = 300, lo = 17, hi = 321, step = 7, i, zero = 0;
  unsigned un = 250;
  long long big = 399;
  size_t size = 333;
  RUN("<", for (int i = 0; i < n; i++) seen[i]++;);
  RUN("<=", for (int i = 0; i <= n; ++i) seen[i]++;);
  RUN(">", for (int i = n; i > lo; i--) seen[i]++;);
  RUN(">=", for (int i = n; i >= 0; --i) seen[i]++;);
  RUN("!= up", for (int i = lo; i != hi; i++) seen[i]++;);
  RUN("!= down", for (int i = hi; i != lo; i--) seen[i]++;);
  RUN("mirrored", for (int i = lo; hi > i; i++) seen[i]++;);
  RUN("mirrored down", for (int i = hi; lo <= i; i--) seen[i]++;);
  RUN("+=", for (int i = lo; i < hi; i += step) seen[i]++;);
  RUN("-=", for (int i = hi; i >= lo; i -= step) seen[i]++;);
  RUN("+= 3", for (int i = 1; i <= 397; i += 3) seen[i]++;);
  RUN("-= 5", for (int i = 398; i > 2; i -= 5) seen[i]++;);
  RUN("+= -2", for (int i = 300; i > 20; i += -2) seen[i]++;);
  RUN("i = i + s", for (int i = 3; i < 300; i = i + 4) seen[i]++;);
  RUN("i = s + i", for (int i = 3; i < 300; i = step + i) seen[i]++;);
  RUN("i = i - s", for (int i = 300; i > 3; i = i - 4) seen[i]++;);
  RUN("i += 1 + 1", for (int i = 0; i < n; i += 1 + 1) seen[i]++;);
  RUN("i -= step + 1", for (int i = n; i > 0; i -= step + 1) seen[i]++;);
  RUN("bounds are expressions", for (int i = lo * 2 - 1; i < (hi > n ? hi : n) - lo; i++) seen[i]++;);
  RUN("bounds are expressions, down", for (int i = lo + hi - 1; i >= lo - 3; i -= 2) seen[i]++;);
  RUN("comma-free casts", for (int i = (int)1.5; i < (int)un; i++) seen[i]++;);
  RUN("index declared outside", for (i = 5; i < n; i++) seen[i]++;);
  RUN("no iterations", for (int i = 10; i < 10; i++) seen[i]++;);
  RUN("no iterations, reversed bounds", for (int i = 10; i < -10; i++) seen[0]++;);
  RUN("no iterations down", for (int i = -5; i > 5; i--) seen[0]++;);
  RUN("one iteration", for (int i = 0; i <= 0; i++) seen[i]++;);
  RUN("unsigned", for (unsigned i = 2; i < un; i++) seen[i]++;);
  RUN("unsigned, none", for (unsigned i = un; i < un - 20u; i += 3) seen[0]++;);
  RUN("unsigned down", for (unsigned i = un; i > 0; i--) seen[i]++;);
  RUN("unsigned down by 3", for (unsigned i = un; i > 2; i -= 3) seen[i]++;);
  RUN("unsigned index, signed bound", for (unsigned i = 0; i < n; i++) seen[i]++;);
  RUN("int index, unsigned bound", for (int i = 0; i < un; i++) seen[i]++;);
  RUN("int index, size_t bound", for (int i = 0; i < size; i++) seen[i]++;);
  RUN("size_t", for (size_t i = 0; i < size; i++) seen[i]++;);
  RUN("size_t down", for (size_t i = size; i > 0; i--) seen[i]++;);
  RUN("size_t down by 4", for (size_t i = size; i > 4; i -= 4) seen[i]++;);
  RUN("size_t, sizeof bound", for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) seen[i]++;);
  RUN("long long", for (long long i = 0; i <= big; i += 2) seen[i]++;);
  RUN("long long down", for (long long i = big; i >= 0; i -= 3) seen[i]++;);
  RUN("int64_t with int step", for (int64_t i = lo; i < big; i += step) seen[i]++;);
  RUN("uint64_t", for (uint64_t i = 3; i != 300; ++i) seen[i]++;);
  RUN("short", for (short i = 0; i < 300; i++) seen[i]++;);
  RUN("signed char", for (signed char i = -100; i < 100; i += 3) seen[i + 100]++;);
  RUN("unsigned char", for (unsigned char i = 5; i < 200; i++) seen[i]++;);
  RUN("char", for (char i = 'a'; i <= 'z'; i++) seen[i]++;);
  RUN("negative", for (int i = -150; i < 150; i++) seen[i + 150]++;);
  RUN("far away", for (long long i = 5000000000LL; i < 5000000300LL; i += 7) seen[i - 5000000000LL]++;);
  RUN("near INT_MAX", for (int i = INT_MAX - 50; i < INT_MAX; i++) seen[INT_MAX - i]++;);
  RUN("near INT_MIN", for (int i = INT_MIN + 51; i > INT_MIN; i -= 3) seen[i - INT_MIN]++;);
  RUN("near UINT_MAX", for (unsigned i = UINT_MAX - 60; i < UINT_MAX; i += 2) seen[UINT_MAX - i]++;);
  RUN("near LLONG_MAX", for (long long i = LLONG_MAX - 200; i < LLONG_MAX - 20; i += 9) seen[LLONG_MAX - i]++;);
  RUN("near ULLONG_MAX", for (unsigned long long i = ULLONG_MAX - 200; i < ULLONG_MAX - 20; i += 9) seen[ULLONG_MAX - i]++;);
  RUN("braces", for (int i = 0; i < n; i++) { seen[i]++; });
  RUN("nested statement", for (int i = 0; i < n; i++) if (i % 3) seen[i]++; else seen[i] += 2;);
  RUN("inner loops", for (int i = 0; i < 20; i++) for (int k = 0; k < 10; k++) seen[i * 10 + k]++;);
  RUN("continue", for (int i = 0; i < n; i++) { if (i % 5 == zero) continue; seen[i]++; });
  RUN("inner break", for (int i = 0; i < n; i++) { while (1) { seen[i]++; break; } });
  RUN("switch", for (int i = 0; i < n; i++) { switch (i % 4) { case 1: seen[i] += 3; break; case 2: seen[i]++; default: seen[i]++; } });
  RUN("index changed in a copy", for (int i = 0; i < n; i++) { int k = i; k++; seen[k] += 1; });

  const int *end = seen + 350;
  (void)end;
  int *base = seen;
#pragma omp target teams distribute parallel for map(tofrom : base[0 : N])
  for (int *p = base + 3; p < base + 300; p++) *p += 1;
  show("pointer");
#pragma omp target teams distribute parallel for map(tofrom : base[0 : N])
  for (int *p = base + 3; p < base + 300; p += 4) *p += 1;
  show("pointer with a stride");
#pragma omp target teams distribute parallel for map(tofrom : base[0 : N])
  for (int *p = base + 300; p > base; p -= 3) *p += 1;
  show("pointer down");
#pragma omp target teams distribute parallel for map(tofrom : base[0 : N])
  for (int *p = base; p != base + 300; ++p) *p += 1;
  show("pointer !=");
#pragma omp target teams distribute parallel for map(tofrom : seen)
  for (int i = 0; i < n; i++) {
    if (i & 1) goto next;
    seen[i]++;
  next:;
  }
  show("goto");
#pragma omp target map(tofrom : seen)
  for (int i = 0; i < n; i++) {
    if (i > 100) break;
    seen[i]++;
  }
  show("break in a plain target");
#pragma omp target map(tofrom : seen)
  {
    int k = 0;
    while (k < n) seen[k++] += 1;
    do seen[k--] += 1; while (k > 0);
  }
  show("any loops in a plain target");
  return 0;
}
