// The device headers' forms of compilers' functions and of the C library's, beside those of the host.
#include "rex_device_builtins.h"
#include "rex_device_strings.h"
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <type_traits>

static int failures;
static void check(bool is_right, const char *what, int line) {
  if (is_right) return;
  failures++;
  printf("%s at %d\n", what, line);
}
#define CHECK(x) check(x, #x, __LINE__)
#define SAME(a, b) check((a) == (b), #a, __LINE__)

template <class A, class B, class R> static void overflows(A a, B b) {
  R mine = 0, theirs = 0;
  SAME(rex_builtins::add_overflow(a, b, &mine), __builtin_add_overflow(a, b, &theirs));
  SAME(mine, theirs);
  SAME(rex_builtins::sub_overflow(a, b, &mine), __builtin_sub_overflow(a, b, &theirs));
  SAME(mine, theirs);
  SAME(rex_builtins::mul_overflow(a, b, &mine), __builtin_mul_overflow(a, b, &theirs));
  SAME(mine, theirs);
}
template <class A, class B> static void overflows_into_all(A a, B b) {
  overflows<A, B, signed char>(a, b), overflows<A, B, unsigned short>(a, b), overflows<A, B, int>(a, b);
  overflows<A, B, unsigned>(a, b), overflows<A, B, long>(a, b), overflows<A, B, unsigned long long>(a, b);
}

static const long long values[] = {0, 1, -1, 2, -2, 7, 127, 128, -128, -129, 255, 256, 32767, -32768, 65535, 65536, INT_MAX, INT_MIN, UINT_MAX, 1LL << 32, -(1LL << 31) - 1, 3037000500, -3037000500, LLONG_MAX, LLONG_MIN, LLONG_MAX / 3, 0x0123456789abcdef};

static void numbers(long long x) {
  const unsigned n = (unsigned)x;
  if (n) SAME(rex_builtins::count_trailing(n), __builtin_ctz(n));
  if (x) SAME(rex_builtins::count_trailing_wide(x), __builtin_ctzll(x));
  SAME(rex_builtins::sign_bits((int)x), __builtin_clrsb((int)x));
  SAME(rex_builtins::sign_bits_wide(x), __builtin_clrsbll(x));
  SAME(rex_builtins::swap16((unsigned short)x), __builtin_bswap16((unsigned short)x));
  SAME(rex_builtins::swap32(n), __builtin_bswap32(n));
  SAME(rex_builtins::swap64(x), __builtin_bswap64(x));
  SAME(rex_builtins::reverse(rex_builtins::reverse(n)), n);
  SAME(rex_builtins::reverse((unsigned long)x) & 1, (unsigned long)x >> 63);
  for (unsigned by : {0, 1, 5, 8, 31, 32, 33, 63}) {
    SAME(rex_builtins::rotate_left<unsigned>(n, by), n << (by & 31) | (by & 31 ? n >> (32 - (by & 31)) : 0));
    SAME(rex_builtins::rotate_right<unsigned>(rex_builtins::rotate_left<unsigned>(n, by), by), n);
    SAME(rex_builtins::rotate_right<unsigned char>((unsigned char)n, 3), (unsigned char)((n & 255) >> 3 | n << 5));
  }
  for (long long y : values) {
    overflows_into_all(x, y), overflows_into_all((int)x, (int)y), overflows_into_all((unsigned)x, (int)y);
    overflows_into_all((unsigned long)x, y), overflows_into_all((unsigned long)x, (unsigned long)y);
    overflows_into_all((signed char)x, (unsigned long)y), overflows_into_all((unsigned short)x, (short)y);
  }
}

template <class T> static void classes(T x) {
  SAME(rex_builtins::classify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x), std::fpclassify(x));
  SAME(rex_builtins::is_normal(x), std::isnormal(x));
  SAME(rex_builtins::sign_of_infinite(x), std::isinf(x) ? (x < 0 ? -1 : 1) : 0);
  for (T y : {x, (T)0, (T)1, (T)-1, (T)NAN, (T)INFINITY}) {
    SAME(rex_builtins::is_greater(x, y), std::isgreater(x, y));
    SAME(rex_builtins::is_greater_or_equal(x, y), std::isgreaterequal(x, y));
    SAME(rex_builtins::is_less(x, y), std::isless(x, y));
    SAME(rex_builtins::is_less_or_equal(x, y), std::islessequal(x, y));
    SAME(rex_builtins::is_less_or_greater(x, y), std::islessgreater(x, y));
    SAME(rex_builtins::is_unordered(x, y), std::isunordered(x, y));
  }
}

