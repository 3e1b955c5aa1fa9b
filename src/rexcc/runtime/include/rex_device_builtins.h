// SPDX-License-Identifier: Apache-2.0
//
// Functions of gcc and clang that nvcc does not have in device code: bits, overflow, what compilers know. The macros at
// the end give them their names; headers of the C++ library use them too. Included by rex_nvidia.h, for nvcc alone; the
// functions are C++17 of any compiler.
#ifndef REX_DEVICE_BUILTINS_H
#define REX_DEVICE_BUILTINS_H

#ifdef __CUDACC__
#define REX_BUILTIN __host__ __device__ constexpr inline
#else
#define REX_BUILTIN constexpr inline
#endif

namespace rex_builtins {

typedef unsigned long long wide;

// Bits; nvcc has popcount, clz and ffs of int and long long.
REX_BUILTIN int count_trailing(unsigned x) { return __builtin_popcount(~x & (x - 1)); }
REX_BUILTIN int count_trailing_wide(wide x) { return __builtin_popcountll(~x & (x - 1)); }
REX_BUILTIN int sign_bits(int x) { return __builtin_clz((unsigned)(x ^ (x >> 31)) << 1 | 1); }
REX_BUILTIN int sign_bits_wide(long long x) { return __builtin_clzll((wide)(x ^ (x >> 63)) << 1 | 1); }

REX_BUILTIN unsigned short swap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
REX_BUILTIN unsigned swap32(unsigned x) { return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24; }
REX_BUILTIN unsigned long swap64(unsigned long x) {
  return (unsigned long)swap32((unsigned)x) << 32 | swap32((unsigned)(x >> 32));
}

template <class T> REX_BUILTIN T reverse(T x) {
  T made = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(T); bit++, x = (T)(x >> 1)) made = (T)((T)(made << 1) | (T)(x & 1));
  return made;
}
template <class T> REX_BUILTIN T rotate_left(T x, T by) {
  const unsigned bits = 8 * sizeof(T), n = (unsigned)by & (bits - 1);
  return (T)(x << n | x >> ((bits - n) & (bits - 1)));
}
template <class T> REX_BUILTIN T rotate_right(T x, T by) { return rotate_left(x, (T)(0 - by)); }

// Of any unsigned type; what there is to say of zero is the second argument.
template <class T> REX_BUILTIN int ones(T x) {
  static_assert(sizeof(T) <= 8 && (T)-1 > (T)0, "device code counts bits of unsigned integers of up to 64 bits");
  return __builtin_popcountll((wide)x);
}
template <class T> REX_BUILTIN int leading_zeros(T x, int of_zero = 0) {
  static_assert(sizeof(T) <= 8 && (T)-1 > (T)0, "device code counts bits of unsigned integers of up to 64 bits");
  return x ? __builtin_clzll((wide)x) - (int)(64 - 8 * sizeof(T)) : of_zero;
}
template <class T> REX_BUILTIN int trailing_zeros(T x, int of_zero = 0) {
  static_assert(sizeof(T) <= 8 && (T)-1 > (T)0, "device code counts bits of unsigned integers of up to 64 bits");
  return x ? count_trailing_wide((wide)x) : of_zero;
}

// A result as if of infinitely many bits, and whether its type has it: a sign and a magnitude are enough for all types
// of up to eight bytes.
struct exact {
  unsigned __int128 magnitude;
  bool is_negative;
};
template <class T> REX_BUILTIN exact exactly(T x) {
  static_assert(sizeof(T) <= 8, "device code has no overflow functions of 128-bit integers");
  return x < T() ? exact{(unsigned __int128)0 - (unsigned __int128)(__int128)x, true} : exact{(unsigned __int128)x, false};
}
REX_BUILTIN exact sum(exact a, exact b) {
  if (a.is_negative == b.is_negative) return {a.magnitude + b.magnitude, a.is_negative};
  if (a.magnitude >= b.magnitude) return {a.magnitude - b.magnitude, a.is_negative};
  return {b.magnitude - a.magnitude, b.is_negative};
}
template <class R> REX_BUILTIN bool put(exact x, R *result) {
  *result = (R)(x.is_negative ? (unsigned __int128)0 - x.magnitude : x.magnitude);
  const bool is_signed = (R)-1 < (R)0;
  const unsigned __int128 half = (unsigned __int128)1 << (8 * sizeof(R) - 1);
  if (x.is_negative && x.magnitude != 0) return !is_signed || x.magnitude > half;
  return x.magnitude > (is_signed ? half - 1 : half - 1 + half);
}
template <class A, class B, class R> constexpr bool is_small = sizeof(A) <= 4 && sizeof(B) <= 4 && sizeof(R) <= 4;
template <class R> REX_BUILTIN bool put(long long x, R *result) { return *result = (R)x, (long long)*result != x; }

