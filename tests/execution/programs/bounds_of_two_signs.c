/* Bounds that C converts: index and bound of two signs, and first values that the index's type does not have. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

#define DIRECTIVE(...) _Pragma(#__VA_ARGS__)
#define COUNT(head)                                                                           \
  do {                                                                                        \
    long count = 0, sum = 0, nested = 0, chunks = 0, inner = 0;                               \
    DIRECTIVE(omp target teams distribute parallel for reduction(+ : count, sum))             \
    for (head) count++, sum += (long)i * 3 + 1;                                               \
    DIRECTIVE(omp target teams distribute parallel for collapse(2) reduction(+ : nested))     \
    for (head) for (int j = 0; j < 3; j++) nested += i + j;                                   \
    DIRECTIVE(omp target parallel for schedule(static, 3) reduction(+ : chunks))              \
    for (head) chunks += i;                                                                   \
    DIRECTIVE(omp target map(tofrom : inner)) {                                               \
      DIRECTIVE(omp parallel for reduction(+ : inner))                                        \
      for (head) inner += i;                                                                  \
    }                                                                                         \
    printf("%s: %ld %ld %ld %ld %ld", #head, count, sum, nested, chunks, inner);              \
    count = 0;                                                                                \
    DIRECTIVE(omp target teams distribute parallel for map(tofrom : count))                   \
    for (head) {                                                                              \
      DIRECTIVE(omp atomic)                                                                   \
      count += i;                                                                             \
    }                                                                                         \
    printf(" %ld\n", count);                                                                  \
  } while (0)

struct bits {
  unsigned n : 5;
};

static void tiles(int m5, size_t z, unsigned un) {
  long c[4] = {0};
#pragma omp target map(tofrom : c)
  {
#pragma omp tile sizes(4)
    for (int i = m5; i < z; i++) c[0] += i;
#pragma omp tile sizes(4)
    for (unsigned i = UINT_MAX - 9; i < m5; i++) c[1] += i;
#pragma omp tile sizes(4)
    for (int i = m5; i < un; i++) c[2] += i + 100;
#pragma omp unroll partial(4)
    for (unsigned i = UINT_MAX - 9; i < m5; i++) c[3] += i;
  }
  printf("%ld %ld %ld %ld\n", c[0], c[1], c[2], c[3]);
}

int main(int argc, char **argv) {
  int m1 = -argc, m5 = -5 * argc, p300 = 300 * argc;
  unsigned un = 10 * argc, top = UINT_MAX - argc;
  size_t z = 9 * argc, zero = z - 9;
  long big = (1l << 33) + 3;
  unsigned char uc = 250;
  short sh = -3;
  struct bits b = {7 * argc};
  long lmax = LONG_MAX, lmin = LONG_MIN;
  long long ll = 4;
  unsigned long ul = 3;
  COUNT(unsigned i = top - 6; i < m1; i++);
  COUNT(unsigned i = m1; i > m5 - 20; i--);
  COUNT(unsigned i = m5; i < UINT_MAX; i++);
  COUNT(int i = m5; i < un; i++);
  COUNT(int i = m5; i < UINT_MAX; i++);
  COUNT(int i = 5; i > un - 11; i--);
  COUNT(int i = p300; i > un; i -= 9);
  COUNT(int i = m5; i < z; i++);
  COUNT(int i = 0; i < z; i++);
  COUNT(int i = 5; i > z - 11; i--);
  COUNT(long i = m5; i < z; i++);
  COUNT(long i = m5; i <= (size_t)-2; i++);
  COUNT(size_t i = m5; i < 100; i++);
  COUNT(size_t i = zero - 2; i < z; i++);
  COUNT(size_t i = 20; i > m1; i--);
  COUNT(size_t i = z; i > 2; i -= 2);
  COUNT(long i = lmax; i <= lmin; i++);
  COUNT(long i = lmin; i > lmax; i--);
  COUNT(unsigned char i = p300; i < 60; i++);
  COUNT(int i = big; i < 20; i++);
  COUNT(short i = 65530 * argc; i < 20; i++);
  COUNT(int i = m5; i < b.n; i++);
  COUNT(short i = sh; i < uc; i += 20);
  COUNT(short i = sh; i < un; i += 20);
  COUNT(int i = sh; i < uc; i += 20);
  COUNT(long long i = m5; i < ul; i++);
  COUNT(unsigned i = 3; i < ll; i++);
  COUNT(unsigned short i = 3; i < m1; i++);
  COUNT(unsigned i = 3; i < p300; i += un);
  COUNT(signed char i = m5; i < 100u * argc; i += 10);
  COUNT(signed char i = 100; i > 10u * argc; i -= 10);
  COUNT(size_t i = 0; i < p300; i += 70);
  COUNT(size_t i = m1 + 3; i < p300; i += 70);
  COUNT(unsigned i = m1 + 3; i < p300; i += 70);
  tiles(m5, z, un);
  return 0;
}
