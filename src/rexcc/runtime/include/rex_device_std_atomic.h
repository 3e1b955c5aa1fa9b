// SPDX-License-Identifier: Apache-2.0
//
// std::atomic, std::atomic_ref and std::atomic_flag in device code. The functions of the host's <atomic> are the host's
// alone for nvcc, so in GPU code other classes stand for its, under their names: the same layout and interface, but for
// waiting, and the operations of rex_device_builtin_atomics.h, whose fences are the device's. The CPU device has the
// host's. Included behind all others.
#ifndef REX_DEVICE_STD_ATOMIC_H
#define REX_DEVICE_STD_ATOMIC_H

#include <atomic>
#ifdef __CUDACC__

#include <cstddef>
#include <cstdint>

#include "rex_device_builtin_atomics.h"

namespace std {

// What both classes do with an object of type T; the host's compiler has checked who may do that.
template <class Self, class T> class __rex_atomic_operations {
public:
  typedef T value_type;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;

  __device__ bool is_lock_free() const volatile { return is_always_lock_free; }
  __device__ T load(memory_order order = memory_order_seq_cst) const volatile { return rex_builtins::load(at(), (int)order); }
  __device__ operator T() const volatile { return load(); }
  __device__ void store(T v, memory_order order = memory_order_seq_cst) const volatile { rex_builtins::store(at(), v, (int)order); }
  __device__ T exchange(T v, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::exchange(at(), v, (int)order);
  }
  __device__ bool compare_exchange_strong(T &expected, T desired, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::compare_exchange_n(at(), &expected, desired, false, (int)order, (int)order);
  }
  __device__ bool compare_exchange_strong(T &expected, T desired, memory_order one, memory_order other) const volatile {
    return rex_builtins::compare_exchange_n(at(), &expected, desired, false, (int)one, (int)other);
  }
  __device__ bool compare_exchange_weak(T &expected, T desired, memory_order order = memory_order_seq_cst) const volatile {
    return compare_exchange_strong(expected, desired, order);
  }
  __device__ bool compare_exchange_weak(T &expected, T desired, memory_order one, memory_order other) const volatile {
    return compare_exchange_strong(expected, desired, one, other);
  }

  // Pointers count elements here, bytes in the built-ins.
  template <class V> __device__ T fetch_add(V v, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::fetch_add(at(), counted(v), (int)order);
  }
  template <class V> __device__ T fetch_sub(V v, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::fetch_sub(at(), counted(v), (int)order);
  }
  __device__ T fetch_and(T v, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::fetch_and(at(), v, (int)order);
  }
  __device__ T fetch_or(T v, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::fetch_or(at(), v, (int)order);
  }
  __device__ T fetch_xor(T v, memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::fetch_xor(at(), v, (int)order);
  }

  __device__ T operator++() const volatile { return rex_builtins::add_fetch(at(), counted(1), __ATOMIC_SEQ_CST); }
  __device__ T operator--() const volatile { return rex_builtins::sub_fetch(at(), counted(1), __ATOMIC_SEQ_CST); }
  __device__ T operator++(int) const volatile { return fetch_add(1); }
  __device__ T operator--(int) const volatile { return fetch_sub(1); }
  template <class V> __device__ T operator+=(V v) const volatile {
    return rex_builtins::add_fetch(at(), counted(v), __ATOMIC_SEQ_CST);
  }
  template <class V> __device__ T operator-=(V v) const volatile {
    return rex_builtins::sub_fetch(at(), counted(v), __ATOMIC_SEQ_CST);
  }
  __device__ T operator&=(T v) const volatile { return rex_builtins::and_fetch(at(), v, __ATOMIC_SEQ_CST); }
  __device__ T operator|=(T v) const volatile { return rex_builtins::or_fetch(at(), v, __ATOMIC_SEQ_CST); }
  __device__ T operator^=(T v) const volatile { return rex_builtins::xor_fetch(at(), v, __ATOMIC_SEQ_CST); }

private:
  __device__ volatile T *at() const volatile { return static_cast<const volatile Self *>(this)->__rex_object(); }
  template <class V> static __device__ auto counted(V v) {
    if constexpr (std::is_pointer<T>::value) return (std::ptrdiff_t)v * (std::ptrdiff_t)sizeof(typename std::remove_pointer<T>::type);
    else return (T)v;
  }
};

constexpr std::size_t __rex_atomic_alignment(std::size_t size, std::size_t least) {
  return (size == 1 || size == 2 || size == 4 || size == 8 || size == 16) && size > least ? size : least;
}

template <class T> class __rex_atomic : public __rex_atomic_operations<__rex_atomic<T>, T> {
public:
#if __cplusplus > 201703L
  constexpr __host__ __device__ __rex_atomic() noexcept : object() {}
#else
  __rex_atomic() noexcept = default;
#endif
  constexpr __host__ __device__ __rex_atomic(T v) noexcept : object(v) {}
  __rex_atomic(const __rex_atomic &) = delete;
  __rex_atomic &operator=(const __rex_atomic &) = delete;
  __device__ T operator=(T v) const volatile { return this->store(v), v; }
  __device__ volatile T *__rex_object() const volatile { return const_cast<volatile T *>(&object); }

private:
  alignas(__rex_atomic_alignment(sizeof(T), alignof(T))) T object;
};

template <class T> class __rex_atomic_ref : public __rex_atomic_operations<__rex_atomic_ref<T>, T> {
public:
  static constexpr std::size_t required_alignment = __rex_atomic_alignment(sizeof(T), alignof(T));
  explicit __device__ __rex_atomic_ref(T &x) : object(&x) {}
  __rex_atomic_ref(const __rex_atomic_ref &) = default;
  __rex_atomic_ref &operator=(const __rex_atomic_ref &) = delete;
  __device__ T operator=(T v) const volatile { return this->store(v), v; }
  __device__ volatile T *__rex_object() const volatile { return object; }

private:
  T *object;
};

class __rex_atomic_flag {
public:
  __rex_atomic_flag() noexcept = default;
  constexpr __host__ __device__ __rex_atomic_flag(bool v) noexcept : object(v) {}
  __rex_atomic_flag(const __rex_atomic_flag &) = delete;
  __rex_atomic_flag &operator=(const __rex_atomic_flag &) = delete;
  __device__ bool test_and_set(memory_order order = memory_order_seq_cst) volatile {
    return rex_builtins::exchange(&object, (unsigned char)1, (int)order);
  }
  __device__ void clear(memory_order order = memory_order_seq_cst) volatile {
    rex_builtins::store(&object, (unsigned char)0, (int)order);
  }
  __device__ bool test(memory_order order = memory_order_seq_cst) const volatile {
    return rex_builtins::load(&object, (int)order);
  }

private:
  unsigned char object = 0;
};

template <class T> using __rex_atomic_argument = typename std::common_type<T>::type; // not deduced
template <class T> using __rex_atomic_difference = typename std::conditional<std::is_pointer<T>::value, std::ptrdiff_t, T>::type;

#define REX_ATOMIC_LOADING(name, ...)                                                                                  \
  template <class T> REX_DEVICE T name(const volatile __rex_atomic<T> *x __VA_ARGS__)
#define REX_ATOMIC_CHANGING(result, name, method, V)                                                                   \
  template <class T> REX_DEVICE result atomic_##name(volatile __rex_atomic<T> *x, V v) { return x->method(v); }        \
  template <class T> REX_DEVICE result atomic_##name##_explicit(volatile __rex_atomic<T> *x, V v, memory_order order) { \
    return x->method(v, order);                                                                                        \
  }
