/* Collapsed loops whose extents only the run knows: 0, 1, powers of two and their neighbours, bounds and steps of all
   kinds, tiled and not, with reductions, atomics, code between the loops and chosen geometry. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 18 };
static int cells[ROOM];
static void tell(const char *what, int a, int b, int c) {
  unsigned long long sum = 0;
  for (int i = 0; i < ROOM; i++)
    if (cells[i] != 0) sum += (unsigned long long)(unsigned)cells[i] * (unsigned)(i % 8191 + 1), cells[i] = 0;
  printf("%s %d %d %d: %llu\n", what, a, b, c, sum);
}

static const int extents[] = {-3, 0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100};
enum { EXTENTS = sizeof extents / sizeof *extents };

static void two(int *p, int n, int m) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (i != j) p[i * 100 + j] += i + 3 * j + 1;
  tell("untiled", n, m, 0);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) p[i * 100 + j] = i + 3 * j + 1;
  tell("tiled", n, m, 0);
#pragma omp target teams distribute parallel for collapse(2) num_teams(3) thread_limit(8) map(tofrom : p[0:ROOM])
  for (long i = n; i > 0; i -= 2)
    for (unsigned j = 0; j < (unsigned)(m < 0 ? 0 : m); j += 3)
      if (j < 200) p[i * 100 + (long)j] += (int)(i * 7 + j);
  tell("down, unsigned, chosen teams", n, m, 0);
  long long sum = 0;
  int most = INT_MIN;
#pragma omp target teams distribute parallel for collapse(2) reduction(+ : sum) reduction(max : most)
  for (short i = -2; i < n; i++)
    for (long long j = m; j >= -1; j--) {
      sum += i * j;
      if (i - j > most) most = (int)(i - j);
    }
  printf("reduced %d %d: %lld %d\n", n, m, sum, most);
#pragma omp target parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= m; j++) {
#pragma omp atomic
      p[(i + j) % 50] += i + 1;
    }
  tell("one team, atomic", n, m, 0);
}

static void three(int *p, int n, int m, int l) {
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = 1; j <= m; j += 2)
      for (int k = l; k > 0; k--)
        if (k % 3) p[(i * 50 + j / 2) * 51 + k] ^= i * j + k;
  tell("three", n, m, l);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++) {
    int base = i * 5000;
    for (int j = 0; j < m; j++) {
      int row = base + j * 50;
      for (int k = 0; k < l; k++)
        if (row + k < ROOM) p[row + k] = row - k;
    }
  }
  tell("code between", n, m, l);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 7; j++)
      for (int k = 0; k < l; k++)
        if (k < 50) p[(i * 7 + j) * 50 + k] += i - j - k;
  tell("a constant between", n, m, l);
  int last = -1, index = -1;
#pragma omp target teams distribute parallel for collapse(3) lastprivate(last) map(tofrom : index)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++) {
        last = i * 10000 + j * 100 + k;
        if (i == n - 1 && j == m - 1 && k == l - 1) index = last;
      }
  printf("last %d %d\n", last, index);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) p[i * 100 + j] += 5 + l;
  tell("triangle", n, m, l);
}

/* Extents beyond 32 bits, of which few iterations are left by steps. */
static void wide(int *p, long long far, unsigned long long from, unsigned char small) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (long long i = -far; i <= far; i += far / 4)
    for (unsigned long long j = from; j > 1ull << 60; j -= 1ull << 60)
      if (small) p[(i / (far / 4) + 4) * 20 + (long long)(j >> 60)] += 3;
  tell("wide", (int)(far >> 32), (int)(from >> 32), small);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (unsigned char i = 0; i < small; i++)
    for (signed char j = -100; j < 100; j += 50)
      for (unsigned short k = 65535; k > 65000; k -= 100) p[(i * 4 + (j + 100) / 50) * 8 + (65535 - k) / 100] += i + k;
  tell("bytes", small, 0, 0);
}

/* Indices at the ends of their types, and extents that are constants, in iterations that are not tiled. */
static void ends(int *p, int from, unsigned to, signed char last, int n) {
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (int i = from; i <= from + 8; i += 4)
    for (unsigned j = to - 3; j < to; j++)
      for (signed char k = last; k > last - 9; k--)
        if (i ^ k) p[((i - from) * 4 + (int)(to - j)) * 10 + last - k] += (i ^ (int)j) % 100 + k;
  tell("ends", from, (int)to, last);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (int i = INT_MAX - 9; i < INT_MAX - 1; i += 2)
    for (unsigned j = UINT_MAX; j > UINT_MAX - 20; j--)
      if (i ^ n) p[(INT_MAX - i) * 30 + (int)(UINT_MAX - j)] += (i ^ (int)j) % 100;
  tell("constant ends", n, 0, 0);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (int i = 3; i < 20; i += 4)
    for (int j = 20; j >= 0; j -= 5)
      for (int k = -3; k < 4; k++)
        if (k) p[(i * 21 + j) * 7 + k + 3] += i * j - k;
  tell("constants", 0, 0, 0);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : p[0:ROOM])
  for (int i = n; i > -3; i -= 2)
    for (int j = 0; j < 16; j++)
      if (i + j) p[(i + 3) * 16 + j] += i - j;
  tell("a constant inside", n, 0, 0);
#pragma omp target teams distribute parallel for collapse(3) map(tofrom : p[0:ROOM])
  for (int i = 0; i < n; i++)
    for (int j = -2; j < from; j++)
      for (int k = 0; k < from; k++)
        if (n < 0) p[k] += 1;
  tell("none", n, from, 0);
}

int main(void) {
  int *p = cells;
  ends(p, INT_MIN, 4, -100, 20);
  ends(p, -7, UINT_MAX, 100, -5);
  ends(p, INT_MAX - 12, 3, 0, 0);
  for (int a = 0; a < EXTENTS; a++)
    for (int b = 0; b < EXTENTS; b += 1 + (a > 6)) two(p, extents[a], extents[b]);
  for (int a = 0; a < EXTENTS; a += 3)
    for (int b = 1; b < EXTENTS; b += 3)
      for (int c = 0; c < EXTENTS; c += 5) three(p, extents[a], extents[b], extents[c] > 50 ? 50 : extents[c]);
  wide(p, 1ll << 40, ~0ull, 9);
  wide(p, 1ll << 62, 1ull << 63, 255);
  return 0;
}