template <class A, class B, class R> REX_BUILTIN bool add_overflow(A a, B b, R *result) {
  if constexpr (is_small<A, B, R>) return put((long long)a + (long long)b, result);
  else return put(sum(exactly(a), exactly(b)), result);
}
template <class A, class B, class R> REX_BUILTIN bool sub_overflow(A a, B b, R *result) {
  if constexpr (is_small<A, B, R>) return put((long long)a - (long long)b, result);
  else {
    const exact other = exactly(b);
    return put(sum(exactly(a), exact{other.magnitude, !other.is_negative}), result);
  }
}
template <class A, class B, class R> REX_BUILTIN bool mul_overflow(A a, B b, R *result) {
  const exact x = exactly(a), y = exactly(b);
  return put(exact{x.magnitude * y.magnitude, x.is_negative != y.is_negative}, result);
}

template <class T> REX_BUILTIN int classify(int nan, int infinite, int normal, int subnormal, int zero, T x) {
  if (x != x) return nan;
  const T size = x < 0 ? -x : x;
  if (size == 0) return zero;
  if (size > (sizeof(T) == 4 ? (T)__FLT_MAX__ : (T)__DBL_MAX__)) return infinite;
  return size < (sizeof(T) == 4 ? (T)__FLT_MIN__ : (T)__DBL_MIN__) ? subnormal : normal;
}

// Comparisons of numbers that may be none: exact in double for all of up to eight bytes that are no integers, which the
// functions of <cmath> convert to double, too.
REX_BUILTIN bool is_greater(double x, double y) { return x > y; }
REX_BUILTIN bool is_greater_or_equal(double x, double y) { return x >= y; }
REX_BUILTIN bool is_less(double x, double y) { return x < y; }
REX_BUILTIN bool is_less_or_equal(double x, double y) { return x <= y; }
REX_BUILTIN bool is_less_or_greater(double x, double y) { return x < y || x > y; }
REX_BUILTIN bool is_unordered(double x, double y) { return x != x || y != y; }
REX_BUILTIN bool is_normal(double x) { return classify(0, 0, 1, 0, 0, x) != 0; }
REX_BUILTIN bool is_normal(float x) { return classify(0, 0, 1, 0, 0, x) != 0; }
template <class T> REX_BUILTIN bool is_normal(T x) { return is_normal((double)x); }
REX_BUILTIN int sign_of_infinite(double x) { return classify(0, 1, 0, 0, 0, x) == 0 ? 0 : x < 0 ? -1 : 1; }

template <class T> REX_BUILTIN void nothing(const T *, int = 0, int = 0) {}

// Addresses and numbers at multiples of a power of two.
template <class T> REX_BUILTIN bool is_aligned(T x, wide to) {
  if constexpr (sizeof(T) == sizeof(wide)) return ((wide)x & (to - 1)) == 0;
  else return (x & (T)(to - 1)) == 0;
}
template <class T> REX_BUILTIN T align_down(T x, wide to) { return (T)((wide)x & ~(to - 1)); }
template <class T> REX_BUILTIN T align_up(T x, wide to) { return (T)(((wide)x + (to - 1)) & ~(to - 1)); }

// Lists of template arguments: 0, 1, ... N - 1 as arguments of a template, and the N-th of a list of types.
template <class T, T... I> struct numbers {};
template <class A, class B> struct joined;
template <class T, T... I, T... J> struct joined<numbers<T, I...>, numbers<T, J...>> {
  typedef numbers<T, I..., (T)(sizeof...(I) + J)...> type;
};
template <class T, wide N> struct counted {
  typedef typename joined<typename counted<T, N / 2>::type, typename counted<T, N - N / 2>::type>::type type;
};
template <class T> struct counted<T, 0> { typedef numbers<T> type; };
template <class T> struct counted<T, 1> { typedef numbers<T, 0> type; };
template <template <class T, T...> class S, class N> struct sequence;
template <template <class T, T...> class S, class T, T... I> struct sequence<S, numbers<T, I...>> {
  typedef S<T, I...> type;
};

template <class T> struct holds { typedef T type; };
template <wide I, class T> struct entry {};
template <class N, class... T> struct entries;
template <wide... I, class... T> struct entries<numbers<wide, I...>, T...> : entry<I, T>... {};
template <wide I, class T> holds<T> at(const entry<I, T> *);
template <wide N, class... T>
using element = typename decltype(at<N>((entries<typename counted<wide, sizeof...(T)>::type, T...> *)nullptr))::type;

} // namespace rex_builtins

