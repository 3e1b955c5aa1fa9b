// SPDX-License-Identifier: Apache-2.0
//
// Elements that stand side by side and that a thread loads or stores together (lowering/cleanups/neighbours.py): a GPU
// takes 16 or 8 bytes with one instruction where the address is a multiple of that. Mapped memory begins so, but
// sections and rows need not. `aligned` is an address that is such a multiple if and only if the elements' is; it changes
// less often, so the compiler asks for it in front of a loop. `most`: neighbouring threads have addresses that are so many
// bytes apart, so pieces are no larger, and all threads of a warp find the same answer. Included by rex_nvidia.h, for nvcc
// and for the CPU device alike.
#ifndef REX_DEVICE_NEIGHBOURS_H
#define REX_DEVICE_NEIGHBOURS_H

#ifdef __CUDACC__
template <int bytes, int most>
using rex_piece = typename std::conditional<bytes % 16 == 0 && most % 16 == 0, uint4, uint2>::type;

template <int most = 16, class T, int count>
REX_DEVICE void rex_load_neighbours(T (&to)[count], const T *from, const void *aligned) {
  typedef rex_piece<count * (int)sizeof(T), most> piece;
  if ((unsigned long long)aligned % sizeof(piece) == 0) {
#pragma unroll
    for (unsigned at = 0; at < sizeof to; at += sizeof(piece)) {
      piece loaded = *(const piece *)((const char *)from + at);
      __builtin_memcpy((char *)to + at, &loaded, sizeof loaded);
    }
  } else {
#pragma unroll
    for (int k = 0; k < count; k++) to[k] = from[k];
  }
}
template <int most = 16, class T, int count>
REX_DEVICE void rex_store_neighbours(T *to, const T (&from)[count], const void *aligned) {
  typedef rex_piece<count * (int)sizeof(T), most> piece;
  if ((unsigned long long)aligned % sizeof(piece) == 0) {
#pragma unroll
    for (unsigned at = 0; at < sizeof from; at += sizeof(piece)) {
      piece stored;
      __builtin_memcpy(&stored, (const char *)from + at, sizeof stored);
      *(piece *)((char *)to + at) = stored;
    }
  } else {
#pragma unroll
    for (int k = 0; k < count; k++) to[k] = from[k];
  }
}

// The same of elements whose address is a multiple of ``bytes`` by their type.
template <int bytes>
using rex_known_piece =
    typename std::conditional<bytes == 16, uint4, typename std::conditional<bytes == 8, uint2, unsigned>::type>::type;

template <int bytes, class T, int count> REX_DEVICE void rex_load_words(T (&to)[count], const T *from) {
  typedef rex_known_piece<bytes> word;
#pragma unroll
  for (unsigned at = 0; at < sizeof to; at += sizeof(word)) {
    word loaded = *(const word *)((const char *)from + at);
    __builtin_memcpy((char *)to + at, &loaded, sizeof loaded);
  }
}
template <int bytes, class T, int count> REX_DEVICE void rex_store_words(T *to, const T (&from)[count]) {
  typedef rex_known_piece<bytes> word;
#pragma unroll
  for (unsigned at = 0; at < sizeof from; at += sizeof(word)) {
    word stored;
    __builtin_memcpy(&stored, (const char *)from + at, sizeof stored);
    *(word *)((char *)to + at) = stored;
  }
}
#else
template <int, class T, int count> REX_DEVICE void rex_load_words(T (&to)[count], const T *from) {
  for (int k = 0; k < count; k++) to[k] = from[k];
}
template <int, class T, int count> REX_DEVICE void rex_store_words(T *to, const T (&from)[count]) {
  for (int k = 0; k < count; k++) to[k] = from[k];
}
template <int = 16, class T, int count>
REX_DEVICE void rex_load_neighbours(T (&to)[count], const T *from, const void *) {
  for (int k = 0; k < count; k++) to[k] = from[k];
}
template <int = 16, class T, int count>
REX_DEVICE void rex_store_neighbours(T *to, const T (&from)[count], const void *) {
  for (int k = 0; k < count; k++) to[k] = from[k];
}
#endif

template <int most = 16, class T, int count> REX_DEVICE void rex_load_neighbours(T (&to)[count], const T *from) {
  rex_load_neighbours<most>(to, from, from);
}
template <int most = 16, class T, int count> REX_DEVICE void rex_store_neighbours(T *to, const T (&from)[count]) {
  rex_store_neighbours<most>(to, from, to);
}

// What an address is beyond a multiple of `bytes`, and one that is such a multiple, which the compiler is told: loads and
// stores side by side become one (lowering/arguments/aligned_pointers.py). The CPU device has its code once.
#ifdef __CUDACC__
template <int bytes> REX_DEVICE unsigned long long rex_beyond(const volatile void *p) {
  return (unsigned long long)p % bytes;
}
template <int bytes, class T> REX_DEVICE T *rex_at(T *p) { return (T *)__builtin_assume_aligned(p, bytes); }
#else
template <int> REX_DEVICE unsigned long long rex_beyond(const volatile void *) { return 1; }
template <int, class T> REX_DEVICE T *rex_at(T *p) { return p; }
#endif

// Values that are there from here on, loads among them (lowering/cleanups/early_loads.py): the compiler would load behind
// a division what is needed behind it.
#ifdef __CUDACC__
namespace rex_detail {

REX_DEVICE void is_needed(float value) { asm volatile("" ::"f"(value)); }
REX_DEVICE void is_needed(double value) { asm volatile("" ::"d"(value)); }
REX_DEVICE void is_needed(int value) { asm volatile("" ::"r"(value)); }
REX_DEVICE void is_needed(unsigned value) { asm volatile("" ::"r"(value)); }
REX_DEVICE void is_needed(long value) { asm volatile("" ::"l"(value)); }
REX_DEVICE void is_needed(unsigned long value) { asm volatile("" ::"l"(value)); }
REX_DEVICE void is_needed(long long value) { asm volatile("" ::"l"(value)); }
REX_DEVICE void is_needed(unsigned long long value) { asm volatile("" ::"l"(value)); }

} // namespace rex_detail

template <class... T> REX_DEVICE void rex_loaded(T... values) { (rex_detail::is_needed(values), ...); }
#else
template <class... T> REX_DEVICE void rex_loaded(T...) {}
#endif

#endif
