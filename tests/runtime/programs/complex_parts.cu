// Tries products and quotients of complex numbers (rex_device_complex_parts.h) beside those of CUDA's library, bit by bit.
#include "rex_device_complex_parts.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

template <class T> static unsigned long long bits(T x) {
  unsigned long long found = 0;
  if (x != x) return ~0ull;
  memcpy(&found, &x, sizeof x);
  return found;
}

template <class T> static bool are_equal(const cuda::std::complex<T> &a, const cuda::std::complex<T> &b) {
  return bits(a.real()) == bits(b.real()) && bits(a.imag()) == bits(b.imag());
}

// Numbers of which some are special, some have any exponent, and most are near 1.
template <class T> struct Numbers {
  typedef std::numeric_limits<T> Limits;
  std::mt19937_64 random{7};

  T power(T x, int exponent) { return std::ldexp(x, exponent); }
  T special() {
    const T some[] = {0, -T(0), 1, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                      Limits::lowest(), Limits::min(), Limits::denorm_min(), -Limits::denorm_min()};
    const int edges[] = {100, 101, -100, -101, 216, 217, -216, -217};
    int i = random() % (11 + 8);
    return i < 11 ? some[i] : power(T(1.75), edges[i - 11]);
  }
  T next() {
    int kind = random() % 8;
    if (kind == 0) return special();
    int range = kind < 3 ? Limits::max_exponent + 60 : 10;
    T x = power(1 + T(random() >> 12) / T(1ull << 52), int(random() % (2 * range)) - range);
    return random() & 1 ? x : -x;
  }
};

template <class T> static long wrong_of(long tries) {
  Numbers<T> numbers;
  long wrong = 0;
  for (long i = 0; i < tries; i++) {
    cuda::std::complex<T> z(numbers.next(), numbers.next()), w(numbers.next(), numbers.next());
    wrong += !are_equal(z * w, rex_detail::product(z, w)) + !are_equal(z / w, rex_detail::quotient(z, w));
  }
  return wrong;
}

constexpr cuda::std::complex<double> table[] = {rex_detail::product(cuda::std::complex<double>(1, 2), cuda::std::complex<double>(3, 4))};
static_assert(table[0].real() == -5 && table[0].imag() == 10, "a constant");

int main(int, char **argv) {
  long tries = atol(argv[1]);
  printf("wrong %ld %ld\n", wrong_of<double>(tries), wrong_of<float>(tries));
}
