// SPDX-License-Identifier: Apache-2.0
//
// `#pragma omp atomic` in a kernel.
//
//   rex_atomic_<op>(&x, v)      x = x op v, computed in the type that C computes it in; returns the old x
//   rex_atomic_<op>_new(&x, v)  the same, returns the new x
//   rex_combine_<op>(a, b)      a op b
//
// <op>: add sub mul div mod and or xor shl shr land lor min max, and also rsub rdiv rmod rshl rshr (x = v op x).
//
//   rex_atomic_read(&x)
//   rex_atomic_write(&x, v)                        returns v as x holds it
//   rex_atomic_exchange(&x, v)                     returns the old x
//   rex_atomic_compare_exchange(&x, e, d)          if (x == e) x = d; returns the old x; ..._new: the new x
//   rex_atomic_compare_swap(&x, e, d)              if (x == e) x = d; returns whether they were equal
//   rex_atomic_compare_swap(&x, e, d, otherwise)   the same, and puts x into `otherwise` where they were not
//
//   rex_atomic_plain_add, rex_atomic_plain_sub     x = x op v with the bits that x op v has elsewhere
//
// x may have 1, 2, 4, 8 or 16 bytes: arithmetic types, enumerations, pointers. All are relaxed; memory orders are fences
// (__threadfence) beside them. Where the hardware has the operation it is used, and compare-and-swap otherwise.
#ifndef REX_DEVICE_ATOMIC_H
#define REX_DEVICE_ATOMIC_H

#include "rex_device_words.h"

// ---------------------------------------------------------------------------------------------------------------------
// What the operators mean: C's arithmetic, in the type that both operands are converted to.

namespace rex_detail {

template <class A, class B, bool = std::is_arithmetic<A>::value && std::is_arithmetic<B>::value> struct common {
  using type = void;
};
template <class A, class B> struct common<A, B, true> { using type = decltype(A() + B()); };
template <class A, class B> using common_of = typename common<A, B>::type;

// v as x's type holds it. C lets null be any integer constant 0.
template <class T, class V> REX_DEVICE T as(V v) {
  if constexpr (std::is_pointer<T>::value && std::is_integral<V>::value) return (T)(unsigned long long)v;
  else return (T)v;
}

template <class A, class B> REX_DEVICE bool is_equal(A a, B b) {
  using C = common_of<A, B>;
  if constexpr (!std::is_void<C>::value) return (C)a == (C)b;
  else if constexpr (std::is_pointer<A>::value) return a == as<A>(b);
  else return a == b;
}
template <class A, class B> REX_DEVICE bool is_less(A a, B b) {
  using C = common_of<A, B>;
  if constexpr (!std::is_void<C>::value) return (C)a < (C)b;
  else return a < b;
}

} // namespace rex_detail

#define REX_OPERATOR(name, expression)                                                                                 \
  template <class A, class B>                                                                                          \
  REX_DEVICE auto rex_combine_##name(A a, B b)->typename std::decay<decltype(expression)>::type {                      \
    return expression;                                                                                                 \
  }
REX_OPERATOR(add, a + b)
REX_OPERATOR(sub, a - b)
REX_OPERATOR(mul, a *b)
REX_OPERATOR(div, a / b)
REX_OPERATOR(mod, a % b)
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

// ---------------------------------------------------------------------------------------------------------------------
// What the hardware does.

namespace rex_detail {

// The type in which the hardware does T's atomics. CUDA adds and combines unsigned, unsigned long long, float and double;
// it compares integers with a sign too, of which one is called long long.
template <class T, bool Integral = std::is_integral<T>::value> struct native { using type = T; };
template <class T> struct native<T, true> { using type = word_of<T>; };
template <class T> using native_of = typename native<T>::type;
template <class T> using comparable_of =
    typename std::conditional<std::is_unsigned<T>::value, word_of<T>,
                              typename std::conditional<sizeof(T) == 8, long long, int>::type>::type;

template <class T> constexpr bool is_wide_integer = std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8);
template <class T> constexpr bool is_float = std::is_same<T, float>::value || std::is_same<T, double>::value;

// The low bits of an integer sum depend on low bits only, so any integral v will do.
template <class T, class V> constexpr bool has_native_bits = is_wide_integer<T> && std::is_integral<V>::value;

