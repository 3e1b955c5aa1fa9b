// SPDX-License-Identifier: Apache-2.0
//
// Objects of a team whose class has constructors or a destructor. Shared memory has neither, so the user's `V v(3);` in
// code of the initial thread becomes
//
//   __shared__ rex_storage<V> __rex_storage_v;
//   rex_team_object<V> __rex_object_v(__rex_storage_v); V &v = __rex_object_v.value;
//   if (threadIdx.x == 0) { new (&v) V(3); } __syncthreads();
//
// executed by all threads of the block, like the end of the scope, where the first thread ends the object.
#ifndef REX_DEVICE_OBJECTS_H
#define REX_DEVICE_OBJECTS_H

#include <new>
#include <type_traits>

#include "rex_device_core.h"

template <class T> struct rex_storage {
  alignas(T) unsigned char bytes[sizeof(T)];
};

// A lambda's copy of the object whose method has made it (`[*this]`), in the place of the pointer: constant in the call
// operator, unless that is mutable, and where the method is.
template <class T> struct rex_copied_object {
  T object;
  __device__ T *operator->() { return __builtin_addressof(object); }
  __device__ const T *operator->() const { return __builtin_addressof(object); }
  __device__ T &operator*() { return object; }
  __device__ const T &operator*() const { return object; }
  __device__ operator T *() { return __builtin_addressof(object); }
  __device__ operator const T *() const { return __builtin_addressof(object); }
};

// A lambda's copy of an array of the team's, which its uses reach as they would the array.
template <class T> struct rex_copied_array {
  using element = typename std::remove_extent<T>::type;
  T elements;
  __device__ explicit rex_copied_array(const T &from) {
    __builtin_memcpy(static_cast<void *>(&elements), static_cast<const void *>(&from), sizeof elements);
  }
  __device__ operator element *() { return elements; }
  __device__ operator const element *() const { return elements; }
  __device__ element *begin() { return elements; }
  __device__ const element *begin() const { return elements; }
  __device__ element *end() { return elements + std::extent<T>::value; }
  __device__ const element *end() const { return elements + std::extent<T>::value; }
};

template <class T> REX_DEVICE rex_copied_array<T> rex_copy_of(const T &from) { return rex_copied_array<T>(from); }

// An object of the library's that is a variable of the host and has no members (`std::ignore`): nothing reads it.
template <class T> REX_DEVICE T &rex_empty_object() {
  static_assert(std::is_empty<T>::value, "rexcc: an object of the library has members");
  return *reinterpret_cast<T *>(const_cast<char *>(""));
}

namespace rex_detail {

template <class T> REX_DEVICE void end_object(T &object) {
  if constexpr (std::is_array<T>::value)
    for (size_t i = std::extent<T>::value; i > 0; i--) end_object(object[i - 1]);
  else
    object.~T();
}

} // namespace rex_detail

template <class T> struct rex_team_object {
  __device__ explicit rex_team_object(rex_storage<T> &storage) : value(*reinterpret_cast<T *>(storage.bytes)) {}
  __device__ ~rex_team_object() {
    __syncthreads(); // others may still be using it
    if constexpr (!std::is_trivially_destructible<T>::value) {
      if (threadIdx.x == 0) rex_detail::end_object(value);
      __syncthreads();
    }
  }
  rex_team_object(const rex_team_object &) = delete;
  rex_team_object &operator=(const rex_team_object &) = delete;

  T &value;
};

// Makes an object, or all elements of an array, as a declaration without a value does.
template <class T> REX_DEVICE void rex_make(T &object) {
  if constexpr (std::is_array<T>::value)
    for (auto &element : object) rex_make(element);
  else
    new (__builtin_addressof(object)) T;
}

// Makes it, or them, by the copy constructor.
template <class T> REX_DEVICE void rex_make_copy(T &object, const T &original) {
  if constexpr (std::is_array<T>::value)
    for (size_t i = 0; i < std::extent<T>::value; i++) rex_make_copy(object[i], original[i]);
  else
    new (__builtin_addressof(object)) T(original);
}

#endif
