/* Prefix sums inside regions: types and operators, by a part of a block. */
#include <stdio.h>

enum bits { NONE = 0, ONE = 1, TWO = 2, FOUR = 4 };

static int a[200], in[200], ex[200];

#define SCAN(type, name, operator, start, input)                                                                       \
  {                                                                                                                    \
    type v = start;                                                                                                    \
    unsigned hash = 0;                                                                                                 \
    _Pragma("omp target map(to : a) map(tofrom : v, in, ex)")                                                          \
    {                                                                                                                  \
      int width = 45;                                                                                                  \
      _Pragma("omp parallel num_threads(width)")                                                                       \
      {                                                                                                                \
        PRAGMA(omp for reduction(inscan, operator : v))                                                                 \
        for (int i = 0; i < 200; i++) {                                                                                \
          input;                                                                                                       \
          _Pragma("omp scan inclusive(v)")                                                                             \
          in[i] = (int)v;                                                                                              \
        }                                                                                                              \
        PRAGMA(omp for simd reduction(inscan, operator : v))                                                            \
        for (int i = 0; i < 200; i++) {                                                                                \
          ex[i] = (int)v;                                                                                              \
          _Pragma("omp scan exclusive(v)")                                                                             \
          input;                                                                                                       \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
    for (int i = 0; i < 200; i++) hash = hash * 31u + (unsigned)in[i] * 7u + (unsigned)ex[i];                          \
    printf(#type " " name " %g %u\n", (double)v, hash);                                                                \
  }
#define PRAGMA(...) _Pragma(#__VA_ARGS__)

int main(void) {
  for (int i = 0; i < 200; i++) a[i] = (i * 37) % 101 - 20;
  SCAN(int, "+", +, 4, v += a[i])
  SCAN(signed char, "+", +, 4, v += (signed char)(a[i] % 3))
  SCAN(short, "-", -, 4, v -= (short)a[i])
  SCAN(unsigned, "*", *, 3u, v *= (unsigned)a[i] | 1u)
  SCAN(long, "+", +, 1L << 40, v += a[i])
  SCAN(unsigned long long, "^", ^, 77ull, v ^= (unsigned long long)a[i] << 30)
  SCAN(unsigned char, "&", &, 255, v &= (unsigned char)~(a[i] == 80))
  SCAN(int, "|", |, 0, v |= 1 << (i % 9))
  SCAN(_Bool, "||", ||, 0, v = v || a[i] == 50)
  SCAN(int, "&&", &&, 1, v = v && a[i] != 50)
  SCAN(double, "+", +, 0.5, v += a[i] * 0.25)
  SCAN(float, "+", +, 0.5f, v += (float)a[i])
  SCAN(double, "min", min, 1e9, v = v < a[i] - i ? v : a[i] - i)
  SCAN(float, "max", max, -1e9f, v = v > a[i] + i ? v : a[i] + i)
  SCAN(enum bits, "|", |, NONE, v = (enum bits)(v | (i == 60 ? FOUR : i == 20 ? TWO : NONE)))
  return 0;
}
