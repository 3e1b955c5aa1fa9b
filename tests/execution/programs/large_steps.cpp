// Loops whose index has 64 bits and goes by large steps, so that the step of all threads together, or a distance and one
// more step, has no such number: up and down, signed and unsigned, to the end of the type, for teams and in them.
#include <climits>
#include <cstdint>
#include <cstdio>
template <class I> static long up(I b, I e, I s) {
  long c = 0, h = 0;
#pragma omp target teams distribute parallel for reduction(+ : c, h)
  for (I i = b; i < e; i += s) {
    c++;
    h += long(i >> 20) * 3;
  }
  return c * 1000003 + h % 1000003;
}
template <class I> static long down(I b, I e, I s) {
  long c = 0, h = 0;
#pragma omp target parallel for reduction(+ : c, h)
  for (I i = b; i >= e; i -= s) {
    c++;
    h += long(i >> 20) * 3;
  }
  return c * 1000003 + h % 1000003;
}
static long fixed(int n) {
  long c = 0;
#pragma omp target teams distribute parallel for reduction(+ : c)
  for (long i = 0; i < LONG_MAX - (1L << 60); i += 1L << 57) c += i >> 50;
#pragma omp target teams distribute parallel for reduction(+ : c)
  for (unsigned long i = n; i <= 5ul << 61; i += 1ul << 59) c += i >> 50;
#pragma omp target teams distribute num_teams(2) reduction(+ : c)
  for (int t = 0; t < 4; t++) {
    long s = 0;
#pragma omp parallel for reduction(+ : s)
    for (long i = -(1L << 62) + t; i < 1L << 62; i = i + (1L << 58)) s += i >> 50;
    c += s;
  }
#pragma omp target teams distribute parallel for reduction(+ : c) collapse(2)
  for (long i = 0; i < 1L << 62; i += 1L << 59)
    for (int j = 0; j < 3; j++) c += (i >> 55) * j;
#pragma omp target teams distribute parallel for reduction(+ : c) schedule(static, 2)
  for (long i = 0; i < 1L << 62; i += 1L << 59) c += i >> 55;
#pragma omp target teams distribute parallel for reduction(+ : c)
  for (long i = 3; i < 100; i += 1L << 62) c += i;
  return c;
}
int main() {
  printf("%ld\n", up<std::uint64_t>(0, 1ull << 63, 1ull << 50));
  printf("%ld\n", up<std::uint64_t>(7, 15ull << 60, 1ull << 59));
  printf("%ld\n", up<long>(-(1L << 62), 1L << 62, 1L << 52));
  printf("%ld\n", up<long long>(0, LLONG_MAX - (1LL << 62), 1LL << 61));
  printf("%ld\n", down<long>(1L << 62, -(1L << 61), 1L << 55));
  printf("%ld\n", down<std::uint64_t>(15ull << 60, 1ull << 60, 1ull << 58));
  printf("%ld\n", fixed(5));
}
