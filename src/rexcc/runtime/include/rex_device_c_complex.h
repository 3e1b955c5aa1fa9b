// SPDX-License-Identifier: Apache-2.0
//
// C's complex numbers for nvcc, which has no such type in device code: a class of the same layout with C's operators,
// which convert their operands as C does (C17, 6.3.1.8): a real one stays real, the result is as wide as the wider one.
// Products, quotients and functions are those of CUDA's library (libcu++). Included by
// rex_device_complex.h; what needs C's implicit conversions is written out in device code (lowering/c/complex_numbers.py).
#ifndef REX_DEVICE_C_COMPLEX_H
#define REX_DEVICE_C_COMPLEX_H

#include "rex_device_complex_parts.h"

#define REX_BOTH __host__ __device__ inline
#define REX_REAL(U) class = typename std::enable_if<std::is_arithmetic<U>::value || std::is_enum<U>::value>::type

template <class T> struct rex_c_complex {
  T re, im;

  rex_c_complex() = default; // no value, as in C: it may stand in unions and in memory of a block
  template <class U, REX_REAL(U)> REX_BOTH constexpr rex_c_complex(U real) : re((T)real), im(0) {}
  template <class U, class V, REX_REAL(U), REX_REAL(V)>
  REX_BOTH constexpr rex_c_complex(U real, V imaginary) : re((T)real), im((T)imaginary) {}
  template <class U> REX_BOTH constexpr rex_c_complex(const rex_c_complex<U> &z) : re((T)z.re), im((T)z.im) {}
  REX_BOTH constexpr rex_c_complex(const cuda::std::complex<T> &z) : re(z.real()), im(z.imag()) {}

  REX_BOTH constexpr cuda::std::complex<T> there() const { return cuda::std::complex<T>(re, im); }
  REX_BOTH explicit constexpr operator bool() const { return re != 0 || im != 0; }
  template <class U, class = typename std::enable_if<std::is_arithmetic<U>::value && !std::is_same<U, bool>::value>::type>
  REX_BOTH explicit constexpr operator U() const {
    return (U)re;
  }

  template <class U> REX_BOTH constexpr rex_c_complex &operator+=(const U &other) { return *this = *this + other; }
  template <class U> REX_BOTH constexpr rex_c_complex &operator-=(const U &other) { return *this = *this - other; }
  template <class U> REX_BOTH constexpr rex_c_complex &operator*=(const U &other) { return *this = *this * other; }
  template <class U> REX_BOTH constexpr rex_c_complex &operator/=(const U &other) { return *this = *this / other; }
  REX_BOTH constexpr rex_c_complex &operator++() { return re += 1, *this; }
  REX_BOTH constexpr rex_c_complex &operator--() { return re -= 1, *this; }
  REX_BOTH constexpr rex_c_complex operator++(int) {
    rex_c_complex old = *this;
    return re += 1, old;
  }
  REX_BOTH constexpr rex_c_complex operator--(int) {
    rex_c_complex old = *this;
    return re -= 1, old;
  }
  REX_BOTH constexpr rex_c_complex operator+() const { return *this; }
  REX_BOTH constexpr rex_c_complex operator-() const { return {-re, -im}; }
  REX_BOTH constexpr rex_c_complex operator~() const { return {re, -im}; }
};

template <class T> struct rex_complex_of;
template <> struct rex_complex_of<float> {
  typedef rex_c_complex<float> type;
};
template <> struct rex_complex_of<double> {
  typedef rex_c_complex<double> type;
};
static_assert(sizeof(rex_c_complex<double>) == 16 && alignof(rex_c_complex<double>) == 8, "not C's layout");
static_assert(std::is_trivially_copyable<rex_c_complex<double>>::value, "objects are copied byte by byte");
static_assert(sizeof(rex_c_complex<float>) == 8 && alignof(rex_c_complex<float>) == 4, "not C's layout");

