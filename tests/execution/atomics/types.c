/* Conversions are C's own: the operation is done in the type that both operands are converted to. */
#include <stdint.h>
#include <stdio.h>

#define TYPE(type, name, format)                                                                                       \
  static void of_##name(void) {                                                                                        \
    type x[12] = {100, 100, 100, 100, 3, 100, 7, 7, 100, 3, 3, 1}, v = 0, w = 0;                                       \
    _Pragma("omp target map(tofrom : x, v, w)") {                                                                      \
      _Pragma("omp atomic") x[0] += 300;                                                                               \
      _Pragma("omp atomic") x[1] = x[1] / 3.5;                                                                         \
      _Pragma("omp atomic") x[2] -= 30u;                                                                               \
      _Pragma("omp atomic") x[3] *= 0.75f;                                                                             \
      _Pragma("omp atomic") x[4] = 100 - x[4];                                                                         \
      _Pragma("omp atomic capture") v = x[5] += 27ll;                                                                  \
      _Pragma("omp atomic compare") if (x[6] < 70.9) { x[6] = 70.9; }                                                  \
      _Pragma("omp atomic compare") if (x[7] == 7.5) { x[7] = 1; }                                                     \
      _Pragma("omp atomic compare") if (x[8] > 'A') { x[8] = 'A'; }                                                    \
      _Pragma("omp atomic compare") x[9] = x[9] == 3 ? 77.7f : x[9];                                                   \
      _Pragma("omp atomic capture") { w = x[10]; x[10] = 55.5; }                                                       \
      _Pragma("omp atomic write") x[11] = 3.99;                                                                        \
    }                                                                                                                  \
    printf(#name ":");                                                                                                 \
    for (int i = 0; i < 12; i++) printf(" " format, x[i]);                                                             \
    printf(" " format " " format "\n", v, w);                                                                          \
  }

TYPE(char, char, "%d")
TYPE(signed char, schar, "%d")
TYPE(unsigned char, uchar, "%d")
TYPE(short, short, "%d")
TYPE(unsigned short, ushort, "%d")
TYPE(int, int, "%d")
TYPE(unsigned, unsigned, "%u")
TYPE(long, long, "%ld")
TYPE(uint64_t, u64, "%lu")
TYPE(long long, longlong, "%lld")
TYPE(float, float, "%.9g")
TYPE(double, double, "%.17g")
TYPE(_Bool, bool, "%d")

static void edges(void) {
  unsigned char byte = 200;
  short half = -1;
  int i = -5, j = 16777217;
  unsigned u = 5, w = 0;
  long l = -7;
  float f = 16777216.0f, g = 0.1f;
  double d = 0.1;
#pragma omp target map(tofrom : byte, half, i, j, u, w, l, f, g, d)
  {
#pragma omp atomic compare
    if (byte == 456) { byte = 1; }
#pragma omp atomic compare
    if (half < 40000) { half = 40000; }
#pragma omp atomic compare
    if (i < 3u) { i = 3u; }
#pragma omp atomic compare
    if (u < -3) { u = -3; }
#pragma omp atomic compare
    if (j < 5.0f) { j = 5.0f; }
#pragma omp atomic
    w -= 1;
#pragma omp atomic
    l /= 2u;
#pragma omp atomic
    f += 1.0;
#pragma omp atomic
    g *= 3.3;
#pragma omp atomic
    d += 16777217;
  }
  printf("edges: %d %d %d %d %u %u %ld %.9g %.9g %.17g\n", byte, half, i, j, u, w, l, f, g, d);
}

static void pointers(void) {
  int array[8] = {1, 2, 3, 4, 5, 6, 7, 8}, at = -1, was = -1, other = -1;
#pragma omp target map(tofrom : at, was, other) map(to : array)
  {
    static int *p;
    int *old;
#pragma omp atomic write
    p = array;
#pragma omp atomic
    p += 3;
#pragma omp atomic capture
    old = p--;
    at = *p;
#pragma omp atomic capture
    { old = p; p = (void *)(array + 7); }
    was = *old;
#pragma omp atomic
    p = p - 2;
    other = *p;
  }
  printf("pointers: %d %d %d\n", at, was, other);
}

enum colour { RED, GREEN, BLUE = 5 };

static void enumerations(void) {
  enum colour c = RED, d = RED, e = GREEN, f = GREEN, g = GREEN;
  int n = 0;
#pragma omp target map(tofrom : c, d, e, f, g, n)
  {
#pragma omp atomic write
    c = 5;
#pragma omp atomic
    d += 1;
#pragma omp atomic
    e = e | 4;
#pragma omp atomic
    f = 4 + f;
#pragma omp atomic compare
    g = g < 5 ? 5 : g;
#pragma omp atomic capture
    n = c -= 3;
  }
  printf("enumerations: %d %d %d %d %d %d\n", c, d, e, f, g, n);
}

int main(void) {
  of_char(), of_schar(), of_uchar(), of_short(), of_ushort(), of_int(), of_unsigned(), of_long(), of_u64();
  of_longlong(), of_float(), of_double(), of_bool();
  edges();
  pointers();
  enumerations();
  return 0;
}
