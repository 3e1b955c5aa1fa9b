// SPDX-License-Identifier: Apache-2.0
//
// <tgmath.h> for rexcc's front end: that of the C library asks for a compiler's built-in functions, which libclang does
// not have, and the compiler's own is found behind it. Real arguments only. Every compiler is sent on to its own.
#ifndef REX_TGMATH_H
#define REX_TGMATH_H

#ifndef REX_FRONT_END
#include_next <tgmath.h>
#else

#include <math.h>

// An integer argument counts as double.
#define REX_TG_REAL(x) _Generic((x), float: 0.0f, long double: 0.0l, default: 0.0)
#define REX_TG(type, name) _Generic((type), float: name##f, long double: name##l, default: name)
#define REX_TG_1(name, x) REX_TG(REX_TG_REAL(x), name)(x)
#define REX_TG_2(name, x, y) REX_TG(REX_TG_REAL(x) + REX_TG_REAL(y), name)(x, y)
#define REX_TG_3(name, x, y, z) REX_TG(REX_TG_REAL(x) + REX_TG_REAL(y) + REX_TG_REAL(z), name)(x, y, z)

#define acos(x) REX_TG_1(acos, x)
#define acosh(x) REX_TG_1(acosh, x)
#define asin(x) REX_TG_1(asin, x)
#define asinh(x) REX_TG_1(asinh, x)
#define atan(x) REX_TG_1(atan, x)
#define atan2(x, y) REX_TG_2(atan2, x, y)
#define atanh(x) REX_TG_1(atanh, x)
#define cbrt(x) REX_TG_1(cbrt, x)
#define ceil(x) REX_TG_1(ceil, x)
#define copysign(x, y) REX_TG_2(copysign, x, y)
#define cos(x) REX_TG_1(cos, x)
#define cosh(x) REX_TG_1(cosh, x)
#define erf(x) REX_TG_1(erf, x)
#define erfc(x) REX_TG_1(erfc, x)
#define exp(x) REX_TG_1(exp, x)
#define exp2(x) REX_TG_1(exp2, x)
#define expm1(x) REX_TG_1(expm1, x)
#define fabs(x) REX_TG_1(fabs, x)
#define fdim(x, y) REX_TG_2(fdim, x, y)
#define floor(x) REX_TG_1(floor, x)
#define fma(x, y, z) REX_TG_3(fma, x, y, z)
#define fmax(x, y) REX_TG_2(fmax, x, y)
#define fmin(x, y) REX_TG_2(fmin, x, y)
#define fmod(x, y) REX_TG_2(fmod, x, y)
#define frexp(x, exponent) REX_TG(REX_TG_REAL(x), frexp)(x, exponent)
#define hypot(x, y) REX_TG_2(hypot, x, y)
#define ilogb(x) REX_TG_1(ilogb, x)
#define ldexp(x, exponent) REX_TG(REX_TG_REAL(x), ldexp)(x, exponent)
#define lgamma(x) REX_TG_1(lgamma, x)
#define llrint(x) REX_TG_1(llrint, x)
#define llround(x) REX_TG_1(llround, x)
#define log(x) REX_TG_1(log, x)
#define log10(x) REX_TG_1(log10, x)
#define log1p(x) REX_TG_1(log1p, x)
#define log2(x) REX_TG_1(log2, x)
#define logb(x) REX_TG_1(logb, x)
#define lrint(x) REX_TG_1(lrint, x)
#define lround(x) REX_TG_1(lround, x)
#define nearbyint(x) REX_TG_1(nearbyint, x)
#define nextafter(x, y) REX_TG_2(nextafter, x, y)
#define nexttoward(x, y) REX_TG(REX_TG_REAL(x), nexttoward)(x, y)
#define pow(x, y) REX_TG_2(pow, x, y)
#define remainder(x, y) REX_TG_2(remainder, x, y)
#define remquo(x, y, quotient) REX_TG(REX_TG_REAL(x) + REX_TG_REAL(y), remquo)(x, y, quotient)
#define rint(x) REX_TG_1(rint, x)
#define round(x) REX_TG_1(round, x)
#define scalbln(x, exponent) REX_TG(REX_TG_REAL(x), scalbln)(x, exponent)
#define scalbn(x, exponent) REX_TG(REX_TG_REAL(x), scalbn)(x, exponent)
#define sin(x) REX_TG_1(sin, x)
#define sinh(x) REX_TG_1(sinh, x)
#define sqrt(x) REX_TG_1(sqrt, x)
#define tan(x) REX_TG_1(tan, x)
#define tanh(x) REX_TG_1(tanh, x)
#define tgamma(x) REX_TG_1(tgamma, x)
#define trunc(x) REX_TG_1(trunc, x)

#endif
#endif
