// SPDX-License-Identifier: Apache-2.0
//
// C's complex numbers in device files made from C: what <complex.h> declares there, for compilers of C++ that know the
// type. nvcc has no such type in device code and gets a class; the CPU device has the C library's functions. Device code
// says rex_complex_double and rex_complex_float for the types (codegen/device/complex_words.py).
#ifndef REX_DEVICE_COMPLEX_H
#define REX_DEVICE_COMPLEX_H

#include <math.h>

#ifdef __CUDACC__
#include "rex_device_c_complex.h"
#else

template <class T> struct rex_complex_of;
template <> struct rex_complex_of<float> {
  typedef float _Complex type;
};
template <> struct rex_complex_of<double> {
  typedef double _Complex type;
};

template <class T> REX_DEVICE typename rex_complex_of<T>::type rex_complex(T real, T imaginary) {
  typename rex_complex_of<T>::type z;
  __real__ z = real;
  __imag__ z = imaginary;
  return z;
}

#define REX_COMPLEX_PARTS(T, f)                                                                                        \
  REX_DEVICE T creal##f(T _Complex z) { return __real__ z; }                                                           \
  REX_DEVICE T cimag##f(T _Complex z) { return __imag__ z; }                                                           \
  REX_DEVICE T _Complex conj##f(T _Complex z) { return rex_complex<T>(__real__ z, -__imag__ z); }
REX_COMPLEX_PARTS(double, )
REX_COMPLEX_PARTS(float, f)
#undef REX_COMPLEX_PARTS

#define REX_COMPLEX_BUILTIN(T, R, name) REX_DEVICE R name(T _Complex z) { return __builtin_##name(z); }
#define REX_COMPLEX_BUILTINS(name)                                                                                     \
  REX_COMPLEX_BUILTIN(double, double _Complex, name) REX_COMPLEX_BUILTIN(float, float _Complex, name##f)
REX_COMPLEX_BUILTIN(double, double, cabs)
REX_COMPLEX_BUILTIN(float, float, cabsf)
REX_COMPLEX_BUILTIN(double, double, carg)
REX_COMPLEX_BUILTIN(float, float, cargf)
REX_COMPLEX_BUILTINS(cexp)
REX_COMPLEX_BUILTINS(clog)
REX_COMPLEX_BUILTINS(csqrt)
REX_COMPLEX_BUILTINS(csin)
REX_COMPLEX_BUILTINS(ccos)
REX_COMPLEX_BUILTINS(ctan)
REX_COMPLEX_BUILTINS(csinh)
REX_COMPLEX_BUILTINS(ccosh)
REX_COMPLEX_BUILTINS(ctanh)
REX_COMPLEX_BUILTINS(casin)
REX_COMPLEX_BUILTINS(cacos)
REX_COMPLEX_BUILTINS(catan)
REX_COMPLEX_BUILTINS(casinh)
REX_COMPLEX_BUILTINS(cacosh)
REX_COMPLEX_BUILTINS(catanh)
REX_COMPLEX_BUILTINS(cproj)
REX_DEVICE double _Complex cpow(double _Complex z, double _Complex w) { return __builtin_cpow(z, w); }
REX_DEVICE float _Complex cpowf(float _Complex z, float _Complex w) { return __builtin_cpowf(z, w); }
#undef REX_COMPLEX_BUILTINS
#undef REX_COMPLEX_BUILTIN

#define rex_real_part(z) (__real__(z))
#define rex_imaginary_part(z) (__imag__(z))
#endif

typedef rex_complex_of<double>::type rex_complex_double;
typedef rex_complex_of<float>::type rex_complex_float;

#define _Complex_I (rex_complex<float>(0.0f, 1.0f))
#ifdef REX_COMPLEX_WORDS // the user has included <complex.h>
#define complex _Complex
#define I _Complex_I
#endif
#define CMPLX(x, y) (rex_complex<double>(x, y))
#define CMPLXF(x, y) (rex_complex<float>(x, y))

// Compound assignments to real numbers, to which C assigns the real part.
#define REX_TO_REAL(name, op)                                                                                          \
  template <class U, class Z> REX_DEVICE U &name(U &x, const Z &z) { return x = (U)(x op z); }
REX_TO_REAL(rex_real_add, +)
REX_TO_REAL(rex_real_subtract, -)
REX_TO_REAL(rex_real_multiply, *)
REX_TO_REAL(rex_real_divide, /)
#undef REX_TO_REAL

#ifdef REX_GENERIC_WORDS // the user has included <tgmath.h>: names mean the function for their arguments' types
#define REX_GENERIC(name, of)                                                                                          \
  REX_DEVICE auto name(rex_complex_double z) { return of(z); }                                                         \
  REX_DEVICE auto name(rex_complex_float z) { return of##f(z); }
REX_GENERIC(acos, cacos)
REX_GENERIC(acosh, cacosh)
REX_GENERIC(asin, casin)
REX_GENERIC(asinh, casinh)
REX_GENERIC(atan, catan)
REX_GENERIC(atanh, catanh)
REX_GENERIC(cos, ccos)
REX_GENERIC(cosh, ccosh)
REX_GENERIC(exp, cexp)
REX_GENERIC(fabs, cabs)
REX_GENERIC(log, clog)
REX_GENERIC(sin, csin)
REX_GENERIC(sinh, csinh)
REX_GENERIC(sqrt, csqrt)
REX_GENERIC(tan, ctan)
REX_GENERIC(tanh, ctanh)

template <class T, bool = std::is_integral<T>::value || std::is_enum<T>::value> struct rex_generic_of {
  typedef T type;
};
template <class T> struct rex_generic_of<T, true> {
  typedef double type; // as integers count
};
REX_DEVICE rex_complex_double rex_generic_pow(rex_complex_double z, rex_complex_double w) { return cpow(z, w); }
REX_DEVICE rex_complex_float rex_generic_pow(rex_complex_float z, rex_complex_float w) { return cpowf(z, w); }
template <class T, class U, class R = decltype(typename rex_generic_of<T>::type() + typename rex_generic_of<U>::type()),
          class = typename std::enable_if<std::is_same<R, rex_complex_double>::value || std::is_same<R, rex_complex_float>::value>::type>
REX_DEVICE R pow(T z, U w) {
  return rex_generic_pow((R)z, (R)w);
}

#define REX_GENERIC_OF_ALL(name, of)                                                                                   \
  REX_GENERIC(name, of)                                                                                                \
  REX_DEVICE auto name(double x) { return of((rex_complex_double)x); }                                                 \
  REX_DEVICE auto name(float x) { return of##f((rex_complex_float)x); }                                                \
  template <class U, class = typename std::enable_if<std::is_integral<U>::value>::type> REX_DEVICE auto name(U x) {    \
    return of((rex_complex_double)x);                                                                                  \
  }
REX_GENERIC_OF_ALL(rex_generic_carg, carg)
REX_GENERIC_OF_ALL(rex_generic_cimag, cimag)
REX_GENERIC_OF_ALL(rex_generic_conj, conj)
REX_GENERIC_OF_ALL(rex_generic_cproj, cproj)
REX_GENERIC_OF_ALL(rex_generic_creal, creal)
#define carg rex_generic_carg
#define cimag rex_generic_cimag
#define conj rex_generic_conj
#define cproj rex_generic_cproj
#define creal rex_generic_creal
#undef REX_GENERIC_OF_ALL
#undef REX_GENERIC
#endif
#endif
