// SPDX-License-Identifier: Apache-2.0
//
// Functions of the C library that device code computes together where the program calls them one by one
// (lowering/cleanups/sine_and_cosine.py). Included by rex_nvidia.h, for nvcc and for the CPU device alike.
#ifndef REX_DEVICE_MATH_H
#define REX_DEVICE_MATH_H

// The sine and the cosine of a value, bit by bit those of separate calls. CUDA's sincosf and sincos (__nv_sincosf and
// __nv_sincos of libdevice) reduce their argument with the operations of sinf, cosf, sin and cos, evaluate the same
// polynomials with the same fused operations, and choose by the same two bits of the quadrant which one is the sine; with
// --use_fast_math each is the instruction that __sinf and __cosf are. The host's library promises nothing of the kind:
// there they are the calls that they were.
#ifdef __CUDACC__
REX_DEVICE void rex_sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
REX_DEVICE void rex_sincos(double x, double *sine, double *cosine) { sincos(x, sine, cosine); }
#else
REX_DEVICE void rex_sincos(float x, float *sine, float *cosine) {
  *sine = __builtin_sinf(x);
  *cosine = __builtin_cosf(x);
}
REX_DEVICE void rex_sincos(double x, double *sine, double *cosine) {
  *sine = __builtin_sin(x);
  *cosine = __builtin_cos(x);
}
#endif

// std::min, std::max and std::clamp of numbers as values (lowering/text/extremes.py).
template <class T> __host__ __device__ constexpr T rex_least(T a, T b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr T rex_greatest(T a, T b) { return a < b ? b : a; }
template <class T> __host__ __device__ constexpr T rex_clamped(T a, T least, T most) {
  return a < least ? least : most < a ? most : a;
}

// A choice between two numbers as values (lowering/text/choices.py): ``chosen ? a : b``, ``a < b ? a : b``, and so on.
template <class T> __host__ __device__ constexpr T rex_chosen(bool first, T a, T b) { return first ? a : b; }
#define REX_CHOICE(name, relation)                                                                                     \
  template <class T> __host__ __device__ constexpr T rex_first_if_##name(T a, T b) { return a relation b ? a : b; }    \
  template <class T> __host__ __device__ constexpr T rex_second_if_##name(T a, T b) { return a relation b ? b : a; }
REX_CHOICE(less, <)
REX_CHOICE(greater, >)
REX_CHOICE(at_most, <=)
REX_CHOICE(at_least, >=)
#undef REX_CHOICE

// The same in templates, which may have numbers or objects: these are left where they are.
template <class T> struct rex_extreme {
  typedef const T &Result;
  static __host__ __device__ constexpr Result least(const T &a, const T &b) { return b < a ? b : a; }
  static __host__ __device__ constexpr Result greatest(const T &a, const T &b) { return a < b ? b : a; }
};
template <class T> struct rex_extreme_number {
  typedef T Result;
  static __host__ __device__ constexpr T least(T a, T b) { return b < a ? b : a; }
  static __host__ __device__ constexpr T greatest(T a, T b) { return a < b ? b : a; }
};
#define REX_EXTREME_NUMBER(T) template <> struct rex_extreme<T> : rex_extreme_number<T> {};
REX_EXTREME_NUMBER(char)
REX_EXTREME_NUMBER(signed char)
REX_EXTREME_NUMBER(unsigned char)
REX_EXTREME_NUMBER(short)
REX_EXTREME_NUMBER(unsigned short)
REX_EXTREME_NUMBER(int)
REX_EXTREME_NUMBER(unsigned)
REX_EXTREME_NUMBER(long)
REX_EXTREME_NUMBER(unsigned long)
REX_EXTREME_NUMBER(long long)
REX_EXTREME_NUMBER(unsigned long long)
REX_EXTREME_NUMBER(float)
REX_EXTREME_NUMBER(double)
#undef REX_EXTREME_NUMBER
template <class T>
__host__ __device__ constexpr typename rex_extreme<T>::Result rex_least_of(const T &a, const T &b) {
  return rex_extreme<T>::least(a, b);
}
template <class T>
__host__ __device__ constexpr typename rex_extreme<T>::Result rex_greatest_of(const T &a, const T &b) {
  return rex_extreme<T>::greatest(a, b);
}

// std::hypot of three numbers (lowering/text/library_calls.py), which CUDA's library has under another name. Floats have
// a float, all others a double.
#ifdef __CUDACC__
REX_DEVICE float rex_hypot(float x, float y, float z) { return norm3df(x, y, z); }
REX_DEVICE double rex_hypot(double x, double y, double z) { return norm3d(x, y, z); }
#else
REX_DEVICE double rex_hypot(double x, double y, double z) { return __builtin_hypot(__builtin_hypot(x, y), z); }
REX_DEVICE float rex_hypot(float x, float y, float z) {
  return (float)__builtin_sqrt((double)x * x + (double)y * y + (double)z * z);
}
#endif
template <class X, class Y, class Z> REX_DEVICE double rex_hypot(X x, Y y, Z z) {
  return rex_hypot((double)x, (double)y, (double)z);
}

#endif
