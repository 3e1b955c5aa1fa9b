// SPDX-License-Identifier: Apache-2.0
//
// What C has and C++ has not: objects that compound literals make, assignments to and from volatile structures, and
// arithmetic on void *. Included by rex_nvidia.h for device files made from C (see lowering/c).
#ifndef REX_DEVICE_C_H
#define REX_DEVICE_C_H

// The object of a compound literal, and arrays that get values behind their declaration: elements that are constants to
// the program, too.
template <class T> struct rex_made {
  std::remove_cv_t<T> value;
};

template <class T> REX_DEVICE T &rex_make(rex_made<T> &to, const rex_made<T> &from) {
  __builtin_memcpy(static_cast<void *>(&to), static_cast<const void *>(&from), sizeof to);
  return to.value;
}

template <class T> REX_DEVICE void rex_set(T &to, const rex_made<T> &from) {
  __builtin_memcpy((void *)&to, (const void *)&from, sizeof to);
}

// Volatile structures, in words as large as their alignment.
template <int alignment> struct rex_word {
  typedef unsigned char type;
};
template <> struct rex_word<2> {
  typedef unsigned short __attribute__((may_alias)) type;
};
template <> struct rex_word<4> {
  typedef unsigned int __attribute__((may_alias)) type;
};
template <> struct rex_word<8> {
  typedef unsigned long long __attribute__((may_alias)) type;
};
template <> struct rex_word<16> {
  typedef unsigned long long __attribute__((may_alias)) type;
};

template <class T> REX_DEVICE std::remove_cv_t<T> rex_from_volatile(const volatile T &from) {
  typedef typename rex_word<alignof(T)>::type Word;
  union Object {
    std::remove_cv_t<T> value;
    Word words[sizeof(T) / sizeof(Word)];
    __device__ Object() {}
  } object;
  const volatile Word *words = reinterpret_cast<const volatile Word *>(&from);
  for (unsigned long i = 0; i < sizeof(T) / sizeof(Word); ++i) object.words[i] = words[i];
  return object.value;
}

template <class T, class From> REX_DEVICE T rex_to_volatile(volatile T &to, const From &from) {
  typedef typename rex_word<alignof(T)>::type Word;
  union Object {
    T value;
    Word words[sizeof(T) / sizeof(Word)];
    __device__ Object() {}
  } object;
  __builtin_memcpy(static_cast<void *>(&object.value), static_cast<const void *>(&from), sizeof(T));
  volatile Word *words = reinterpret_cast<volatile Word *>(&to);
  for (unsigned long i = 0; i < sizeof(T) / sizeof(Word); ++i) words[i] = object.words[i];
  return object.value;
}

// A member that is a volatile structure; its declaration lacks the qualifier, for C++ copies none such.
template <class T> REX_DEVICE volatile T &rex_volatile(T &object) { return object; }

// Pointers to bytes.
template <class P> REX_DEVICE P &rex_advance(P &pointer, long by) {
  return pointer = (P)((const volatile char *)pointer + by);
}
template <class P> REX_DEVICE P &rex_retreat(P &pointer, long by) { return rex_advance(pointer, -by); }
template <class P> REX_DEVICE P rex_advance_after(P &pointer, long by) {
  P before = pointer;
  rex_advance(pointer, by);
  return before;
}

#endif
