/* Loops whose threads take several iterations side by side: trip counts around the tile's edges, bounds, steps, types of
   elements, assignments with conversions, aliases, several stores, chosen geometry. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const int counts[] = {0, 1, 2, 31, 255, 256, 257, 1023, 1024, 1025, 4095, 4097, 100000};
enum { COUNTS = sizeof counts / sizeof *counts, MOST = 100000 };

static double sum;
#define TELL(what, array, n)                                                                                           \
  do {                                                                                                                 \
    sum = 0;                                                                                                           \
    for (int k_ = 0; k_ < (n); k_++) sum += (double)(array)[k_] * (k_ % 97 + 1);                                       \
    printf("%s %d: %.6f\n", what, (int)(n), sum);                                                                      \
  } while (0)

#define ELEMENTS(T)                                                                                                    \
  static void of_##T(int n) {                                                                                          \
    static T x[MOST + 8], y[MOST + 8], z[MOST + 8];                                                                    \
    for (int i = 0; i < MOST + 8; i++) x[i] = (T)(i % 100), y[i] = (T)(i % 7), z[i] = 0;                               \
    _Pragma("omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])")                            \
    for (int i = 0; i < n; i++) y[i] = y[i] + 3 * x[i];                                                                \
    _Pragma("omp target teams distribute parallel for simd map(to: x[0:n], y[0:n]) map(from: z[0:n])")                 \
    for (long i = 0; i < n; ++i) {                                                                                     \
      const T twice = (T)(x[i] * 2);                                                                                   \
      T other = y[i];                                                                                                  \
      other += 1;                                                                                                      \
      z[i] = (T)(twice - other);                                                                                       \
    }                                                                                                                  \
    TELL(#T " y", y, n);                                                                                               \
    TELL(#T " z", z, n);                                                                                               \
  }
typedef signed char int8;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef long long int64;
typedef unsigned long long uint64;
ELEMENTS(char)
ELEMENTS(int8)
ELEMENTS(uint8)
ELEMENTS(short)
ELEMENTS(uint16)
ELEMENTS(int)
ELEMENTS(uint32)
ELEMENTS(int64)
ELEMENTS(uint64)
ELEMENTS(float)
ELEMENTS(double)

static int data[MOST + 64];
static void bounds(int n) {
  int *p = data, lower = 5, step = 3;
  for (int i = 0; i < MOST + 64; i++) p[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (int i = lower; i <= n; i++) p[i] = i * 2 + 1;
  TELL("from 5 to n", p, n + 8);
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (int i = n + 3; i > lower; i -= step) p[i] += 10 * i;
  TELL("down by 3", p, n + 8);
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (unsigned i = 3; i < (unsigned)n; i += 2u) p[i] ^= 0x55;
  TELL("unsigned", p, n + 8);
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (size_t i = n; i >= 1; i--) p[i - 1] = p[i - 1] * 2 + (int)i;
  TELL("down to 1", p, n + 8);
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (long long i = -4; i < n - 4; i++) p[i + 4] -= (int)i;
  TELL("from -4", p, n + 8);
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (short i = 0; i < (n < 30000 ? n : 30000); i++) p[i]++, p[i] = 7;
  TELL("short", p, n + 8);
#pragma omp target teams distribute parallel for map(tofrom: p[0:MOST + 64])
  for (signed char i = -100; i < 100; i += 20) p[i + 100] = i;
  TELL("char", p, 300);
}

/* every compound assignment, where the sides differ in type */
static void compound(int n) {
  static signed char c[MOST];
  static unsigned short s[MOST];
  static int w[MOST];
  static float f[MOST];
  static bool b[MOST];
  for (int i = 0; i < n; i++) c[i] = (signed char)(i % 100), s[i] = (unsigned short)(i * 31), w[i] = i - 50, f[i] = i * 0.5f, b[i] = i % 3 == 0;
#pragma omp target teams distribute parallel for map(tofrom: c[0:n])
  for (int i = 0; i < n; i++) c[i] += 2.75 * i < 1e6 ? 2.75 : 0.5;
#pragma omp target teams distribute parallel for map(tofrom: s[0:n])
  for (int i = 0; i < n; i++) s[i] -= i ? 65000 : 1, s[i] += 0;
#pragma omp target teams distribute parallel for map(tofrom: s[0:n])
  for (int i = 0; i < n; i++) s[i] *= 1 ? 3 : 4;
  TELL("char += double", c, n);
  TELL("short *=", s, n);
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] *= 0.3;
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] /= 1 + 2;
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] %= i < 9 ? 7 : 1000;
  TELL("int %=", w, n);
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] <<= 1 + 1;
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] >>= 1;
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] |= i & 8;
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] &= 0xffff | i;
#pragma omp target teams distribute parallel for map(tofrom: w[0:n])
  for (int i = 0; i < n; i++) w[i] ^= i == 3, w[i] += 0;
  TELL("int bits", w, n);
