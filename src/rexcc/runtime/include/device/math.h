// SPDX-License-Identifier: Apache-2.0
//
// For rex_cuda_words.h: what kernels have of <math.h>, with the overloads that a C++ library has for `float`, `double`
// and integers ([c.math]): a call of what is here means what it means there. Arguments of `long double` do not compile.
#ifndef REX_DEVICE_COPY_MATH_H
#define REX_DEVICE_COPY_MATH_H

#include <stdlib.h>
#include <type_traits>

#define NAN (__builtin_nanf(""))
#define INFINITY (__builtin_huge_valf())
#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
typedef float float_t;
typedef double double_t;

#define REX_MATH extern "C" __host__ __device__ __attribute__((device_builtin))
#define REX_OVERLOAD __host__ __device__ static inline __attribute__((always_inline))

namespace rex_math {
// What arguments count as: an integer is a double, and so is all beside a double.
template <class T, bool is_integer = std::is_integral<T>::value> struct counted {};
template <class T> struct counted<T, true> { typedef double type; };
template <> struct counted<float, false> { typedef float type; };
template <> struct counted<double, false> { typedef double type; };
template <class T> struct refused { static_assert(sizeof(T) == 0, "needs CUDA's headers"); };
template <> struct counted<long double, false> { typedef refused<long double> type; };
template <class T> using number = typename counted<T>::type;
template <class T> using of_integer = typename std::enable_if<std::is_integral<T>::value, double>::type;
} // namespace rex_math

#define REX_OF_ONE(name)                                                                                               \
  REX_MATH double name(double) noexcept;                                                                               \
  REX_MATH float name##f(float) noexcept;                                                                              \
  REX_OVERLOAD float name(float x) { return name##f(x); }                                                              \
  template <class T> REX_OVERLOAD rex_math::of_integer<T> name(T x) { return name((double)x); }                        \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }
#define REX_TO_INTEGER(result, name)                                                                                   \
  REX_MATH result name(double) noexcept;                                                                               \
  REX_MATH result name##f(float) noexcept;                                                                             \
  REX_OVERLOAD result name(float x) { return name##f(x); }                                                             \
  template <class T> REX_OVERLOAD typename std::enable_if<std::is_integral<T>::value, result>::type name(T x) {        \
    return name((double)x);                                                                                            \
  }                                                                                                                    \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }
