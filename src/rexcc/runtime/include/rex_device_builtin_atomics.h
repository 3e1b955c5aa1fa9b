// SPDX-License-Identifier: Apache-2.0
//
// The atomic built-ins of gcc and clang, __atomic_... and __sync_..., which are functions of the host for nvcc. Stands
// behind the system headers, whose functions use them on the host, in device files whose program names one; clang, which
// compiles the CPU device's image, has its own.
//
// As gcc's manual has them: the operand is converted to the object's type, sums of pointers count bytes, what is compared
// are the bytes. Memory orders are fences, as with `#pragma omp atomic`.
#ifndef REX_DEVICE_BUILTIN_ATOMICS_H
#define REX_DEVICE_BUILTIN_ATOMICS_H

#ifdef __CUDACC__
#include "rex_device_atomic.h"

namespace rex_builtins {

// In what type an object is counted: a pointer in bytes, an enumeration as what it is made of.
template <class T>
using in_bytes = typename std::conditional<std::is_pointer<T>::value || std::is_enum<T>::value,
                                          typename rex_detail::word<sizeof(T)>, std::common_type<T>>::type::type;

REX_DEVICE void fence_before(int order) {
  if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST) __threadfence();
}
REX_DEVICE void fence_after(int order) {
  if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE) __threadfence();
}

// fetch_<op>: the old value, <op>_fetch: the new one.
#define REX_FETCH(name, change_of)                                                                                     \
  template <class T, class V> REX_DEVICE rex_detail::change<T> change_##name(volatile T *object, V operand, int order) { \
    using C = in_bytes<T>;                                                                                             \
    C *x = (C *)object, v = (C)operand;                                                                                \
    fence_before(order);                                                                                               \
    const rex_detail::change<C> made = change_of;                                                                      \
    fence_after(order);                                                                                                \
    return {(T)made.old, (T)made.now};                                                                                 \
  }                                                                                                                    \
  template <class T, class V> REX_DEVICE T fetch_##name(volatile T *x, V v, int order) {                               \
    return change_##name(x, v, order).old;                                                                             \
  }                                                                                                                    \
  template <class T, class V> REX_DEVICE T name##_fetch(volatile T *x, V v, int order) {                               \
    return change_##name(x, v, order).now;                                                                             \
  }                                                                                                                    \
  template <class T, class V, class... Guarded> REX_DEVICE T sync_fetch_##name(volatile T *x, V v, Guarded &&...) {    \
    return change_##name(x, v, __ATOMIC_SEQ_CST).old;                                                                  \
  }                                                                                                                    \
  template <class T, class V, class... Guarded> REX_DEVICE T sync_##name##_fetch(volatile T *x, V v, Guarded &&...) {  \
    return change_##name(x, v, __ATOMIC_SEQ_CST).now;                                                                  \
  }
REX_FETCH(add, rex_detail::atomic_add(x, v))
REX_FETCH(sub, rex_detail::atomic_sub(x, v))
REX_FETCH(and, rex_detail::atomic_and(x, v))
REX_FETCH(or, rex_detail::atomic_or(x, v))
REX_FETCH(xor, rex_detail::atomic_xor(x, v))
REX_FETCH(min, rex_detail::atomic_min(x, v))
REX_FETCH(max, rex_detail::atomic_max(x, v))
REX_FETCH(nand, rex_detail::update(x, [=](C old) { return (C)~(old & v); }))
#undef REX_FETCH

template <class T> REX_DEVICE T load(const volatile T *x, int order) {
  if (order == __ATOMIC_SEQ_CST) __threadfence();
  const T value = rex_atomic_read(x);
  fence_after(order);
  return value;
}
template <class T, class V> REX_DEVICE void store(volatile T *x, V v, int order) {
  fence_before(order);
  rex_atomic_write(x, (T)v);
  if (order == __ATOMIC_SEQ_CST) __threadfence();
}
template <class T, class V> REX_DEVICE T exchange(volatile T *x, V v, int order) {
  fence_before(order);
  const T old = rex_atomic_exchange(x, (T)v);
  fence_after(order);
  return old;
}

// Whether the object had the bytes of `expected`, and has those of `desired` now; what it had.
template <class T> REX_DEVICE bool swap(volatile T *object, T expected, T desired, T *found) {
  using Word = rex_detail::word_of<T>;
  T *x = (T *)object;
  const Word wanted = rex_detail::bit_cast<Word>(expected);
  __threadfence();
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    if (!rex_detail::is_own(x)) {
      const Word old = atomicCAS((Word *)x, wanted, rex_detail::bit_cast<Word>(desired));
      __threadfence();
      *found = rex_detail::bit_cast<T>(old);
      return old == wanted;
    }
  }
  *found = rex_detail::update(x, [=](T old) { return rex_detail::bit_cast<Word>(old) == wanted ? desired : old; }).old;
  __threadfence();
  return rex_detail::bit_cast<Word>(*found) == wanted;
}
template <class T, class V>
REX_DEVICE bool compare_exchange_n(volatile T *x, T *expected, V desired, bool, int, int) {
  T found;
  const bool equal = swap(x, *expected, (T)desired, &found);
  if (!equal) *expected = found;
  return equal;
}
template <class T, class E, class D, class... Guarded>
REX_DEVICE T value_swap(volatile T *x, E expected, D desired, Guarded &&...) {
  T found;
  swap(x, (T)expected, (T)desired, &found);
  return found;
}
template <class T, class E, class D, class... Guarded>
REX_DEVICE bool bool_swap(volatile T *x, E expected, D desired, Guarded &&...) {
  T found;
  return swap(x, (T)expected, (T)desired, &found);
}