#pragma omp target teams distribute parallel for map(tofrom: f[0:n]) map(to: w[0:n])
  for (int i = 0; i < n; i++) f[i] -= (w[i] + 1) / 3.0;
#pragma omp target teams distribute parallel for map(tofrom: f[0:n])
  for (int i = 0; i < n; i++) f[i] /= 1e-3 + fabs(i);
  TELL("float -= double", f, n);
#pragma omp target teams distribute parallel for map(from: b[0:n]) map(to: w[0:n])
  for (int i = 0; i < n; i++) b[i] = w[i] & 4;
  TELL("bool =", b, n);
#pragma omp target teams distribute parallel for map(tofrom: b[0:n]) map(to: w[0:n])
  for (int i = 0; i < n; i++) b[i] |= w[i] == 2;
  TELL("bool |=", b, n);
#pragma omp target teams distribute parallel for map(from: w[0:n]) map(to: f[0:n])
  for (int i = 0; i < n; i++) w[i] = f[i] * 10;
  TELL("int = float", w, n);
}

/* pointers that lead to the same memory: nothing is said to be apart */
static void add(int n, double *y, const double *x, double a) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) y[i] = y[i] + a * x[i];
}
static void exchange(int n, double *y, double *x) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    double held = x[i];
    x[i] = y[i];
    y[i] = held;
  }
}
static void both(int n, double *y, double *x) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    y[2 * i] = x[i] + 1; /* a store whose memory the next one reads, when both are the same */
    y[2 * i + 1] = y[2 * i] * 2 + x[i];
  }
}
static void aliases(int n) {
  static double one[2 * MOST + 16], two[2 * MOST + 16];
  for (int i = 0; i < 2 * MOST + 16; i++) one[i] = i % 11, two[i] = i % 13 + 0.5;
#pragma omp target data map(tofrom: one, two)
  {
    add(n, one, two, 2);
    add(n, one, one, 0.25);
    add(n / 2, one, one + n / 2, 3);
    exchange(n, one, two);
    exchange(n, two, two);
    both(n, one, two);
  }
  TELL("one", one, 2 * n);
  TELL("two", two, 2 * n);
}

/* an optimiser's step: four arrays, each read and written at the index */
static void step(int n) {
  static float p[MOST], m[MOST], v[MOST], g[MOST];
  for (int i = 0; i < n; i++) p[i] = i % 17, m[i] = i % 5 * 0.125f, v[i] = i % 3, g[i] = (i % 19) - 9;
#pragma omp target teams distribute parallel for map(tofrom: p[0:n], m[0:n], v[0:n]) map(to: g[0:n])
  for (int i = 0; i < n; i++) {
    const float now = g[i];
    m[i] = 0.75f * m[i] + 0.25f * now;
    v[i] = 0.5f * v[i] + 0.5f * now * now;
    p[i] -= 0.125f * (m[i] / (sqrtf(v[i]) + 1) + 0.25f * p[i]);
  }
  for (int i = 0; i < n; i++) p[i] = floorf(p[i] * 1000 + 0.5f);
  TELL("p", p, n);
  TELL("m", m, n);
  TELL("v", v, n);
}

/* collapsed loops: a tile is of neighbours in the outermost index */
static void nests(int rows, int columns) {
  static double a[MOST * 4], b[MOST * 4];
  const int n = rows * columns;
  for (int i = 0; i < n; i++) a[i] = i % 101, b[i] = -1;
#pragma omp target teams distribute parallel for collapse(2) map(to: a[0:n]) map(tofrom: b[0:n])
  for (int i = 1; i < rows - 1; i++)
    for (int j = 1; j < columns - 1; j++)
      b[i * columns + j] = 0.25 * (a[i * columns + j - 1] + a[i * columns + j + 1] + a[(i - 1) * columns + j] + a[(i + 1) * columns + j]);
  TELL("stencil", b, n);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:n], b[0:n])
  for (int i = rows - 1; i >= 0; i -= 2)
    for (int j = 0; j < columns; j += 3) {
      double held = a[i * columns + j];
      a[i * columns + j] = b[i * columns + j];
      b[i * columns + j] = held + i - j;
    }
  TELL("a", a, n);
  TELL("b", b, n);
}
static double cube[7][9][50], mirror[7][9][50];
static void cubes(void) {
#pragma omp target teams distribute parallel for collapse(3) map(from: cube)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 9; j++)
      for (int k = 0; k < 50; k++) cube[i][j][k] = i * 10000 + j * 100 + k;
#pragma omp target teams distribute parallel for collapse(3) map(to: cube) map(from: mirror)
  for (int i = 0; i < 7; i++)
    for (long j = 8; j >= 0; j--)
      for (unsigned k = 0; k < 50; k++) mirror[6 - i][8 - j][49 - k] = cube[i][j][k];
  TELL("cube", &cube[0][0][0], 7 * 9 * 50);
  TELL("mirror", &mirror[0][0][0], 7 * 9 * 50);
}

