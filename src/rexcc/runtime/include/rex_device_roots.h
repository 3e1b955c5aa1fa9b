// SPDX-License-Identifier: Apache-2.0
//
// A number divided by a square root, each rounded as IEEE 754 asks: bit by bit what the program's division is
// (lowering/text/roots.py). Included by rex_nvidia.h, for nvcc and for the CPU device alike.
//
// The device computes both from an approximation, of 1 / sqrt(x) and of 1 / s, and looks both times whether a number is
// unusual. Here the first approximation y serves for both: s is the root by the operations that the device's assembler
// makes of sqrt.rn, c is 1 / s by a step from y, and the quotient is Markstein's last step, which is the rounded a / s
// where c is the rounded 1 / s. That s and c are so for all numbers in [1, 4) and every y within the error that PTX
// promises (2^-22.9) is a matter of trying, as tests/runtime/test_root_quotients.py does. s: but for two pairs of x and y, which
// no device has, for its own roots would be wrong. c: but for 52 pairs of 51 million, of which all quotients are right
// but those by the s below 2, whose x are left to the usual way. Powers of two shift exponents and nothing else: the
// bounds of x and a keep all steps away from subnormal numbers and infinities. What is outside of them, 0 among it, takes
// the usual way. Where functions are approximate (REX_APPROXIMATE, of --use_fast_math), all do.
#ifndef REX_DEVICE_ROOTS_H
#define REX_DEVICE_ROOTS_H

#if defined(__CUDA_ARCH__) && !defined(REX_APPROXIMATE)
// `above`: what x, as bits, is above the least one, so that those below a power of four have 24 zeros but for one.
static __device__ __forceinline__ bool rex_is_usual_quotient(float a, float x) {
  unsigned above = __float_as_uint(x) - 0x1c7ffffeu;
  float size = fabsf(a);
  return (above < 0x62000000u) & ((above & 0xfffffeu) != 0) & (size >= 0x1p-60f) & (size < 0x1p90f);
}
static __device__ __forceinline__ float rex_quotient_by_root(float a, float x, float y) {
  float near = __fmul_rn(x, y), half = __fmul_rn(y, 0.5f);
  float s = __fmaf_rn(__fmaf_rn(-near, near, x), half, near);
  float c = __fmaf_rn(__fmaf_rn(-s, y, 1.0f), y, y), q = __fmul_rn(a, c);
  return __fmaf_rn(__fmaf_rn(-s, q, a), c, q);
}
#ifdef __CUDACC__
static __device__ __noinline__ float rex_unusual_quotient(float a, float x) { return a / sqrtf(x); }
// The usual quotient is computed in front of the branch: so several of them are under way at once.
static __device__ __forceinline__ float rex_over_root(float a, float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  float quotient = rex_quotient_by_root(a, x, y);
  if (!rex_is_usual_quotient(a, x)) quotient = rex_unusual_quotient(a, x);
  return quotient;
}
#endif
#else
static __host__ __device__ inline float rex_over_root(float a, float x) { return a / __builtin_sqrtf(x); }
#endif

#if defined(__CUDACC__) || !defined(__CUDA_ARCH__)
// A root that something is divided by: a name in the place of sqrtf is all that changes of the user's text.
struct rex_root {
  float of;
  __host__ __device__ explicit constexpr rex_root(float of) : of(of) {}
  friend __device__ inline float operator/(float a, rex_root root) { return rex_over_root(a, root.of); }
};

namespace rex_detail {

// The values of variables that code changes which may be executed twice.
template <class... T> struct kept_values {
  __device__ void put_back() {}
};
template <class T, class... More> struct kept_values<T, More...> : kept_values<More...> {
  T &variable;
  const T value;
  __device__ kept_values(T &variable, More &...more)
      : kept_values<More...>{more...}, variable(variable), value(variable) {}
  __device__ void put_back() {
    variable = value;
    kept_values<More...>::put_back();
  }
};

} // namespace rex_detail

// Code with several such quotients (lowering/loops/several_roots.py): rex_of_usual_roots(f, x, y) executes f with what
// makes its roots; where some numbers were unusual, x and y, which f changes, get their values back, and f is executed
// again, with the division and the root as before. REX_ROOTS: the type of f's parameter, one alone where nvcc does not
// compile it, as the user's C++ may not have lambdas that take any.
#ifdef __CUDACC__
#define REX_ROOTS auto
#else
#define REX_ROOTS rex_roots
#endif
#if defined(__CUDACC__) && defined(__CUDA_ARCH__) && !defined(REX_APPROXIMATE)
namespace rex_detail {

struct usual_root {
  float of;
  bool &are_usual;
  friend __device__ __forceinline__ float operator/(float a, usual_root root) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(root.of));
    root.are_usual &= rex_is_usual_quotient(a, root.of);
    return rex_quotient_by_root(a, root.of, y);
  }
};
struct usual_roots {
  bool &are_usual;
  __device__ __forceinline__ usual_root operator()(float of) const { return {of, are_usual}; }
};

struct unusual_root {
  float of;
  friend __device__ __forceinline__ float operator/(float a, unusual_root root) {
    return rex_unusual_quotient(a, root.of);
  }
};
struct unusual_roots {
  __device__ __forceinline__ unusual_root operator()(float of) const { return {of}; }
};

} // namespace rex_detail

template <class F, class... T> static __device__ __forceinline__ void rex_of_usual_roots(F f, T &...changed) {
  bool are_usual = true;
  rex_detail::kept_values<T...> kept{changed...};
  f(rex_detail::usual_roots{are_usual});
  if (are_usual) return;
  kept.put_back();
  f(rex_detail::unusual_roots{});
}
#else
struct rex_roots {
  __device__ rex_root operator()(float of) const { return rex_root(of); }
};
template <class F, class... T> static __device__ inline void rex_of_usual_roots(F f, T &...) { f(rex_roots{}); }
#endif
#endif

#endif
