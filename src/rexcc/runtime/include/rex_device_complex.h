// SPDX-License-Identifier: Apache-2.0
//
// C's complex numbers in device files made from C: what <complex.h> declares there, for compilers of C++ that know the
// type. nvcc has no such type in device code; the CPU device has the C library's functions.
#ifndef REX_DEVICE_COMPLEX_H
#define REX_DEVICE_COMPLEX_H

#include <math.h>

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

#define _Complex_I (rex_complex<float>(0.0f, 1.0f))
#ifdef REX_COMPLEX_WORDS // the user has included <complex.h>
#define complex _Complex
#define I _Complex_I
#endif
#define CMPLX(x, y) (rex_complex<double>(x, y))
#define CMPLXF(x, y) (rex_complex<float>(x, y))

#define REX_COMPLEX_PARTS(T, f)                                                                                        \
  REX_DEVICE T creal##f(T _Complex z) { return __real__ z; }                                                           \
  REX_DEVICE T cimag##f(T _Complex z) { return __imag__ z; }                                                           \
  REX_DEVICE T _Complex conj##f(T _Complex z) { return rex_complex<T>(__real__ z, -__imag__ z); }
REX_COMPLEX_PARTS(double, )
REX_COMPLEX_PARTS(float, f)
#undef REX_COMPLEX_PARTS

#define cabs __builtin_cabs
#define carg __builtin_carg
#define cexp __builtin_cexp
#define clog __builtin_clog
#define csqrt __builtin_csqrt
#define cpow __builtin_cpow
#define csin __builtin_csin
#define ccos __builtin_ccos
#define ctan __builtin_ctan
#define csinh __builtin_csinh
#define ccosh __builtin_ccosh
#define ctanh __builtin_ctanh
#define cproj __builtin_cproj
#define cabsf __builtin_cabsf
#define cargf __builtin_cargf
#define cexpf __builtin_cexpf
#define clogf __builtin_clogf
#define csqrtf __builtin_csqrtf
#define cpowf __builtin_cpowf
#define csinf __builtin_csinf
#define ccosf __builtin_ccosf
#define ctanf __builtin_ctanf
#define csinhf __builtin_csinhf
#define ccoshf __builtin_ccoshf
#define ctanhf __builtin_ctanhf
#define cprojf __builtin_cprojf
#endif
