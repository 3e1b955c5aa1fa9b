// SPDX-License-Identifier: Apache-2.0
//
// Products and quotients of complex numbers for nvcc, C's and C++'s alike: bit by bit those of CUDA's library (libcu++),
// whose code is long for what is rare. Included by rex_device_c_complex.h and rex_device_std_complex.h.
//
// A product is made anew where both parts are NaN (C17, Annex G). Here the words that have their exponents are compared
// as `float`, for comparisons of `double` take as long as its products: one of these is NaN where a part is NaN, infinite
// or huge. The library answers then, in a function, so that loops are unrolled around it.
//
// A quotient is scaled, as the library does it: the divisor's exponent is taken from its parts and from the result, each
// by `scalbn`. That is one multiplication by a power of two, and others by 1, where the exponent is as small as `usual`
// has it; which rounds a subnormal number as one multiplication does, and leaves infinities and NaN as they are. So the
// power of two is made by a subtraction, of the greater exponent of the two parts, which is that of the greater part: for
// these are finite and the greater one is not subnormal, or else their exponents are not usual. Both parts NaN: as above.
#ifndef REX_DEVICE_COMPLEX_PARTS_H
#define REX_DEVICE_COMPLEX_PARTS_H

#include <cuda/std/complex>

#ifdef __has_builtin
#if __has_builtin(__builtin_bit_cast)
#define REX_HAS_EXPONENTS
#endif
#endif

#ifdef __CUDACC__
#define REX_BOTH __host__ __device__ inline
#define REX_SELDOM static __host__ __device__ __noinline__
#else
#define REX_BOTH inline
#define REX_SELDOM static __attribute__((noinline))
#endif

namespace rex_detail {

template <class T> using Complex = cuda::std::complex<T>;
typedef Complex<double> Double;
typedef Complex<float> Float;

template <class T> REX_SELDOM constexpr Complex<T> seldom_product(Complex<T> z, Complex<T> w) {
  return z * w;
}
template <class T> REX_SELDOM constexpr Complex<T> seldom_quotient(Complex<T> z, Complex<T> w) {
  return z / w;
}

#ifdef REX_HAS_EXPONENTS
// The word of a number that has its exponent, and what is known of it. `usual`: exponents of which scalbn is one step.
template <class T> struct exponents;
template <> struct exponents<double> {
  static constexpr unsigned mask = 0x7ff00000u, zero = 0x3ff00000u, usual = 216u << 20;
  static REX_BOTH constexpr unsigned word(double x) { return (unsigned)(__builtin_bit_cast(unsigned long long, x) >> 32); }
  static REX_BOTH constexpr double power(unsigned word) { return __builtin_bit_cast(double, (unsigned long long)word << 32); }
};
template <> struct exponents<float> {
  static constexpr unsigned mask = 0x7f800000u, zero = 0x3f800000u, usual = 100u << 23;
  static REX_BOTH constexpr unsigned word(float x) { return __builtin_bit_cast(unsigned, x); }
  static REX_BOTH constexpr float power(unsigned word) { return __builtin_bit_cast(float, word); }
};

// Whether one may be NaN: the word of a number that is no `float` is that of one in `double` of at least 2^1017.
template <class T> REX_BOTH constexpr bool are_unusual(T x, T y) {
  float of_x = __builtin_bit_cast(float, exponents<T>::word(x)), of_y = __builtin_bit_cast(float, exponents<T>::word(y));
  return (of_x != of_x) | (of_y != of_y);
}

template <class T> REX_BOTH constexpr Complex<T> usual_product(const Complex<T> &z, const Complex<T> &w) {
  T a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
  T x = a * c - b * d, y = a * d + b * c;
  if (are_unusual(x, y)) return seldom_product(z, w);
  return Complex<T>(x, y);
}
template <class T> REX_BOTH constexpr Complex<T> usual_quotient(const Complex<T> &z, const Complex<T> &w) {
  typedef exponents<T> E;
  unsigned of_real = E::word(w.real()) & E::mask, of_imaginary = E::word(w.imag()) & E::mask;
  unsigned greater = of_real > of_imaginary ? of_real : of_imaginary;
  if (greater - (E::zero - E::usual) <= 2 * E::usual) {
    T scale = E::power(2 * E::zero - greater);
    T a = z.real(), b = z.imag(), c = w.real() * scale, d = w.imag() * scale, size = c * c + d * d;
    T x = (a * c + b * d) / size * scale, y = (b * c - a * d) / size * scale;
    if (!are_unusual(x, y)) return Complex<T>(x, y);
  }
  return seldom_quotient(z, w);
}

REX_BOTH constexpr Double product(const Double &z, const Double &w) { return usual_product(z, w); }
REX_BOTH constexpr Float product(const Float &z, const Float &w) { return usual_product(z, w); }
REX_BOTH constexpr Double quotient(const Double &z, const Double &w) { return usual_quotient(z, w); }
REX_BOTH constexpr Float quotient(const Float &z, const Float &w) { return usual_quotient(z, w); }
#endif
template <class T> REX_BOTH constexpr Complex<T> product(const Complex<T> &z, const Complex<T> &w) { return z * w; }
template <class T> REX_BOTH constexpr Complex<T> quotient(const Complex<T> &z, const Complex<T> &w) { return z / w; }

} // namespace rex_detail

#undef REX_BOTH
#undef REX_SELDOM
#endif
