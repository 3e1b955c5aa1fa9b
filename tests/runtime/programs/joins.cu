// SPDX-License-Identifier: Apache-2.0
//
// The ends of kernels that reduce, for a look at their instructions, and functions that CUDA lacks.
#include "rex_nvidia.h"

extern "C" __global__ void one(const float *x, float *a, rex_partials *partials) {
  float s = x[threadIdx.x];
  rex_reduce(partials, rex_into_add(a, s));
}

extern "C" __global__ void four(const double *x, double *a, double *b, double *c, double *d, rex_partials *partials) {
  double s = x[threadIdx.x], t = s * s, u = s + 1, v = s - 1;
  rex_reduce(partials, rex_into_add(a, s), rex_into_add(b, t), rex_into_add(c, u), rex_into_add(d, v));
}

extern "C" __global__ void for_all(const float *x, float *a) {
  float s = x[threadIdx.x], sum = 0, t = s * s, squares = 1;
  rex_reduce_for_all(rex_into_add(&sum, s), rex_into_add(&squares, t));
  a[threadIdx.x] = sum / squares;
}

extern "C" __global__ void straight(const float *x, float *a) {
  float s = x[threadIdx.x], sum = 0, t = s * s, squares = 1;
  rex_reduce_for_all_straight(rex_into_add(&sum, s), rex_into_add(&squares, t));
  a[threadIdx.x] = sum / squares;
}

extern "C" __global__ void straight_of_many(const double *x, double *a) {
  double s = x[threadIdx.x], sum = 0, t = s * s, squares = 1;
  rex_reduce_for_all_straight(rex_into_add(&sum, s), rex_into_add(&squares, t));
  a[threadIdx.x] = sum / squares;
}

// Neighbours of a loop from zero on, counted by a number of two sizes.
template <class Bound> __device__ static void neighbours(const float *x, float *a, Bound n) {
  float s = 0;
  rex_each_of_neighbours<2>(
      threadIdx.x, n, [&](long long i) { return rex_are_aligned<2>(&x[i]); },
      [&](long long i, auto turn) {
        float near_x[turn.count];
        turn.load(near_x, &x[i]);
        for (float element : near_x) s += element;
      });
  a[threadIdx.x] = s;
}
extern "C" __global__ void neighbours_of_int(const float *x, float *a, int n) { neighbours(x, a, n); }
extern "C" __global__ void neighbours_of_unsigned(const float *x, float *a, unsigned n) { neighbours(x, a, n); }
extern "C" __global__ void neighbours_of_long(const float *x, float *a, long long n) { neighbours(x, a, n); }

extern "C" __global__ void builtins(int *r, char *text, const char *with, unsigned n, long long w) {
  int i = 0;
  long long l = 0;
  r[i++] = __builtin_ctz(n) + __builtin_ctzll(w) + __builtin_popcountl(w) + __builtin_parity(n) + __builtin_clrsbl(w);
  r[i++] = (int)(__builtin_bswap32(n) + __builtin_bswap64(w) + __builtin_rotateleft32(n, 3) + __builtin_bitreverse8(n));
  r[i++] = __builtin_add_overflow(n, w, r + 9) + __builtin_smull_overflow(w, 3, &l) + (int)l;
  r[i++] = __builtin_fpclassify(1, 2, 3, 4, 5, (double)n) + (int)__builtin_object_size(r, 0);
  r[i++] = memcmp(text, with, n) + strcmp(text, with) + strncmp(text, with, n) + (int)strlen(text) + div(n, 7).rem;
  r[i++] = __builtin_constant_p(n) + __builtin_is_aligned(r, 16) + (int)__builtin_align_up(w, 8) + (int)__builtin_align_down(n, 4);
  __builtin_prefetch(r);
  memmove(text, text + 1, n), strcpy(text, with), strncpy(text + 9, with, n), strcat(text, with), strncat(text, with, n);
}

// Of <cmath>: functions that are made of what CUDA lacks.
extern "C" __global__ void comparisons(int *r, const double *x, const float *f, int n) {
  r[0] = std::isgreater(x[0], x[1]) + isgreater(f[0], f[1]);
  r[1] = std::isgreaterequal(x[0], f[1]);
  r[2] = std::isless(f[0], n) + isless(x[0], x[1]);
  r[3] = std::islessequal(x[0], x[1]);
  r[4] = std::islessgreater(f[0], f[1]);
  r[5] = std::isunordered(x[0], x[1]) + isunordered(f[0], f[1]);
  r[6] = std::isnormal(x[0]) + isnormal(f[0]);
  r[7] = std::fpclassify(x[0]) + fpclassify(f[0]);
  r[8] = std::isnormal(n);
  r[9] = __builtin_isnormal(x[0]) + __builtin_isless(x[0], f[0]) + __builtin_isinf_sign(x[0]);
}