#define REX_WIDER(T, U) rex_c_complex<decltype(T() + U())>
#define REX_PAIR(op, of_both, of_left, of_right)                                                                       \
  template <class T, class U>                                                                                          \
  REX_BOTH constexpr REX_WIDER(T, U) operator op(const rex_c_complex<T> &z, const rex_c_complex<U> &w) {               \
    typedef decltype(T() + U()) R;                                                                                     \
    rex_c_complex<R> a(z), b(w);                                                                                       \
    return of_both;                                                                                                    \
  }                                                                                                                    \
  template <class T, class U, REX_REAL(U)>                                                                             \
  REX_BOTH constexpr REX_WIDER(T, U) operator op(const rex_c_complex<T> &z, U w) {                                     \
    typedef decltype(T() + U()) R;                                                                                     \
    rex_c_complex<R> a(z);                                                                                             \
    R b = (R)w;                                                                                                        \
    return of_left;                                                                                                    \
  }                                                                                                                    \
  template <class T, class U, REX_REAL(U)>                                                                             \
  REX_BOTH constexpr REX_WIDER(T, U) operator op(U z, const rex_c_complex<T> &w) {                                     \
    typedef decltype(T() + U()) R;                                                                                     \
    R a = (R)z;                                                                                                        \
    rex_c_complex<R> b(w);                                                                                             \
    return of_right;                                                                                                   \
  }
#define REX_PARTS(...) rex_c_complex<R>(__VA_ARGS__)
REX_PAIR(+, REX_PARTS(a.re + b.re, a.im + b.im), REX_PARTS(a.re + b, a.im), REX_PARTS(a + b.re, b.im))
REX_PAIR(-, REX_PARTS(a.re - b.re, a.im - b.im), REX_PARTS(a.re - b, a.im), REX_PARTS(a - b.re, -b.im))
REX_PAIR(*, REX_PARTS(rex_detail::product(a.there(), b.there())), REX_PARTS(a.re * b, a.im * b), REX_PARTS(a * b.re, a * b.im))
REX_PAIR(/, REX_PARTS(rex_detail::quotient(a.there(), b.there())), REX_PARTS(a.re / b, a.im / b),
         REX_PARTS(rex_detail::quotient(cuda::std::complex<R>(a), b.there())))
#undef REX_PARTS
#undef REX_PAIR
#undef REX_WIDER

template <class T, class U> REX_BOTH constexpr bool operator==(const rex_c_complex<T> &a, const rex_c_complex<U> &b) {
  return a.re == b.re && a.im == b.im;
}
template <class T, class U, REX_REAL(U)> REX_BOTH constexpr bool operator==(const rex_c_complex<T> &a, U b) {
  return a == rex_c_complex<decltype(T() + U())>(b);
}
template <class T, class U, REX_REAL(U)> REX_BOTH constexpr bool operator==(U a, const rex_c_complex<T> &b) {
  return b == a;
}
template <class T, class U> REX_BOTH constexpr bool operator!=(const rex_c_complex<T> &a, const rex_c_complex<U> &b) {
  return !(a == b);
}
template <class T, class U, REX_REAL(U)> REX_BOTH constexpr bool operator!=(const rex_c_complex<T> &a, U b) {
  return !(a == b);
}
template <class T, class U, REX_REAL(U)> REX_BOTH constexpr bool operator!=(U a, const rex_c_complex<T> &b) {
  return !(b == a);
}

// What __real__ and __imag__ name; of a real number its value, and zero.
template <class T> REX_BOTH constexpr T &rex_real_part(rex_c_complex<T> &z) { return z.re; }
template <class T> REX_BOTH constexpr const T &rex_real_part(const rex_c_complex<T> &z) { return z.re; }
template <class T> REX_BOTH constexpr T rex_real_part(rex_c_complex<T> &&z) { return z.re; }
template <class T> REX_BOTH constexpr T &rex_imaginary_part(rex_c_complex<T> &z) { return z.im; }
template <class T> REX_BOTH constexpr const T &rex_imaginary_part(const rex_c_complex<T> &z) { return z.im; }
template <class T> REX_BOTH constexpr T rex_imaginary_part(rex_c_complex<T> &&z) { return z.im; }
template <class U, REX_REAL(U)> REX_BOTH constexpr U rex_real_part(U x) { return x; }
template <class U, REX_REAL(U)> REX_BOTH constexpr U rex_imaginary_part(U) { return 0; }

template <class T> REX_BOTH constexpr rex_c_complex<T> rex_complex(T real, T imaginary) { return {real, imaginary}; }