static int sign(int x) { return (x > 0) - (x < 0); }

static void texts() {
  const char *words[] = {"", "a", "ab", "abc", "abd", "b", "\xff", "abcdefgh"};
  for (const char *a : words) {
    SAME(rex_strings::length(a), strlen(a));
    for (const char *b : words) {
      char mine[40] = "start ", theirs[40] = "start ";
      SAME(sign(rex_strings::order(a, b, -1)), sign(strcmp(a, b)));
      for (size_t n : {0, 1, 2, 3, 9}) {
        SAME(sign(rex_strings::order(a, b, n)), sign(strncmp(a, b, n)));
        SAME(rex_strings::append(mine, a, n), mine), strncat(theirs, a, n), SAME(strcmp(mine, theirs), 0);
        rex_strings::copy(mine + 20, b, n), strncpy(theirs + 20, b, n), CHECK(memcmp(mine, theirs, 40) == 0);
      }
      rex_strings::copy(mine, b), strcpy(theirs, b), SAME(strcmp(mine, theirs), 0);
    }
  }
  for (int to : {0, 1, 3, 8})
    for (int from : {0, 2, 3, 9}) {
      char mine[20] = "abcdefghijklmnop", theirs[20] = "abcdefghijklmnop";
      SAME(rex_strings::move(mine + to, mine + from, 7), mine + to), memmove(theirs + to, theirs + from, 7);
      SAME(rex_strings::compare(mine, theirs, 20), 0);
      SAME(sign(rex_strings::compare(mine, "abcdefgz", 8)), sign(memcmp(mine, "abcdefgz", 8)));
    }
}

#define SAME_TYPE(a, b) static_assert(std::is_same<decltype(a), decltype(b)>::value, "types")
SAME_TYPE(rex_builtins::swap16(1), __builtin_bswap16(1));
SAME_TYPE(rex_builtins::swap32(1), __builtin_bswap32(1));
SAME_TYPE(rex_builtins::swap64(1), __builtin_bswap64(1));
SAME_TYPE(rex_builtins::count_trailing_wide(1), __builtin_ctzll(1));
SAME_TYPE(rex_builtins::sign_bits_wide(1), __builtin_clrsbll(1));
static_assert(rex_builtins::ones((unsigned char)0xf1) == 5 && rex_builtins::leading_zeros((unsigned short)1) == 15 &&
                  rex_builtins::leading_zeros(0u, 7) == 7 && rex_builtins::leading_zeros(1ul) == 63 &&
                  rex_builtins::trailing_zeros((unsigned char)8) == 3 && rex_builtins::trailing_zeros(0ul, 64) == 64,
              "bits of any type");
static_assert(rex_builtins::is_aligned(48, 16) && !rex_builtins::is_aligned(40u, 16) &&
                  rex_builtins::align_up(33, 16) == 48 && rex_builtins::align_up(48u, 16) == 48 &&
                  rex_builtins::align_down(63ul, 16) == 48,
              "multiples");
template <class T, T... I> struct Indices {};
template <class T, T N>
using Made = typename rex_builtins::sequence<Indices, typename rex_builtins::counted<T, N>::type>::type;
static_assert(std::is_same<Made<int, 5>, Indices<int, 0, 1, 2, 3, 4>>::value, "numbers");
static_assert(std::is_same<Made<unsigned char, 0>, Indices<unsigned char>>::value, "no numbers");
static_assert(std::is_same<rex_builtins::element<0, char>, char>::value, "the only type");
static_assert(std::is_same<rex_builtins::element<2, int, int &, void, int>, void>::value, "a type of some");
static_assert(rex_builtins::count_trailing(8) == 3 && rex_builtins::swap32(1) == 0x01000000, "constants");

int main() {
  for (long long x : values) numbers(x);
  for (double x : {0.0, -0.0, 1.0, -DBL_MAX, DBL_MIN, DBL_MIN / 2, HUGE_VAL, -HUGE_VAL}) classes(x), classes((float)x);
  classes(std::nan("")), classes(std::nanf("")), classes(FLT_MIN / 2), classes(FLT_MAX);
  texts();
  printf("%d failures\n", failures);
}