#ifdef __CUDACC__
#ifdef __has_builtin
#define REX_HAS_BUILTIN(x) __has_builtin(x)
#else
#define REX_HAS_BUILTIN(x) 0
#endif
#if !REX_HAS_BUILTIN(__make_integer_seq)
template <template <class T, T...> class S, class T, T N>
using __make_integer_seq = typename rex_builtins::sequence<S, typename rex_builtins::counted<T, N>::type>::type;
#endif
#if !REX_HAS_BUILTIN(__type_pack_element)
template <rex_builtins::wide N, class... T> using __type_pack_element = rex_builtins::element<N, T...>;
#endif
#undef REX_HAS_BUILTIN

#define __builtin_ctz(...) rex_builtins::count_trailing(__VA_ARGS__)
#define __builtin_ctzl(...) rex_builtins::count_trailing_wide(__VA_ARGS__)
#define __builtin_ctzll(...) rex_builtins::count_trailing_wide(__VA_ARGS__)
#define __builtin_clzl(...) __builtin_clzll(__VA_ARGS__)
#define __builtin_ffsl(...) __builtin_ffsll(__VA_ARGS__)
#define __builtin_popcountl(...) __builtin_popcountll(__VA_ARGS__)
#define __builtin_parity(...) (__builtin_popcount(__VA_ARGS__) & 1)
#define __builtin_parityl(...) (__builtin_popcountll(__VA_ARGS__) & 1)
#define __builtin_parityll(...) (__builtin_popcountll(__VA_ARGS__) & 1)
#define __builtin_clrsb(...) rex_builtins::sign_bits(__VA_ARGS__)
#define __builtin_clrsbl(...) rex_builtins::sign_bits_wide(__VA_ARGS__)
#define __builtin_clrsbll(...) rex_builtins::sign_bits_wide(__VA_ARGS__)
#define __builtin_bswap16(...) rex_builtins::swap16(__VA_ARGS__)
#define __builtin_bswap32(...) rex_builtins::swap32(__VA_ARGS__)
#define __builtin_bswap64(...) rex_builtins::swap64(__VA_ARGS__)
#define __builtin_popcountg(...) rex_builtins::ones(__VA_ARGS__)
#define __builtin_clzg(...) rex_builtins::leading_zeros(__VA_ARGS__)
#define __builtin_ctzg(...) rex_builtins::trailing_zeros(__VA_ARGS__)
#define __builtin_bitreverse8(...) rex_builtins::reverse((unsigned char)(__VA_ARGS__))
#define __builtin_bitreverse16(...) rex_builtins::reverse((unsigned short)(__VA_ARGS__))
#define __builtin_bitreverse32(...) rex_builtins::reverse((unsigned)(__VA_ARGS__))
#define __builtin_bitreverse64(...) rex_builtins::reverse((unsigned long)(__VA_ARGS__))
#define __builtin_rotateleft8(...) rex_builtins::rotate_left<unsigned char>(__VA_ARGS__)
#define __builtin_rotateleft16(...) rex_builtins::rotate_left<unsigned short>(__VA_ARGS__)
#define __builtin_rotateleft32(...) rex_builtins::rotate_left<unsigned>(__VA_ARGS__)
#define __builtin_rotateleft64(...) rex_builtins::rotate_left<unsigned long>(__VA_ARGS__)
#define __builtin_rotateright8(...) rex_builtins::rotate_right<unsigned char>(__VA_ARGS__)
#define __builtin_rotateright16(...) rex_builtins::rotate_right<unsigned short>(__VA_ARGS__)
#define __builtin_rotateright32(...) rex_builtins::rotate_right<unsigned>(__VA_ARGS__)
#define __builtin_rotateright64(...) rex_builtins::rotate_right<unsigned long>(__VA_ARGS__)

