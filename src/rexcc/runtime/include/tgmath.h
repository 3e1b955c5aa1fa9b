// SPDX-License-Identifier: Apache-2.0
//
// <tgmath.h> for rexcc's front end: that of the C library asks for a compiler's built-in functions, which libclang does
// not have, and the compiler's own is found behind it. Every compiler is sent on to its own.
#ifndef REX_TGMATH_H
#define REX_TGMATH_H

#ifndef REX_FRONT_END
#include_next <tgmath.h>
#else

#include <complex.h>
#include <math.h>

// An expression of the type that an argument counts as (C17, 7.25): an integer counts as double. Nobody evaluates it.
#define REX_TG_OF(x)                                                                                                   \
  ((x) + _Generic((x), float: 0.0f, long double: 0.0l, float _Complex: 0.0f, long double _Complex: 0.0l, default: 0.0))
// A function of real numbers, and one of complex numbers too.
#define REX_TG(type, name) _Generic((type), float: name##f, double: name, long double: name##l)
#define REX_TG_BOTH(type, name, other)                                                                                 \
  _Generic((type), float: name##f, double: name, long double: name##l, float _Complex: other##f,                       \
           double _Complex: other, long double _Complex: other##l)
// A function of complex numbers, of which a real one counts as one.
#define REX_TG_COMPLEX(name, x)                                                                                        \
  _Generic(REX_TG_OF(x), float: name##f, double: name, long double: name##l, float _Complex: name##f,                  \
           double _Complex: name, long double _Complex: name##l)(x)
#define REX_TG_1(name, x) REX_TG(REX_TG_OF(x), name)(x)
#define REX_TG_2(name, x, y) REX_TG(REX_TG_OF(x) + REX_TG_OF(y), name)(x, y)
#define REX_TG_3(name, x, y, z) REX_TG(REX_TG_OF(x) + REX_TG_OF(y) + REX_TG_OF(z), name)(x, y, z)
#define REX_TG_1_BOTH(name, x) REX_TG_BOTH(REX_TG_OF(x), name, c##name)(x)

#define acos(x) REX_TG_1_BOTH(acos, x)
#define acosh(x) REX_TG_1_BOTH(acosh, x)
#define asin(x) REX_TG_1_BOTH(asin, x)
#define asinh(x) REX_TG_1_BOTH(asinh, x)
#define atan(x) REX_TG_1_BOTH(atan, x)
#define atan2(x, y) REX_TG_2(atan2, x, y)
#define atanh(x) REX_TG_1_BOTH(atanh, x)
#define carg(x) REX_TG_COMPLEX(carg, x)
#define cbrt(x) REX_TG_1(cbrt, x)
#define ceil(x) REX_TG_1(ceil, x)
#define cimag(x) REX_TG_COMPLEX(cimag, x)
#define conj(x) REX_TG_COMPLEX(conj, x)
#define copysign(x, y) REX_TG_2(copysign, x, y)
#define cos(x) REX_TG_1_BOTH(cos, x)
#define cosh(x) REX_TG_1_BOTH(cosh, x)
#define cproj(x) REX_TG_COMPLEX(cproj, x)
#define creal(x) REX_TG_COMPLEX(creal, x)
#define erf(x) REX_TG_1(erf, x)
#define erfc(x) REX_TG_1(erfc, x)
#define exp(x) REX_TG_1_BOTH(exp, x)
#define exp2(x) REX_TG_1(exp2, x)
#define expm1(x) REX_TG_1(expm1, x)
#define fabs(x) REX_TG_BOTH(REX_TG_OF(x), fabs, cabs)(x)
#define fdim(x, y) REX_TG_2(fdim, x, y)
#define floor(x) REX_TG_1(floor, x)
#define fma(x, y, z) REX_TG_3(fma, x, y, z)
#define fmax(x, y) REX_TG_2(fmax, x, y)
#define fmin(x, y) REX_TG_2(fmin, x, y)
#define fmod(x, y) REX_TG_2(fmod, x, y)
#define frexp(x, exponent) REX_TG(REX_TG_OF(x), frexp)(x, exponent)
#define hypot(x, y) REX_TG_2(hypot, x, y)
#define ilogb(x) REX_TG_1(ilogb, x)
#define ldexp(x, exponent) REX_TG(REX_TG_OF(x), ldexp)(x, exponent)
#define lgamma(x) REX_TG_1(lgamma, x)
#define llrint(x) REX_TG_1(llrint, x)
#define llround(x) REX_TG_1(llround, x)
#define log(x) REX_TG_1_BOTH(log, x)
#define log10(x) REX_TG_1(log10, x)
#define log1p(x) REX_TG_1(log1p, x)
#define log2(x) REX_TG_1(log2, x)
#define logb(x) REX_TG_1(logb, x)
#define lrint(x) REX_TG_1(lrint, x)
#define lround(x) REX_TG_1(lround, x)
#define nearbyint(x) REX_TG_1(nearbyint, x)
#define nextafter(x, y) REX_TG_2(nextafter, x, y)
#define nexttoward(x, y) REX_TG(REX_TG_OF(x), nexttoward)(x, y)
#define pow(x, y) REX_TG_BOTH(REX_TG_OF(x) + REX_TG_OF(y), pow, cpow)(x, y)
#define remainder(x, y) REX_TG_2(remainder, x, y)
#define remquo(x, y, quotient) REX_TG(REX_TG_OF(x) + REX_TG_OF(y), remquo)(x, y, quotient)
#define rint(x) REX_TG_1(rint, x)
#define round(x) REX_TG_1(round, x)
#define scalbln(x, exponent) REX_TG(REX_TG_OF(x), scalbln)(x, exponent)
#define scalbn(x, exponent) REX_TG(REX_TG_OF(x), scalbn)(x, exponent)
#define sin(x) REX_TG_1_BOTH(sin, x)
#define sinh(x) REX_TG_1_BOTH(sinh, x)
#define sqrt(x) REX_TG_1_BOTH(sqrt, x)
#define tan(x) REX_TG_1_BOTH(tan, x)
#define tanh(x) REX_TG_1_BOTH(tanh, x)
#define tgamma(x) REX_TG_1(tgamma, x)
#define trunc(x) REX_TG_1(trunc, x)

#endif
#endif