REX_ATOMIC_LOADING(atomic_load) { return x->load(); }
REX_ATOMIC_LOADING(atomic_load_explicit, , memory_order order) { return x->load(order); }
REX_ATOMIC_CHANGING(void, store, store, __rex_atomic_argument<T>)
REX_ATOMIC_CHANGING(T, exchange, exchange, __rex_atomic_argument<T>)
REX_ATOMIC_CHANGING(T, fetch_add, fetch_add, __rex_atomic_difference<T>)
REX_ATOMIC_CHANGING(T, fetch_sub, fetch_sub, __rex_atomic_difference<T>)
REX_ATOMIC_CHANGING(T, fetch_and, fetch_and, __rex_atomic_argument<T>)
REX_ATOMIC_CHANGING(T, fetch_or, fetch_or, __rex_atomic_argument<T>)
REX_ATOMIC_CHANGING(T, fetch_xor, fetch_xor, __rex_atomic_argument<T>)
#undef REX_ATOMIC_CHANGING
#undef REX_ATOMIC_LOADING

#define REX_ATOMIC_SWAP(name)                                                                                          \
  template <class T>                                                                                                   \
  REX_DEVICE bool atomic_##name(volatile __rex_atomic<T> *x, __rex_atomic_argument<T> *expected, __rex_atomic_argument<T> v) { \
    return x->name(*expected, v);                                                                                      \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  REX_DEVICE bool atomic_##name##_explicit(volatile __rex_atomic<T> *x, __rex_atomic_argument<T> *expected,            \
                                           __rex_atomic_argument<T> v, memory_order one, memory_order other) {         \
    return x->name(*expected, v, one, other);                                                                          \
  }