/* the program's own geometry stays, whatever it is */
static void chosen(int n) {
  static float x[MOST], y[MOST];
  for (int i = 0; i < n; i++) x[i] = i % 23, y[i] = 1;
#pragma omp target teams distribute parallel for num_teams(3) thread_limit(64) map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++) y[i] += 2 * x[i];
#pragma omp target teams distribute parallel for num_teams(1) map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++) y[i] += 2 * x[i];
#pragma omp target teams distribute parallel for thread_limit(40) map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++) y[i] += 2 * x[i];
#pragma omp target teams distribute parallel for num_threads(32) map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++) y[i] += 2 * x[i];
#pragma omp target teams distribute parallel for num_teams(1) num_threads(1) map(tofrom: y[0:n])
  for (int i = 1; i < n; i++) y[i] = y[i - 1] + 1; /* one thread: in order */
#pragma omp target parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++) y[i] += 2 * x[i];
  TELL("chosen", y, n);
}

/* places that are more than an element of an array */
struct point {
  float x, y;
  struct {
    int deep;
  } inner[2];
};
static struct point points[MOST];
static void places(int n) {
  int *at = malloc(sizeof(int) * (n + 1)), *q = data;
  double scale = 0.5;
  for (int i = 0; i < n; i++) at[i] = n - 1 - i, points[i].x = i, points[i].y = 0, points[i].inner[1].deep = i % 9;
  for (int i = 0; i < n; i++) q[i] = 0;
#pragma omp target teams distribute parallel for map(tofrom: points) map(to: at[0:n]) firstprivate(scale)
  for (int i = 0; i < n; i++) points[at[i]].y = scale * points[i].x + points[i].inner[1].deep;
#pragma omp target teams distribute parallel for map(tofrom: points)
  for (int i = 0; i < n; i++) {
    struct point *here = &points[i];
    here->inner[0].deep = 3 + here->inner[1].deep;
  }
#pragma omp target teams distribute parallel for map(tofrom: points)
  for (int i = 0; i < n; i++) points[i].inner[1].deep += points[i].x > 10 ? 1 : -1;
#pragma omp target teams distribute parallel for map(tofrom: q[0:n]) map(to: at[0:n])
  for (int i = 0; i < n; i++) *(q + at[i]) = i, *(q + at[i]) += 0;
#pragma omp target teams distribute parallel for map(tofrom: q[0:n]) map(to: at[0:n])
  for (int i = 0; i < n; i++) *(q + at[i]) += sizeof(q[i]) * i;
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
  for (int i = 0; i < n; i++) {
    (q[i] += 3 * i);
  }
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
  for (int i = 0; i < n; i++) {
    q[i] =
        q[i] // in lines of its own
        + i;
  }
  sum = 0;
  for (int i = 0; i < n; i++) sum += points[i].y + 3 * points[i].inner[0].deep + 5 * points[i].inner[1].deep;
  printf("points %d: %.3f\n", n, sum);
  TELL("q", q, n);
  free(at);
}

int main(void) {
  for (int c = 0; c < COUNTS; c++) {
    int n = counts[c];
    of_char(n), of_int8(n), of_uint8(n), of_short(n), of_uint16(n), of_int(n), of_uint32(n), of_int64(n), of_uint64(n);
    of_float(n), of_double(n);
    bounds(n);
    compound(n);
    aliases(n);
    step(n);
    chosen(n);
    places(n);
  }
  nests(3, 3), nests(1, 100), nests(100, 1), nests(5, 2000), nests(2000, 5), nests(640, 600), nests(2, 100000), nests(33, 34);
  cubes();
}
