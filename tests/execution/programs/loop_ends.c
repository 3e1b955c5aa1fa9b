/* Loops over 64-bit numbers whose steps, taken once by each thread, add up to more than 64 bits, and such that start near
   the greatest number. */
#include <limits.h>
#include <stdio.h>

#define PRAGMA(text) _Pragma(#text)
#define LOOP(type, first, condition, step)                                                    \
  {                                                                                           \
    unsigned long sum = 0, count = 0;                                                         \
    PRAGMA(omp target teams distribute parallel for reduction(+ : sum, count))                \
    for (type i = first; condition; step) sum += (unsigned long)i, count++;                   \
    PRAGMA(omp target map(tofrom : sum, count))                                               \
    PRAGMA(omp parallel for reduction(+ : sum, count) num_threads(133))                       \
    for (type i = first; condition; step) sum += (unsigned long)i, count++;                   \
    printf("%s %lu %lu\n", #type " " #condition " " #step, sum, count);                       \
  }

int main(void) {
  LOOP(unsigned long, 0, i < ULONG_MAX - (1ul << 62), i = (1ul << 62) + i)
  LOOP(long, 0, i < LONG_MAX - 3, i += LONG_MAX / 4)
  LOOP(long, LONG_MIN, i < LONG_MAX - 4000000000000000000, i += 4000000000000000000)
  LOOP(long, LONG_MAX, i > LONG_MIN + 4000000000000000000, i -= 4000000000000000000)
  LOOP(unsigned long, ULONG_MAX, i > 1ul << 62, i -= 1ul << 61)
  LOOP(long, 9223372036854775700, i < LONG_MAX - 3, i++)
  LOOP(unsigned long, ULONG_MAX - 100, i < ULONG_MAX - 3, i++)
  LOOP(long, LONG_MIN + 100, i > LONG_MIN, i--)
  LOOP(unsigned, 4294967295u, i > 1u << 30, i -= 1u << 29)
  return 0;
}