#define __builtin_add_overflow(...) rex_builtins::add_overflow(__VA_ARGS__)
#define __builtin_sub_overflow(...) rex_builtins::sub_overflow(__VA_ARGS__)
#define __builtin_mul_overflow(...) rex_builtins::mul_overflow(__VA_ARGS__)
#define __builtin_sadd_overflow(...) rex_builtins::add_overflow<int, int>(__VA_ARGS__)
#define __builtin_saddl_overflow(...) rex_builtins::add_overflow<long, long>(__VA_ARGS__)
#define __builtin_saddll_overflow(...) rex_builtins::add_overflow<long long, long long>(__VA_ARGS__)
#define __builtin_uadd_overflow(...) rex_builtins::add_overflow<unsigned, unsigned>(__VA_ARGS__)
#define __builtin_uaddl_overflow(...) rex_builtins::add_overflow<unsigned long, unsigned long>(__VA_ARGS__)
#define __builtin_uaddll_overflow(...) rex_builtins::add_overflow<rex_builtins::wide, rex_builtins::wide>(__VA_ARGS__)
#define __builtin_ssub_overflow(...) rex_builtins::sub_overflow<int, int>(__VA_ARGS__)
#define __builtin_ssubl_overflow(...) rex_builtins::sub_overflow<long, long>(__VA_ARGS__)
#define __builtin_ssubll_overflow(...) rex_builtins::sub_overflow<long long, long long>(__VA_ARGS__)
#define __builtin_usub_overflow(...) rex_builtins::sub_overflow<unsigned, unsigned>(__VA_ARGS__)
#define __builtin_usubl_overflow(...) rex_builtins::sub_overflow<unsigned long, unsigned long>(__VA_ARGS__)
#define __builtin_usubll_overflow(...) rex_builtins::sub_overflow<rex_builtins::wide, rex_builtins::wide>(__VA_ARGS__)
#define __builtin_smul_overflow(...) rex_builtins::mul_overflow<int, int>(__VA_ARGS__)
#define __builtin_smull_overflow(...) rex_builtins::mul_overflow<long, long>(__VA_ARGS__)
#define __builtin_smulll_overflow(...) rex_builtins::mul_overflow<long long, long long>(__VA_ARGS__)
#define __builtin_umul_overflow(...) rex_builtins::mul_overflow<unsigned, unsigned>(__VA_ARGS__)
#define __builtin_umull_overflow(...) rex_builtins::mul_overflow<unsigned long, unsigned long>(__VA_ARGS__)
#define __builtin_umulll_overflow(...) rex_builtins::mul_overflow<rex_builtins::wide, rex_builtins::wide>(__VA_ARGS__)

#define __builtin_fpclassify(...) rex_builtins::classify(__VA_ARGS__)
#define __builtin_isnormal(...) rex_builtins::is_normal(__VA_ARGS__)
#define __builtin_isgreater(...) rex_builtins::is_greater(__VA_ARGS__)
#define __builtin_isgreaterequal(...) rex_builtins::is_greater_or_equal(__VA_ARGS__)
#define __builtin_isless(...) rex_builtins::is_less(__VA_ARGS__)
#define __builtin_islessequal(...) rex_builtins::is_less_or_equal(__VA_ARGS__)
#define __builtin_islessgreater(...) rex_builtins::is_less_or_greater(__VA_ARGS__)
#define __builtin_isunordered(...) rex_builtins::is_unordered(__VA_ARGS__)
#define __builtin_isinf_sign(...) rex_builtins::sign_of_infinite(__VA_ARGS__)
#define __builtin_prefetch(...) rex_builtins::nothing(__VA_ARGS__)
#define __builtin_unpredictable(...) (__VA_ARGS__)
#define __builtin_constant_p(...) 0 // a compiler may always say so
#define __builtin_is_aligned(...) rex_builtins::is_aligned(__VA_ARGS__)
#define __builtin_align_up(...) rex_builtins::align_up(__VA_ARGS__)
#define __builtin_align_down(...) rex_builtins::align_down(__VA_ARGS__)
#define __builtin_expect_with_probability(x, value, probability) __builtin_expect(x, value)
#define __builtin_object_size(at, kind) ((kind) & 2 ? (__SIZE_TYPE__)0 : (__SIZE_TYPE__)-1)
#endif

#ifdef __CUDACC__
// Those of <cmath> that are made of such functions: nvcc reads that header in front of all others, so before the macros
// above, and takes what they call for something without a value, without a word. They get names of their own, wherever
// the file has them.
#include <cmath>
#define REX_COMPARISON(name, does)                                                                                     \
  template <class X, class Y> REX_BUILTIN bool rex_##name(X x, Y y) { return rex_builtins::does((double)x, (double)y); }
REX_COMPARISON(isgreater, is_greater)
REX_COMPARISON(isgreaterequal, is_greater_or_equal)
REX_COMPARISON(isless, is_less)
REX_COMPARISON(islessequal, is_less_or_equal)
REX_COMPARISON(islessgreater, is_less_or_greater)
REX_COMPARISON(isunordered, is_unordered)
#undef REX_COMPARISON
template <class X> REX_BUILTIN bool rex_isnormal(X x) { return rex_builtins::is_normal(x); }
REX_BUILTIN int rex_fpclassify(float x) {
  return rex_builtins::classify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x);
}
template <class X> REX_BUILTIN int rex_fpclassify(X x) {
  return rex_builtins::classify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, (double)x);
}
namespace std {
using ::rex_fpclassify;
using ::rex_isgreater;
using ::rex_isgreaterequal;
using ::rex_isless;
using ::rex_islessequal;
using ::rex_islessgreater;
using ::rex_isnormal;
using ::rex_isunordered;
} // namespace std
#define fpclassify rex_fpclassify
#define isgreater rex_isgreater
#define isgreaterequal rex_isgreaterequal
#define isless rex_isless
#define islessequal rex_islessequal
#define islessgreater rex_islessgreater
#define isnormal rex_isnormal
#define isunordered rex_isunordered
#endif

#undef REX_BUILTIN
#endif
