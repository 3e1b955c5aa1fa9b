// SPDX-License-Identifier: Apache-2.0
//
// `#pragma omp atomic` in a kernel.
//
//   rex_atomic_<op>(&x, v)      x = x op v, computed in the type that C computes it in; returns the old x
//   rex_atomic_<op>_new(&x, v)  the same, returns the new x
//   rex_combine_<op>(a, b)      a op b
//
// <op>: add sub mul div and or xor shl shr land lor min max, and also rsub rdiv rshl rshr (x = v op x).
// Then there are read, write, exchange and compare_exchange. x may have 1, 2, 4 or 8 bytes: arithmetic types,
// enumerations, pointers. All are relaxed; memory order clauses are fences (__threadfence) beside them.
#ifndef REX_DEVICE_ATOMIC_H
#define REX_DEVICE_ATOMIC_H

#include "rex_device_core.h"

namespace rex_detail {

template <int Size> struct word { static_assert(Size < 0, "atomics exist for types of 1, 2, 4 and 8 bytes only"); };
template <> struct word<1> { using type = unsigned char; };
template <> struct word<2> { using type = unsigned short; };
template <> struct word<4> { using type = unsigned int; };
template <> struct word<8> { using type = unsigned long long; };
template <class T> using word_of = typename word<sizeof(T)>::type;

template <class To, class From> REX_DEVICE To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "same bits, other type");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

template <class T> REX_DEVICE word_of<T> load(const T *x) { return *(const volatile word_of<T> *)x; }

// CUDA has no compare-and-swap of one byte: it is done on the aligned word around it.
#ifdef __CUDACC__
REX_DEVICE unsigned char compare_and_swap(unsigned char *x, unsigned char expected, unsigned char desired) {
  unsigned long long address = (unsigned long long)x;
  unsigned *around = (unsigned *)(address & ~3ull);
  unsigned shift = (unsigned)(address & 3) * 8;
  unsigned seen = *(volatile unsigned *)around;
  while ((unsigned char)(seen >> shift) == expected) {
    unsigned next = (seen & ~(0xffu << shift)) | (unsigned)desired << shift;
    unsigned before = atomicCAS(around, seen, next);
    if (before == seen) break;
    seen = before;
  }
  return (unsigned char)(seen >> shift);
}
#endif
template <class Word> REX_DEVICE Word compare_and_swap(Word *x, Word expected, Word desired) {
  return atomicCAS(x, expected, desired);
}

// x = next(x), whatever next is. Stops early when nothing would change: min and max seldom write.
template <class T, class Next> REX_DEVICE T update(T *x, Next next) {
  using Word = word_of<T>;
  Word seen = load(x);
  for (;;) {
    T old = bit_cast<T>(seen);
    Word desired = bit_cast<Word>((T)next(old));
    if (desired == seen) return old;
    Word before = compare_and_swap((Word *)x, seen, desired);
    if (before == seen) return old;
    seen = before;
  }
}

// The type in which the hardware does T's atomics; CUDA knows int, unsigned, unsigned long long, float and double.
template <class T, bool Integral = std::is_integral<T>::value> struct native { using type = T; };
template <class T> struct native<T, true> {
  using type = typename std::conditional<
      sizeof(T) == 8, unsigned long long,
      typename std::conditional<std::is_signed<T>::value, int, unsigned>::type>::type;
};
template <class T> using native_of = typename native<T>::type;

template <class T> constexpr bool is_wide_integer = std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8);
template <class T> constexpr bool is_float = std::is_same<T, float>::value || std::is_same<T, double>::value;

template <class T, class V, bool = std::is_arithmetic<T>::value && std::is_arithmetic<V>::value> struct sum {
  using type = void;
};
template <class T, class V> struct sum<T, V, true> { using type = decltype(T() + V()); };

// For integers the low bits of a sum depend on low bits only, so any integral v will do; a floating-point x + v must be
// of x's own type already, for converting v first would round twice.
template <class T, class V>
constexpr bool adds_natively = is_wide_integer<T> ? std::is_integral<V>::value
                                                  : is_float<T> && std::is_same<typename sum<T, V>::type, T>::value;
template <class T, class V> constexpr bool has_native_bits = is_wide_integer<T> && std::is_integral<V>::value;

// min and max compare: the hardware does it for integers of the same type.
template <class T, class V> constexpr bool compares_natively = is_wide_integer<T> && std::is_same<T, V>::value;
template <class T> using comparable_of =
    typename std::conditional<sizeof(T) == 8 && std::is_signed<T>::value, long long, native_of<T>>::type;

} // namespace rex_detail

template <class T> REX_DEVICE T rex_atomic_read(const T *x) { return rex_detail::bit_cast<T>(rex_detail::load(x)); }

template <class T> REX_DEVICE void rex_atomic_write(T *x, rex_detail::same<T> v) {
  using Word = rex_detail::word_of<T>;
  *(volatile Word *)x = rex_detail::bit_cast<Word>(v);
}

template <class T> REX_DEVICE T rex_atomic_exchange(T *x, rex_detail::same<T> v) {
  using Word = rex_detail::word_of<T>;
  if constexpr (sizeof(T) >= 4)
    return rex_detail::bit_cast<T>(atomicExch((Word *)x, rex_detail::bit_cast<Word>(v)));
  else return rex_detail::update(x, [=](T) { return v; });
}