#define REX_COMPLEX_FUNCTION(name, of)                                                                                 \
  REX_BOTH rex_c_complex<double> name(rex_c_complex<double> z) { return cuda::std::of(z.there()); }                    \
  REX_BOTH rex_c_complex<float> name##f(rex_c_complex<float> z) { return cuda::std::of(z.there()); }
#define REX_COMPLEX_MEASURE(name, of)                                                                                  \
  REX_BOTH double name(rex_c_complex<double> z) { return of; }                                                         \
  REX_BOTH float name##f(rex_c_complex<float> z) { return of; }
REX_COMPLEX_MEASURE(creal, z.re)
REX_COMPLEX_MEASURE(cimag, z.im)
REX_COMPLEX_MEASURE(cabs, cuda::std::abs(z.there()))
REX_COMPLEX_MEASURE(carg, cuda::std::arg(z.there()))
REX_BOTH rex_c_complex<double> conj(rex_c_complex<double> z) { return ~z; }
REX_BOTH rex_c_complex<float> conjf(rex_c_complex<float> z) { return ~z; }
REX_COMPLEX_FUNCTION(cproj, proj)
REX_COMPLEX_FUNCTION(cexp, exp)
REX_COMPLEX_FUNCTION(clog, log)
REX_COMPLEX_FUNCTION(csqrt, sqrt)
REX_COMPLEX_FUNCTION(csin, sin)
REX_COMPLEX_FUNCTION(ccos, cos)
REX_COMPLEX_FUNCTION(ctan, tan)
REX_COMPLEX_FUNCTION(csinh, sinh)
REX_COMPLEX_FUNCTION(ccosh, cosh)
REX_COMPLEX_FUNCTION(ctanh, tanh)
REX_COMPLEX_FUNCTION(casin, asin)
REX_COMPLEX_FUNCTION(cacos, acos)
REX_COMPLEX_FUNCTION(catan, atan)
REX_COMPLEX_FUNCTION(casinh, asinh)
REX_COMPLEX_FUNCTION(cacosh, acosh)
REX_COMPLEX_FUNCTION(catanh, atanh)
REX_BOTH rex_c_complex<double> cpow(rex_c_complex<double> z, rex_c_complex<double> w) {
  return cuda::std::pow(z.there(), w.there());
}
REX_BOTH rex_c_complex<float> cpowf(rex_c_complex<float> z, rex_c_complex<float> w) {
  return cuda::std::pow(z.there(), w.there());
}
#undef REX_COMPLEX_FUNCTION
#undef REX_COMPLEX_MEASURE
#undef REX_REAL
#undef REX_BOTH
#define __builtin_creal creal
#define __builtin_cimag cimag
#define __builtin_conj conj
#define __builtin_cabs cabs
#define __builtin_carg carg
#define __builtin_cproj cproj
#define __builtin_cexp cexp
#define __builtin_clog clog
#define __builtin_csqrt csqrt
#define __builtin_cpow cpow
#define __builtin_csin csin
#define __builtin_ccos ccos
#define __builtin_ctan ctan
#define __builtin_csinh csinh
#define __builtin_ccosh ccosh
#define __builtin_ctanh ctanh
#define __builtin_casin casin
#define __builtin_cacos cacos
#define __builtin_catan catan
#define __builtin_casinh casinh
#define __builtin_cacosh cacosh
#define __builtin_catanh catanh
#define __builtin_crealf crealf
#define __builtin_cimagf cimagf
#define __builtin_conjf conjf
#define __builtin_cabsf cabsf
#define __builtin_cargf cargf
#define __builtin_cprojf cprojf
#define __builtin_cexpf cexpf
#define __builtin_clogf clogf
#define __builtin_csqrtf csqrtf
#define __builtin_cpowf cpowf
#define __builtin_csinf csinf
#define __builtin_ccosf ccosf
#define __builtin_ctanf ctanf
#define __builtin_csinhf csinhf
#define __builtin_ccoshf ccoshf
#define __builtin_ctanhf ctanhf
#define __builtin_casinf casinf
#define __builtin_cacosf cacosf
#define __builtin_catanf catanf
#define __builtin_casinhf casinhf
#define __builtin_cacoshf cacoshf
#define __builtin_catanhf catanhf
#define __builtin_complex(x, y) (rex_complex<decltype((x) + (y))>(x, y))
#endif
