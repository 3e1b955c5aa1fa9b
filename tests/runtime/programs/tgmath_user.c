// SPDX-License-Identifier: Apache-2.0
/* Type-generic mathematics of C; every compiler must see the same types. */
#include <tgmath.h>

_Static_assert(sizeof(sqrt(1.0f)) == sizeof(float), "float");
_Static_assert(sizeof(sqrt(1)) == sizeof(double), "an integer counts as double");
_Static_assert(sizeof(pow(2.0f, 3.0f)) == sizeof(float), "two floats");
_Static_assert(sizeof(pow(2.0f, 3)) == sizeof(double), "a float and an integer");
_Static_assert(sizeof(fma(1.0f, 2.0f, 3.0L)) == sizeof(long double), "the widest of three");
_Static_assert(sizeof(ldexp(1.0f, 3)) == sizeof(float), "an exponent does not count");
_Static_assert(sizeof(sqrt((float _Complex)1)) == sizeof(float _Complex), "a complex number");
_Static_assert(sizeof(pow((double _Complex)1, 2.0f)) == sizeof(double _Complex), "one of two is complex");
_Static_assert(sizeof(fabs((float _Complex)1)) == sizeof(float), "the absolute value of a complex number is real");
_Static_assert(sizeof(creal((float _Complex)1)) == sizeof(float) && sizeof(conj(1.0f)) == 8, "parts");
_Static_assert(sizeof(lround(1.0f)) == sizeof(long), "a result of its own type");

int main(void) {
  float x = 2.25f;
  return sqrt(x) == 1.5f && fabs(-x) == x && fmax(x, 3.0f) == 3.0f && floor(sqrt(x)) == 1.0f ? 0 : 1;
}
