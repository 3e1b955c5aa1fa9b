// SPDX-License-Identifier: Apache-2.0
//
// _Float16 for nvcc, which has no such type: a class of the same size, layout and conversions, under the type's name.
// Included last by a device file that names the type. C++17 and later.
//
// Arithmetic is done in float and rounded to half after each operation, which gives the exact half result; a host
// compiler may keep the float within an expression, as C allows. What a class cannot do: take part in "c ? h : 1.0f"
// without a cast, which device code gets where its types are known, be volatile, be an argument for "...". On the CPU
// device the type is the compiler's own.
#ifndef REX_DEVICE_HALF_H
#define REX_DEVICE_HALF_H

#ifdef __CUDACC__

#pragma nv_diag_suppress 2506 // a literal's suffix without an underscore

#define REX_HALF __host__ __device__ inline constexpr

// The C++ library is told that everything is evaluated at compile time; these functions have to know.
#pragma push_macro("__builtin_is_constant_evaluated")
#undef __builtin_is_constant_evaluated

namespace rex_detail {

// Bits of the half nearest to a number, ties to even; for constants and for nvcc's host pass.
REX_HALF unsigned short half_bits(double value) {
  if (value != value) return 0x7e00;
  unsigned short sign = value < 0 || (value == 0 && __builtin_copysign(1.0, value) < 0) ? 0x8000 : 0;
  double rest = value < 0 ? -value : value, step = 1.0 / (1 << 24);
  if (rest >= 65520) return sign | 0x7c00;
  int above = 0; // the smallest normal number's exponent
  for (; rest >= step * 2048; step *= 2) above++;
  int steps = (int)(rest / step);
  rest = rest / step - steps;
  if (rest > 0.5 || (rest == 0.5 && (steps & 1) != 0)) steps++;
  return sign | (unsigned short)(above * 1024 + steps);
}

REX_HALF float half_value(unsigned short bits) {
  int exponent = bits >> 10 & 31, steps = bits & 1023;
  if (exponent == 31) return steps ? __builtin_nanf("") : (bits & 0x8000) ? -__builtin_inff() : __builtin_inff();
  float value = exponent ? steps + 1024 : steps;
  for (; exponent > 1; exponent--) value *= 2;
  value /= 1 << 24;
  return (bits & 0x8000) ? -value : value;
}

#ifdef __CUDA_ARCH__
REX_DEVICE unsigned short half_convert(float value) {
  unsigned short found;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(found) : "f"(value));
  return found;
}
REX_DEVICE unsigned short half_convert(double value) {
  unsigned short found;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(found) : "d"(value));
  return found;
}
REX_DEVICE float half_widen(unsigned short bits) {
  float found;
  asm("cvt.f32.f16 %0, %1;" : "=f"(found) : "h"(bits));
  return found;
}
#endif

template <class T> struct is_number {
  static constexpr bool value =
      std::is_arithmetic<T>::value || (std::is_enum<T>::value && std::is_convertible<T, int>::value)
#ifdef __SIZEOF_INT128__ // which are arithmetic in GNU's modes alone
      || std::is_same<T, __int128>::value || std::is_same<T, unsigned __int128>::value
#endif
      ;
};

} // namespace rex_detail

class rex_float16 {
  unsigned short bits;

  template <class T> using number = typename std::enable_if<rex_detail::is_number<T>::value, int>::type;
  // The type of "half op T": integers are converted to half, floating types are wider.
  template <class T> using common = typename std::conditional<std::is_floating_point<T>::value, T, rex_float16>::type;

  template <class T> REX_HALF static unsigned short rounded(T value) {
#ifdef __CUDA_ARCH__
    if (!__builtin_is_constant_evaluated()) return rex_detail::half_convert(value);
#endif
    return rex_detail::half_bits(value);
  }
  // An integer that float does not hold exactly is beyond half's range.
  template <class T>
  using through = typename std::conditional<std::is_floating_point<T>::value && !std::is_same<T, float>::value, double,
                                            float>::type;

public:
  rex_float16() = default;
  template <class T, number<T> = 0> REX_HALF rex_float16(T value) : bits(rounded((through<T>)value)) {}
  REX_HALF operator float() const {
#ifdef __CUDA_ARCH__
    if (!__builtin_is_constant_evaluated()) return rex_detail::half_widen(bits);
#endif
    return rex_detail::half_value(bits);
  }

  REX_HALF rex_float16 operator+() const { return *this; }
  REX_HALF rex_float16 operator-() const {
    rex_float16 found = *this;
    found.bits ^= 0x8000;
    return found;
  }

#define REX_HALF_OPERATOR(op)                                                                                          \
  REX_HALF friend rex_float16 operator op(rex_float16 a, rex_float16 b) { return (float)a op(float) b; }               \
  template <class T, number<T> = 0> REX_HALF friend common<T> operator op(rex_float16 a, T b) {                        \
    return (common<T>)a op(common<T>) b;                                                                               \
  }                                                                                                                    \
  template <class T, number<T> = 0> REX_HALF friend common<T> operator op(T a, rex_float16 b) {                        \
    return (common<T>)a op(common<T>) b;                                                                               \
  }                                                                                                                    \
  template <class T> REX_HALF rex_float16 &operator op##=(T b) { return *this = rex_float16(*this op b); }
  REX_HALF_OPERATOR(+)
  REX_HALF_OPERATOR(-)
  REX_HALF_OPERATOR(*)
  REX_HALF_OPERATOR(/)
#undef REX_HALF_OPERATOR

#define REX_HALF_COMPARISON(op)                                                                                        \
  REX_HALF friend bool operator op(rex_float16 a, rex_float16 b) { return (float)a op(float) b; }                      \
  template <class T, number<T> = 0> REX_HALF friend bool operator op(rex_float16 a, T b) {                             \
    return (common<T>)a op(common<T>) b;                                                                               \
  }                                                                                                                    \
  template <class T, number<T> = 0> REX_HALF friend bool operator op(T a, rex_float16 b) {                             \
    return (common<T>)a op(common<T>) b;                                                                               \
  }
  REX_HALF_COMPARISON(==)
  REX_HALF_COMPARISON(!=)
  REX_HALF_COMPARISON(<)
  REX_HALF_COMPARISON(<=)
  REX_HALF_COMPARISON(>)
  REX_HALF_COMPARISON(>=)
#undef REX_HALF_COMPARISON

  REX_HALF rex_float16 &operator++() { return *this += 1; }
  REX_HALF rex_float16 &operator--() { return *this -= 1; }
  REX_HALF rex_float16 operator++(int) {
    rex_float16 old = *this;
    *this += 1;
    return old;
  }
  REX_HALF rex_float16 operator--(int) {
    rex_float16 old = *this;
    *this -= 1;
    return old;
  }
};

REX_HALF rex_float16 operator""f16(long double value) { return (double)value; }
REX_HALF rex_float16 operator""F16(long double value) { return (double)value; }

static_assert(sizeof(rex_float16) == 2 && std::is_trivially_copyable<rex_float16>::value, "the layout of _Float16");

#pragma pop_macro("__builtin_is_constant_evaluated")
#undef REX_HALF
#define _Float16 rex_float16

#elif !defined(__clang__) && __GNUC__ < 13 // GCC has the type, but in C++ not yet its literals

constexpr _Float16 operator""f16(long double value) { return (_Float16)value; }
constexpr _Float16 operator""F16(long double value) { return (_Float16)value; }

#endif

#endif