REX_DEVICE bool test_and_set(volatile void *flag, int order) { return exchange((volatile unsigned char *)flag, 1, order); }
REX_DEVICE void clear(volatile void *flag, int order) { store((volatile unsigned char *)flag, 0, order); }
template <class T, class V, class... Guarded> REX_DEVICE T lock_test_and_set(volatile T *x, V v, Guarded &&...) {
  return exchange(x, v, __ATOMIC_ACQUIRE);
}
template <class T, class... Guarded> REX_DEVICE void lock_release(volatile T *x, Guarded &&...) {
  store(x, 0, __ATOMIC_RELEASE);
}
REX_DEVICE void fence(int order) {
  if (order != __ATOMIC_RELAXED) __threadfence();
}

} // namespace rex_builtins

#define __atomic_fetch_add(...) rex_builtins::fetch_add(__VA_ARGS__)
#define __atomic_fetch_sub(...) rex_builtins::fetch_sub(__VA_ARGS__)
#define __atomic_fetch_and(...) rex_builtins::fetch_and(__VA_ARGS__)
#define __atomic_fetch_or(...) rex_builtins::fetch_or(__VA_ARGS__)
#define __atomic_fetch_xor(...) rex_builtins::fetch_xor(__VA_ARGS__)
#define __atomic_fetch_nand(...) rex_builtins::fetch_nand(__VA_ARGS__)
#define __atomic_fetch_min(...) rex_builtins::fetch_min(__VA_ARGS__)
#define __atomic_fetch_max(...) rex_builtins::fetch_max(__VA_ARGS__)
#define __atomic_add_fetch(...) rex_builtins::add_fetch(__VA_ARGS__)
#define __atomic_sub_fetch(...) rex_builtins::sub_fetch(__VA_ARGS__)
#define __atomic_and_fetch(...) rex_builtins::and_fetch(__VA_ARGS__)
#define __atomic_or_fetch(...) rex_builtins::or_fetch(__VA_ARGS__)
#define __atomic_xor_fetch(...) rex_builtins::xor_fetch(__VA_ARGS__)
#define __atomic_nand_fetch(...) rex_builtins::nand_fetch(__VA_ARGS__)
#define __atomic_min_fetch(...) rex_builtins::min_fetch(__VA_ARGS__)
#define __atomic_max_fetch(...) rex_builtins::max_fetch(__VA_ARGS__)

#define __atomic_load_n(...) rex_builtins::load(__VA_ARGS__)
#define __atomic_store_n(...) rex_builtins::store(__VA_ARGS__)
#define __atomic_exchange_n(...) rex_builtins::exchange(__VA_ARGS__)
#define __atomic_compare_exchange_n(...) rex_builtins::compare_exchange_n(__VA_ARGS__)
#define __atomic_load(x, value, order) ((void)(*(value) = rex_builtins::load(x, order)))
#define __atomic_store(x, value, order) rex_builtins::store(x, *(value), order)
#define __atomic_exchange(x, value, old, order) ((void)(*(old) = rex_builtins::exchange(x, *(value), order)))
#define __atomic_compare_exchange(x, expected, desired, ...)                                                           \
  rex_builtins::compare_exchange_n(x, expected, *(desired), __VA_ARGS__)
#define __atomic_test_and_set(...) rex_builtins::test_and_set(__VA_ARGS__)
#define __atomic_clear(...) rex_builtins::clear(__VA_ARGS__)
#define __atomic_thread_fence(order) rex_builtins::fence(order)
#define __atomic_signal_fence(order) ((void)(order), __threadfence_block())
#define __atomic_always_lock_free(size, x) ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8)
#define __atomic_is_lock_free(size, x) ((void)(x), __atomic_always_lock_free(size, x))

#define __sync_fetch_and_add(...) rex_builtins::sync_fetch_add(__VA_ARGS__)
#define __sync_fetch_and_sub(...) rex_builtins::sync_fetch_sub(__VA_ARGS__)
#define __sync_fetch_and_and(...) rex_builtins::sync_fetch_and(__VA_ARGS__)
#define __sync_fetch_and_or(...) rex_builtins::sync_fetch_or(__VA_ARGS__)
#define __sync_fetch_and_xor(...) rex_builtins::sync_fetch_xor(__VA_ARGS__)
#define __sync_fetch_and_nand(...) rex_builtins::sync_fetch_nand(__VA_ARGS__)
#define __sync_add_and_fetch(...) rex_builtins::sync_add_fetch(__VA_ARGS__)
#define __sync_sub_and_fetch(...) rex_builtins::sync_sub_fetch(__VA_ARGS__)
#define __sync_and_and_fetch(...) rex_builtins::sync_and_fetch(__VA_ARGS__)
#define __sync_or_and_fetch(...) rex_builtins::sync_or_fetch(__VA_ARGS__)
#define __sync_xor_and_fetch(...) rex_builtins::sync_xor_fetch(__VA_ARGS__)
#define __sync_nand_and_fetch(...) rex_builtins::sync_nand_fetch(__VA_ARGS__)
#define __sync_val_compare_and_swap(...) rex_builtins::value_swap(__VA_ARGS__)
#define __sync_bool_compare_and_swap(...) rex_builtins::bool_swap(__VA_ARGS__)
#define __sync_lock_test_and_set(...) rex_builtins::lock_test_and_set(__VA_ARGS__)
#define __sync_lock_release(...) rex_builtins::lock_release(__VA_ARGS__)
#define __sync_synchronize(...) __threadfence()
#endif

#endif