#define REX_OF_TWO(name)                                                                                               \
  REX_MATH double name(double, double) noexcept;                                                                       \
  REX_MATH float name##f(float, float) noexcept;                                                                       \
  REX_OVERLOAD float name(float x, float y) { return name##f(x, y); }                                                  \
  template <class X, class Y>                                                                                          \
  REX_OVERLOAD decltype(rex_math::number<X>() + rex_math::number<Y>()) name(X x, Y y) {                                \
    return name((double)x, (double)y);                                                                                 \
  }                                                                                                                    \
  namespace std {                                                                                                      \
  using ::name;                                                                                                        \
  using ::name##f;                                                                                                     \
  }
REX_OF_ONE(acos)
REX_OF_ONE(acosh)
REX_OF_ONE(asin)
REX_OF_ONE(asinh)
REX_OF_ONE(atan)
REX_OF_ONE(atanh)
REX_OF_ONE(cbrt)
REX_OF_ONE(ceil)
REX_OF_ONE(cos)
REX_OF_ONE(cosh)
REX_OF_ONE(erf)
REX_OF_ONE(erfc)
REX_OF_ONE(exp)
REX_OF_ONE(exp2)
REX_OF_ONE(expm1)
REX_OF_ONE(floor)
REX_OF_ONE(lgamma)
REX_OF_ONE(log)
REX_OF_ONE(log10)
REX_OF_ONE(log1p)
REX_OF_ONE(log2)
REX_OF_ONE(logb)
REX_OF_ONE(nearbyint)
REX_OF_ONE(rint)
REX_OF_ONE(round)
REX_OF_ONE(sin)
REX_OF_ONE(sinh)
REX_OF_ONE(sqrt)
REX_OF_ONE(tan)
REX_OF_ONE(tanh)
REX_OF_ONE(tgamma)
REX_OF_ONE(trunc)
REX_OF_ONE(fabs)
REX_TO_INTEGER(int, ilogb)
REX_TO_INTEGER(long, lrint)
REX_TO_INTEGER(long long, llrint)
REX_TO_INTEGER(long, lround)
REX_TO_INTEGER(long long, llround)
REX_OF_TWO(atan2)
REX_OF_TWO(copysign)
REX_OF_TWO(fdim)
REX_OF_TWO(fmax)
REX_OF_TWO(fmin)
REX_OF_TWO(fmod)
REX_OF_TWO(hypot)
REX_OF_TWO(nextafter)
REX_OF_TWO(pow)
REX_OF_TWO(remainder)
#undef REX_OF_ONE
#undef REX_TO_INTEGER
#undef REX_OF_TWO

REX_MATH double fma(double, double, double) noexcept;
REX_MATH float fmaf(float, float, float) noexcept;
REX_OVERLOAD float fma(float x, float y, float z) { return fmaf(x, y, z); }
template <class X, class Y, class Z>
REX_OVERLOAD decltype(rex_math::number<X>() + rex_math::number<Y>() + rex_math::number<Z>()) fma(X x, Y y, Z z) {
  return fma((double)x, (double)y, (double)z);
}

#define REX_WITH(result, name, type)                                                                                   \
  REX_MATH double name(double, type) noexcept;                                                                         \
  REX_MATH float name##f(float, type) noexcept;                                                                        \
  REX_OVERLOAD float name(float x, type other) { return name##f(x, other); }                                           \
  template <class T> REX_OVERLOAD rex_math::of_integer<T> name(T x, type other) { return name((double)x, other); }
REX_WITH(double, ldexp, int)
REX_WITH(double, scalbn, int)
REX_WITH(double, scalbln, long)
REX_WITH(double, frexp, int *)
#undef REX_WITH
REX_MATH double modf(double, double *) noexcept;
REX_MATH float modff(float, float *) noexcept;
REX_OVERLOAD float modf(float x, float *whole) { return modff(x, whole); }
REX_MATH double nan(const char *) noexcept;
REX_MATH float nanf(const char *) noexcept;

REX_MATH void sincos(double, double *, double *) noexcept;
REX_MATH void sincosf(float, float *, float *) noexcept;
REX_MATH double rsqrt(double);
REX_MATH float rsqrtf(float);
REX_OVERLOAD float rsqrt(float x) { return rsqrtf(x); }
extern "C" __device__ __attribute__((device_builtin)) double norm3d(double, double, double) noexcept;
extern "C" __device__ __attribute__((device_builtin)) float norm3df(float, float, float) noexcept;

REX_OVERLOAD double abs(double x) { return fabs(x); }
REX_OVERLOAD float abs(float x) { return fabsf(x); }

#define REX_IS(name, of_double, of_float, of_integer)                                                                  \
  REX_MATH int of_double(double) noexcept;                                                                             \
  REX_MATH int of_float(float) noexcept;                                                                               \
  REX_OVERLOAD bool name(double x) { return (bool)of_double(x); }                                                      \
  REX_OVERLOAD bool name(float x) { return (bool)of_float(x); }                                                        \
  template <class T>                                                                                                   \
  REX_OVERLOAD typename std::enable_if<std::is_integral<T>::value, bool>::type name(T x) {                             \
    return of_integer;                                                                                                 \
  }
REX_IS(isnan, __isnan, __isnanf, ((void)x, false))
REX_IS(isinf, __isinf, __isinff, ((void)x, false))
REX_IS(isfinite, __finite, __finitef, ((void)x, true))
REX_IS(signbit, __signbit, __signbitf, x < 0)
#undef REX_IS

namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::frexpf;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::ldexpf;
using ::modf;
using ::modff;
using ::nan;
using ::nanf;
using ::scalbln;
using ::scalblnf;
using ::scalbn;
using ::scalbnf;
using ::signbit;
} // namespace std
#undef REX_MATH
#undef REX_OVERLOAD

#endif
