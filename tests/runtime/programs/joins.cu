// SPDX-License-Identifier: Apache-2.0
//
// The ends of kernels that reduce, for a look at their instructions.
#include "rex_nvidia.h"

extern "C" __global__ void one(const float *x, float *a, rex_partials *partials) {
  float s = x[threadIdx.x];
  rex_reduce(partials, rex_into_add(a, s));
}

extern "C" __global__ void four(const double *x, double *a, double *b, double *c, double *d, rex_partials *partials) {
  double s = x[threadIdx.x], t = s * s, u = s + 1, v = s - 1;
  rex_reduce(partials, rex_into_add(a, s), rex_into_add(b, t), rex_into_add(c, u), rex_into_add(d, v));
}
