// SPDX-License-Identifier: Apache-2.0
//
// std::complex in device code. The host's <complex> has functions that nvcc takes for the host's alone, so in GPU code
// another class stands for it, under its name: the same layout and interface, and the arithmetic of CUDA's own library
// (libcu++). Its functions and its division differ from the host's in last digits, and at infinite, huge and tiny
// values. The CPU device has the host's. Included behind all others.
#ifndef REX_DEVICE_STD_COMPLEX_H
#define REX_DEVICE_STD_COMPLEX_H

#ifndef __CUDACC__
#include <complex>
#else

#include <complex>
#include "rex_device_complex_parts.h"

#define REX_BOTH __host__ __device__

namespace std {

template <class T> class __rex_complex {
public:
  typedef T value_type;

  REX_BOTH constexpr __rex_complex(const T &real = T(), const T &imaginary = T()) : re(real), im(imaginary) {}
  template <class U> REX_BOTH constexpr __rex_complex(const __rex_complex<U> &z) : re((T)z.real()), im((T)z.imag()) {}
  REX_BOTH constexpr __rex_complex(const std::complex<T> &z) : re(z.real()), im(z.imag()) {} // a literal
  REX_BOTH constexpr __rex_complex(const cuda::std::complex<T> &z) : re(z.real()), im(z.imag()) {}
  REX_BOTH constexpr operator cuda::std::complex<T>() const { return cuda::std::complex<T>(re, im); }

  REX_BOTH constexpr T real() const { return re; }
  REX_BOTH constexpr T imag() const { return im; }
  REX_BOTH constexpr void real(T value) { re = value; }
  REX_BOTH constexpr void imag(T value) { im = value; }

  REX_BOTH __rex_complex &operator=(const T &value) { return re = value, im = T(), *this; }
  template <class U> REX_BOTH __rex_complex &operator=(const __rex_complex<U> &z) { return re = (T)z.real(), im = (T)z.imag(), *this; }
  REX_BOTH __rex_complex &operator+=(const T &value) { return re += value, *this; }
  REX_BOTH __rex_complex &operator-=(const T &value) { return re -= value, *this; }
  REX_BOTH __rex_complex &operator*=(const T &value) { return re *= value, im *= value, *this; }
  REX_BOTH __rex_complex &operator/=(const T &value) { return re /= value, im /= value, *this; }
  REX_BOTH __rex_complex &operator+=(const std::complex<T> &z) { return *this = *this + __rex_complex(z); }
  REX_BOTH __rex_complex &operator-=(const std::complex<T> &z) { return *this = *this - __rex_complex(z); }
  REX_BOTH __rex_complex &operator*=(const std::complex<T> &z) { return *this = *this * __rex_complex(z); }
  REX_BOTH __rex_complex &operator/=(const std::complex<T> &z) { return *this = *this / __rex_complex(z); }
  template <class U> REX_BOTH __rex_complex &operator+=(const __rex_complex<U> &z) { return re += z.real(), im += z.imag(), *this; }
  template <class U> REX_BOTH __rex_complex &operator-=(const __rex_complex<U> &z) { return re -= z.real(), im -= z.imag(), *this; }
  template <class U> REX_BOTH __rex_complex &operator*=(const __rex_complex<U> &z) { return *this = *this * __rex_complex<T>(z); }
  template <class U> REX_BOTH __rex_complex &operator/=(const __rex_complex<U> &z) { return *this = *this / __rex_complex<T>(z); }

  // Of one type only, found by their arguments: numbers of other types become T, as in the host's.
  friend REX_BOTH constexpr __rex_complex operator+(const __rex_complex &a, const __rex_complex &b) { return __rex_complex(a.re + b.re, a.im + b.im); }
  friend REX_BOTH constexpr __rex_complex operator+(const __rex_complex &a, const T &b) { return __rex_complex(a.re + b, a.im); }
  friend REX_BOTH constexpr __rex_complex operator+(const T &a, const __rex_complex &b) { return __rex_complex(a + b.re, b.im); }
  friend REX_BOTH constexpr __rex_complex operator-(const __rex_complex &a, const __rex_complex &b) { return __rex_complex(a.re - b.re, a.im - b.im); }
  friend REX_BOTH constexpr __rex_complex operator-(const __rex_complex &a, const T &b) { return __rex_complex(a.re - b, a.im); }
  friend REX_BOTH constexpr __rex_complex operator-(const T &a, const __rex_complex &b) { return __rex_complex(a - b.re, -b.im); }
  friend REX_BOTH __rex_complex operator*(const __rex_complex &a, const __rex_complex &b) { return rex_detail::product(there(a), there(b)); }
  friend REX_BOTH constexpr __rex_complex operator*(const __rex_complex &a, const T &b) { return __rex_complex(a.re * b, a.im * b); }
  friend REX_BOTH constexpr __rex_complex operator*(const T &a, const __rex_complex &b) { return __rex_complex(a * b.re, a * b.im); }
  friend REX_BOTH __rex_complex operator/(const __rex_complex &a, const __rex_complex &b) { return rex_detail::quotient(there(a), there(b)); }
  friend REX_BOTH constexpr __rex_complex operator/(const __rex_complex &a, const T &b) { return __rex_complex(a.re / b, a.im / b); }
  friend REX_BOTH __rex_complex operator/(const T &a, const __rex_complex &b) { return rex_detail::quotient(there(__rex_complex(a)), there(b)); }
  friend REX_BOTH constexpr __rex_complex operator+(const __rex_complex &a) { return a; }
  friend REX_BOTH constexpr __rex_complex operator-(const __rex_complex &a) { return __rex_complex(-a.re, -a.im); }
  friend REX_BOTH constexpr bool operator==(const __rex_complex &a, const __rex_complex &b) { return a.re == b.re && a.im == b.im; }
  friend REX_BOTH constexpr bool operator!=(const __rex_complex &a, const __rex_complex &b) { return !(a == b); }

private:
  static REX_BOTH cuda::std::complex<T> there(const __rex_complex &z) { return cuda::std::complex<T>(z.re, z.im); }

  T re, im;
};

template <class T> REX_BOTH constexpr T real(const __rex_complex<T> &z) { return z.real(); }
template <class T> REX_BOTH constexpr T imag(const __rex_complex<T> &z) { return z.imag(); }
template <class T> REX_BOTH constexpr T norm(const __rex_complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> REX_BOTH constexpr __rex_complex<T> conj(const __rex_complex<T> &z) { return __rex_complex<T>(z.real(), -z.imag()); }
template <class T> REX_BOTH __rex_complex<T> __rex_polar(const T &length, const T &angle = T()) { return cuda::std::polar(length, angle); }

// Literals (1i) are of the host's class: what operators make of them is not.
#define REX_OF_LITERALS(T, op)                                                                                         \
  REX_BOTH inline __rex_complex<T> operator op(const complex<T> &a, const complex<T> &b) {                             \
    return __rex_complex<T>(a) op __rex_complex<T>(b);                                                                 \
  }                                                                                                                    \
  REX_BOTH inline __rex_complex<T> operator op(const complex<T> &a, const T &b) { return __rex_complex<T>(a) op b; }   \
  REX_BOTH inline __rex_complex<T> operator op(const T &a, const complex<T> &b) { return a op __rex_complex<T>(b); }
#define REX_ALL_OF_LITERALS(T)                                                                                         \
  REX_OF_LITERALS(T, +) REX_OF_LITERALS(T, -) REX_OF_LITERALS(T, *) REX_OF_LITERALS(T, /)                              \
  REX_BOTH inline __rex_complex<T> operator-(const complex<T> &a) { return -__rex_complex<T>(a); }
REX_ALL_OF_LITERALS(double)
REX_ALL_OF_LITERALS(float)
#undef REX_ALL_OF_LITERALS
#undef REX_OF_LITERALS

#define REX_TO_REAL(name)                                                                                              \
  template <class T> REX_BOTH T name(const __rex_complex<T> &z) { return cuda::std::name((cuda::std::complex<T>)z); }
REX_TO_REAL(abs)
REX_TO_REAL(arg)
#undef REX_TO_REAL

#define REX_TO_COMPLEX(name)                                                                                           \
  template <class T> REX_BOTH __rex_complex<T> name(const __rex_complex<T> &z) { return cuda::std::name((cuda::std::complex<T>)z); }
REX_TO_COMPLEX(proj)
REX_TO_COMPLEX(exp)
REX_TO_COMPLEX(log)
REX_TO_COMPLEX(log10)
REX_TO_COMPLEX(sqrt)
REX_TO_COMPLEX(sin)
REX_TO_COMPLEX(cos)
REX_TO_COMPLEX(tan)
REX_TO_COMPLEX(sinh)
REX_TO_COMPLEX(cosh)
REX_TO_COMPLEX(tanh)
REX_TO_COMPLEX(asin)
REX_TO_COMPLEX(acos)
REX_TO_COMPLEX(atan)
REX_TO_COMPLEX(asinh)
REX_TO_COMPLEX(acosh)
REX_TO_COMPLEX(atanh)
#undef REX_TO_COMPLEX

template <class T> REX_BOTH __rex_complex<T> pow(const __rex_complex<T> &z, const __rex_complex<T> &w) {
  return cuda::std::pow((cuda::std::complex<T>)z, (cuda::std::complex<T>)w);
}
template <class T> REX_BOTH __rex_complex<T> pow(const __rex_complex<T> &z, const T &w) { return pow(z, __rex_complex<T>(w)); }
template <class T> REX_BOTH __rex_complex<T> pow(const T &z, const __rex_complex<T> &w) { return pow(__rex_complex<T>(z), w); }
template <class T> REX_BOTH __rex_complex<T> pow(const __rex_complex<T> &z, int w) { return pow(z, __rex_complex<T>((T)w)); }

} // namespace std

#undef REX_BOTH
#define complex __rex_complex
#define polar __rex_polar // which its arguments do not tell from the host's
#endif

#endif