// x becomes desired if it equals expected, as C compares them (0.0 equals -0.0).
template <class T>
REX_DEVICE T rex_atomic_compare_exchange(T *x, rex_detail::same<T> expected, rex_detail::same<T> desired) {
  return rex_detail::update(x, [=](T old) { return old == expected ? desired : old; });
}

#define REX_OPERATOR(name, expression)                                                                                 \
  template <class A, class B> REX_DEVICE auto rex_combine_##name(A a, B b) { return expression; }
REX_OPERATOR(add, a + b)
REX_OPERATOR(sub, a - b)
REX_OPERATOR(mul, a *b)
REX_OPERATOR(div, a / b)
REX_OPERATOR(and, a &b)
REX_OPERATOR(or, a | b)
REX_OPERATOR(xor, a ^ b)
REX_OPERATOR(shl, a << b)
REX_OPERATOR(shr, a >> b)
REX_OPERATOR(land, a &&b)
REX_OPERATOR(lor, a || b)
REX_OPERATOR(min, b < a ? b : a)
REX_OPERATOR(max, a < b ? b : a)
#undef REX_OPERATOR

template <class T, class V> REX_DEVICE T rex_atomic_add(T *x, V v) {
  using Native = rex_detail::native_of<T>;
  if constexpr (rex_detail::adds_natively<T, V>) return (T)atomicAdd((Native *)x, (Native)v);
  else return rex_detail::update(x, [=](T old) { return (T)(old + v); });
}

template <class T, class V> REX_DEVICE T rex_atomic_sub(T *x, V v) {
  using Native = rex_detail::native_of<T>;
  if constexpr (rex_detail::adds_natively<T, V>) return (T)atomicAdd((Native *)x, (Native)((Native)0 - (Native)v));
  else return rex_detail::update(x, [=](T old) { return (T)(old - v); });
}

#define REX_ATOMIC_NATIVE(name, intrinsic, condition, type)                                                            \
  template <class T, class V> REX_DEVICE T rex_atomic_##name(T *x, V v) {                                              \
    using Native = rex_detail::type<T>;                                                                                \
    if constexpr (rex_detail::condition<T, V>) return (T)intrinsic((Native *)x, (Native)v);                            \
    else return rex_detail::update(x, [=](T old) { return (T)rex_combine_##name(old, v); });                           \
  }
REX_ATOMIC_NATIVE(and, atomicAnd, has_native_bits, native_of)
REX_ATOMIC_NATIVE(or, atomicOr, has_native_bits, native_of)
REX_ATOMIC_NATIVE(xor, atomicXor, has_native_bits, native_of)
REX_ATOMIC_NATIVE(min, atomicMin, compares_natively, comparable_of)
REX_ATOMIC_NATIVE(max, atomicMax, compares_natively, comparable_of)
#undef REX_ATOMIC_NATIVE

#define REX_ATOMIC_UPDATE(name, expression)                                                                            \
  template <class T, class V> REX_DEVICE T rex_atomic_##name(T *x, V v) {                                              \
    return rex_detail::update(x, [=](T old) { return (T)(expression); });                                              \
  }
REX_ATOMIC_UPDATE(mul, old *v)
REX_ATOMIC_UPDATE(div, old / v)
REX_ATOMIC_UPDATE(shl, old << v)
REX_ATOMIC_UPDATE(shr, old >> v)
REX_ATOMIC_UPDATE(land, old &&v)
REX_ATOMIC_UPDATE(lor, old || v)
REX_ATOMIC_UPDATE(rsub, v - old)
REX_ATOMIC_UPDATE(rdiv, v / old)
REX_ATOMIC_UPDATE(rshl, v << old)
REX_ATOMIC_UPDATE(rshr, v >> old)
#undef REX_ATOMIC_UPDATE

#define REX_ATOMIC_NEW(name, combined)                                                                                 \
  template <class T, class V> REX_DEVICE T rex_atomic_##name##_new(T *x, V v) {                                        \
    T old = rex_atomic_##name(x, v);                                                                                   \
    return (T)rex_combine_##combined;                                                                                  \
  }
REX_ATOMIC_NEW(add, add(old, v))
REX_ATOMIC_NEW(sub, sub(old, v))
REX_ATOMIC_NEW(mul, mul(old, v))
REX_ATOMIC_NEW(div, div(old, v))
REX_ATOMIC_NEW(and, and(old, v))
REX_ATOMIC_NEW(or, or (old, v))
REX_ATOMIC_NEW(xor, xor (old, v))
REX_ATOMIC_NEW(shl, shl(old, v))
REX_ATOMIC_NEW(shr, shr(old, v))
REX_ATOMIC_NEW(land, land(old, v))
REX_ATOMIC_NEW(lor, lor(old, v))
REX_ATOMIC_NEW(min, min(old, v))
REX_ATOMIC_NEW(max, max(old, v))
REX_ATOMIC_NEW(rsub, sub(v, old))
REX_ATOMIC_NEW(rdiv, div(v, old))
REX_ATOMIC_NEW(rshl, shl(v, old))
REX_ATOMIC_NEW(rshr, shr(v, old))
#undef REX_ATOMIC_NEW

#endif
