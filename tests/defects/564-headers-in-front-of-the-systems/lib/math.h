#ifndef OWN_MATH_H
#pragma GCC system_header
#include_next <math.h>
#define OWN_MATH_H
static inline int own_isneg(double x) { return x < 0; }
#define isneg own_isneg
#endif
