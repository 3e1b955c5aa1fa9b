// Bounds that the conversions of an instantiation change: index and bound of two signs.
#include <cstdio>
#include <climits>
#include <cstddef>
template <class I, class B> long count(I first, B last, int step) {
  long c = 0;
#pragma omp target teams distribute parallel for reduction(+ : c)
  for (I i = first; i < last; i += step) c += 1 + i % 7;
  return c;
}
template <class I, class B> long count_in(I first, B last) {
  long c = 0;
#pragma omp target map(tofrom : c)
  {
#pragma omp parallel for reduction(+ : c)
  for (I i = first; i < last; i++) c += 1 + i % 7;
  }
  return c;
}
template <class I, class B, class F> long conv(F first, B last) {
  long c = 0;
#pragma omp target teams distribute parallel for reduction(+ : c)
  for (I i = first; i < last; i++) c += 1 + i % 7;
  return c;
}
int main(int argc, char **) {
  int m5 = -5 * argc; unsigned un = 10 * argc; size_t z = 9 * argc;
  printf("%ld %ld %ld %ld\n", count(m5, un, 1), count(m5, z, 2), count(UINT_MAX - 8, -1, 1), count<size_t>(m5, 100, 3));
  printf("%ld %ld %ld %ld\n", count_in(m5, un), count_in(m5, z), count_in(UINT_MAX - 8, -1), count_in<size_t>(m5, 100));
  printf("%ld %ld %ld\n", conv<unsigned char>(260 * argc, 9), conv<short>(65530l * argc, 9), conv<unsigned>(m5, UINT_MAX));
  return 0;
}