// A floating-point x + v must be of x's own type already: to convert v first would round twice.
template <class T, class V>
constexpr bool adds_natively = is_float<T> ? std::is_same<common_of<T, V>, T>::value
                                           : (is_wide_integer<T> || std::is_pointer<T>::value) &&
                                                 std::is_integral<V>::value;

// min and max compare: the hardware does it where C compares in a type with x's size and sign.
template <class T, class V, bool = is_wide_integer<T> && std::is_integral<V>::value> struct comparison {
  static constexpr bool is_native = false;
};
template <class T, class V> struct comparison<T, V, true> {
  using C = common_of<T, V>;
  static constexpr bool is_native = sizeof(C) == sizeof(T) && std::is_signed<C>::value == std::is_signed<T>::value;
};
template <class T, class V> constexpr bool compares_natively = comparison<T, V>::is_native;

// Equality of bits is equality of values.
template <class T, class V>
constexpr bool equal_as_bits = is_wide_integer<T> && std::is_integral<V>::value && sizeof(V) <= sizeof(T);

template <class T, class V> REX_DEVICE T hardware_add(T *x, V v) {
  if constexpr (std::is_pointer<T>::value) {
    unsigned long long distance = (unsigned long long)v * sizeof(*T());
    return (T)atomicAdd((unsigned long long *)x, distance);
  } else {
    using Native = native_of<T>;
    return (T)atomicAdd((Native *)x, (Native)v);
  }
}
template <class T, class V> REX_DEVICE T hardware_sub(T *x, V v) {
  if constexpr (is_float<T>) return hardware_add(x, -(T)v);
  else return hardware_add(x, 0 - (unsigned long long)v);
}

#define REX_HARDWARE(name, intrinsic, type)                                                                            \
  template <class T, class V> REX_DEVICE T hardware_##name(T *x, V v) {                                                \
    using Native = type<T>;                                                                                            \
    return (T)intrinsic((Native *)x, (Native)v);                                                                       \
  }
REX_HARDWARE(and, atomicAnd, native_of)
REX_HARDWARE(or, atomicOr, native_of)
REX_HARDWARE(xor, atomicXor, native_of)
REX_HARDWARE(min, atomicMin, comparable_of)
REX_HARDWARE(max, atomicMax, comparable_of)
#undef REX_HARDWARE

} // namespace rex_detail

// ---------------------------------------------------------------------------------------------------------------------
// x = next(x): `next` is C's expression of old and v, `condition` tells for which types T and V the hardware does it,
// and `attempt` how. The operand may be volatile.

#define REX_ATOMIC(name, next_value, condition, attempt)                                                               \
  namespace rex_detail {                                                                                               \
  template <class T, class V> REX_DEVICE change<T> atomic_##name(T *x, V v) {                                          \
    auto next = [=](T old) { return (T)(next_value); };                                                                \
    if constexpr (condition)                                                                                           \
      if (!is_own(x)) {                                                                                                \
        T old = attempt;                                                                                               \
        return {old, next(old)};                                                                                       \
      }                                                                                                                \
    return update(x, next);                                                                                            \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class T, class V> REX_DEVICE T rex_atomic_##name(volatile T *x, V v) {                                     \
    return rex_detail::atomic_##name((T *)x, v).old;                                                                   \
  }                                                                                                                    \
  template <class T, class V> REX_DEVICE T rex_atomic_##name##_new(volatile T *x, V v) {                               \
    return rex_detail::atomic_##name((T *)x, v).now;                                                                   \
  }