REX_ATOMIC_SWAP(compare_exchange_strong)
REX_ATOMIC_SWAP(compare_exchange_weak)
#undef REX_ATOMIC_SWAP

REX_DEVICE void __rex_atomic_thread_fence(memory_order order) { rex_builtins::fence((int)order); }

typedef __rex_atomic<bool> __rex_atomic_bool;
typedef __rex_atomic<char> __rex_atomic_char;
typedef __rex_atomic<signed char> __rex_atomic_schar;
typedef __rex_atomic<unsigned char> __rex_atomic_uchar;
typedef __rex_atomic<short> __rex_atomic_short;
typedef __rex_atomic<unsigned short> __rex_atomic_ushort;
typedef __rex_atomic<int> __rex_atomic_int;
typedef __rex_atomic<unsigned int> __rex_atomic_uint;
typedef __rex_atomic<long> __rex_atomic_long;
typedef __rex_atomic<unsigned long> __rex_atomic_ulong;
typedef __rex_atomic<long long> __rex_atomic_llong;
typedef __rex_atomic<unsigned long long> __rex_atomic_ullong;
typedef __rex_atomic<std::int32_t> __rex_atomic_int32_t;
typedef __rex_atomic<std::uint32_t> __rex_atomic_uint32_t;
typedef __rex_atomic<std::int64_t> __rex_atomic_int64_t;
typedef __rex_atomic<std::uint64_t> __rex_atomic_uint64_t;
typedef __rex_atomic<std::size_t> __rex_atomic_size_t;
typedef __rex_atomic<std::ptrdiff_t> __rex_atomic_ptrdiff_t;

} // namespace std

#define atomic __rex_atomic
#define atomic_ref __rex_atomic_ref
#define atomic_flag __rex_atomic_flag
#define atomic_thread_fence __rex_atomic_thread_fence
#define atomic_bool __rex_atomic_bool
#define atomic_char __rex_atomic_char
#define atomic_schar __rex_atomic_schar
#define atomic_uchar __rex_atomic_uchar
#define atomic_short __rex_atomic_short
#define atomic_ushort __rex_atomic_ushort
#define atomic_int __rex_atomic_int
#define atomic_uint __rex_atomic_uint
#define atomic_long __rex_atomic_long
#define atomic_ulong __rex_atomic_ulong
#define atomic_llong __rex_atomic_llong
#define atomic_ullong __rex_atomic_ullong
#define atomic_int32_t __rex_atomic_int32_t
#define atomic_uint32_t __rex_atomic_uint32_t
#define atomic_int64_t __rex_atomic_int64_t
#define atomic_uint64_t __rex_atomic_uint64_t
#define atomic_size_t __rex_atomic_size_t
#define atomic_ptrdiff_t __rex_atomic_ptrdiff_t
#endif

#endif
