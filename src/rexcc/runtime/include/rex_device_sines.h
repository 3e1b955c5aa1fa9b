// SPDX-License-Identifier: Apache-2.0
//
// Loops with sines or cosines of floats (lowering/loops/several_sines.py). f(i, turn, sincos) executes the iterations of a
// turn, as for rex_in_turns; sincos computes their sines.
//
//   rex_sines_in_turns<Form, int, 8, 1>(first, bound, f, x, y)          for (int i = first; i < bound; i += 1)
//   rex_sines_in_turns_through<Form, int, 8, -1>(first, last, f, x, y)  for (int i = first; i >= last; i += -1)
//
// REX_SINES_TURN, REX_SINES: the types of f's last parameters, one alone where there is no form but the usual one, as the
// user's C++ may not have lambdas that take any.
//
// In the form for small grids turns are executed as if no argument were large; where some were, x and y, which f changes,
// get their values back, and these iterations and all that are left are executed one by one, as all are in the usual form.
//
// Included by rex_nvidia.h, for nvcc and for the CPU device alike.
//
// The functions are CUDA's both times. The first time they get arguments below the bound from which on CUDA's reduce by a
// long way, and are told so: nvcc then leaves the branch out, which stands between the sines of two iterations. Zero is
// in the place of larger ones. Should another release have another bound, the branch stays, and results are the same.
// Where functions are approximate (REX_APPROXIMATE, of --use_fast_math), none has a branch.
#ifndef REX_DEVICE_SINES_H
#define REX_DEVICE_SINES_H

#if defined(__CUDACC__) || !defined(__CUDA_ARCH__)
#include "rex_device_roots.h"
#include "rex_device_turns.h"

#if defined(__CUDACC__) || defined(REX_SINES_ON_CPU)
#define REX_SINES_TURN auto
#define REX_SINES auto
#else
#define REX_SINES_TURN rex_detail::iterations_turn<1>
#define REX_SINES rex_detail::sines
#endif

namespace rex_detail {

struct sines {
#ifdef __CUDACC__
  __device__ float sine(float x) const { return sinf(x); }
  __device__ float cosine(float x) const { return cosf(x); }
#else
  __device__ float sine(float x) const { return __builtin_sinf(x); }
  __device__ float cosine(float x) const { return __builtin_cosf(x); }
#endif
  __device__ void operator()(float x, float *sine, float *cosine) const { rex_sincos(x, sine, cosine); }
};

// Tests define REX_SINES_ON_CPU to have such turns on the CPU device.
#if defined(REX_SINES_ON_CPU) || (defined(__CUDACC__) && defined(__CUDA_ARCH__) && !defined(REX_APPROXIMATE))
struct usual_sines {
  bool &are_usual;
  __device__ float usual(float x) const {
    bool is_large = __builtin_fabsf(x) >= 105615.0f;
    float argument = is_large ? 0.0f : x;
    are_usual &= !is_large;
#ifdef __CUDACC__
    asm("" : "+f"(argument));
    __builtin_assume(!(fabsf(argument) >= 105615.0f));
#endif
    return argument;
  }
  __device__ float sine(float x) const { return sines{}.sine(usual(x)); }
  __device__ float cosine(float x) const { return sines{}.cosine(usual(x)); }
  __device__ void operator()(float x, float *sine, float *cosine) const { rex_sincos(usual(x), sine, cosine); }
};

// Returns the first iteration that is left.
template <class Index, int number, int step, bool through, class Bound, class F, class... T>
REX_DEVICE Index each_of_usual_sines(Index i, Bound bound, F f, T &...changed) {
  REX_ROLLED
  for (; has_iterations<number, step, through>(i, bound); i += number * step) {
    bool are_usual = true;
    kept_values<T...> kept{changed...};
    f(i, iterations_turn<number>{}, usual_sines{are_usual});
    if (are_usual) continue;
    kept.put_back();
    break;
  }
  return i;
}
#else
template <class Index, int number, int step, bool through, class Bound, class F, class... T>
REX_DEVICE Index each_of_usual_sines(Index i, Bound, F, T &...) {
  return i;
}
#endif

template <class Form, class Index, int number, int step, bool through, class Bound, class F, class... T>
REX_DEVICE void each_sine_in_turns(Index i, Bound bound, F f, T &...changed) {
  if constexpr (Form::has_registers) i = each_of_usual_sines<Index, number, step, through>(i, bound, f, changed...);
#ifdef __CUDACC__
#pragma unroll number
#endif
  for (; has_iteration<step, through>(i, bound); i += step) f(i, iterations_turn<1>{}, sines{});
}

} // namespace rex_detail

template <class Form, class Index, int number, int step, class Bound, class F, class... T>
REX_DEVICE void rex_sines_in_turns(Index first, Bound bound, F f, T &...changed) {
  rex_detail::each_sine_in_turns<Form, Index, number, step, false>(first, bound, f, changed...);
}
template <class Form, class Index, int number, int step, class Bound, class F, class... T>
REX_DEVICE void rex_sines_in_turns_through(Index first, Bound last, F f, T &...changed) {
  rex_detail::each_sine_in_turns<Form, Index, number, step, true>(first, last, f, changed...);
}
#endif

#endif