#define REX_ATOMIC_NATIVE(name, next_value, condition)                                                                 \
  REX_ATOMIC(name, next_value, (condition<T, V>), hardware_##name(x, v))
REX_ATOMIC_NATIVE(add, old + v, adds_natively)
REX_ATOMIC_NATIVE(sub, old - v, adds_natively)
REX_ATOMIC_NATIVE(and, old &v, has_native_bits)
REX_ATOMIC_NATIVE(or, old | v, has_native_bits)
REX_ATOMIC_NATIVE(xor, old ^ v, has_native_bits)
REX_ATOMIC_NATIVE(min, is_less(v, old) ? (T)v : old, compares_natively)
REX_ATOMIC_NATIVE(max, is_less(old, v) ? (T)v : old, compares_natively)
#undef REX_ATOMIC_NATIVE

#define REX_ATOMIC_UPDATE(name, next_value) REX_ATOMIC(name, next_value, false, *x)
REX_ATOMIC_UPDATE(plain_add, old + v) // as plain code does it: a GPU's own addition of floats takes subnormal ones as 0
REX_ATOMIC_UPDATE(plain_sub, old - v)
REX_ATOMIC_UPDATE(mul, old *v)
REX_ATOMIC_UPDATE(div, old / v)
REX_ATOMIC_UPDATE(mod, old % v)
REX_ATOMIC_UPDATE(shl, old << v)
REX_ATOMIC_UPDATE(shr, old >> v)
REX_ATOMIC_UPDATE(land, old &&v)
REX_ATOMIC_UPDATE(lor, old || v)
REX_ATOMIC_UPDATE(rsub, v - old)
REX_ATOMIC_UPDATE(rdiv, v / old)
REX_ATOMIC_UPDATE(rmod, v % old)
REX_ATOMIC_UPDATE(rshl, v << old)
REX_ATOMIC_UPDATE(rshr, v >> old)
#undef REX_ATOMIC_UPDATE
#undef REX_ATOMIC

// ---------------------------------------------------------------------------------------------------------------------
// Loads, stores and swaps.

template <class T> REX_DEVICE T rex_atomic_read(const volatile T *shared) {
  T *x = (T *)shared;
  if constexpr (sizeof(T) == 16) return rex_detail::update(x, [](T old) { return old; }).old;
  else return rex_detail::bit_cast<T>(rex_detail::load(x));
}

template <class T, class V = T> REX_DEVICE T rex_atomic_write(volatile T *shared, V v) {
  T *x = (T *)shared, value = rex_detail::as<T>(v);
  if constexpr (sizeof(T) == 16) rex_detail::update(x, [=](T) { return value; });
  else rex_detail::store(x, value);
  return value;
}

template <class T, class V = T> REX_DEVICE T rex_atomic_exchange(volatile T *shared, V v) {
  using Word = rex_detail::word_of<T>;
  T *x = (T *)shared, value = rex_detail::as<T>(v);
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    if (!rex_detail::is_own(x))
      return rex_detail::bit_cast<T>(atomicExch((Word *)x, rex_detail::bit_cast<Word>(value)));
  }
  return rex_detail::update(x, [=](T) { return value; }).old;
}

namespace rex_detail {

// As C compares: 0.0 equals -0.0, and a char never equals 300.
template <class T, class E, class D> REX_DEVICE change<T> exchange_if_equal(T *x, E expected, D desired) {
  auto next = [=](T old) { return is_equal(old, expected) ? as<T>(desired) : old; };
  if constexpr (equal_as_bits<T, E>)
    if (!is_own(x)) {
      using Word = word_of<T>;
      T old = (T)atomicCAS((Word *)x, (Word)(T)expected, (Word)as<T>(desired));
      return {old, next(old)};
    }
  return update(x, next);
}

} // namespace rex_detail

template <class T, class E = T, class D = T>
REX_DEVICE T rex_atomic_compare_exchange(volatile T *x, E expected, D desired) {
  return rex_detail::exchange_if_equal((T *)x, expected, desired).old;
}
template <class T, class E = T, class D = T>
REX_DEVICE T rex_atomic_compare_exchange_new(volatile T *x, E expected, D desired) {
  return rex_detail::exchange_if_equal((T *)x, expected, desired).now;
}
template <class T, class E = T, class D = T>
REX_DEVICE bool rex_atomic_compare_swap(volatile T *x, E expected, D desired) {
  return rex_detail::is_equal(rex_detail::exchange_if_equal((T *)x, expected, desired).old, expected);
}
template <class T, class E, class D, class O>
REX_DEVICE bool rex_atomic_compare_swap(volatile T *x, E expected, D desired, O &otherwise) {
  T old = rex_detail::exchange_if_equal((T *)x, expected, desired).old;
  bool equal = rex_detail::is_equal(old, expected);
  if (!equal) otherwise = rex_detail::as<O>(old);
  return equal;
}

#endif
