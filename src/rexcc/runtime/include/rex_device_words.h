// SPDX-License-Identifier: Apache-2.0
//
// What atomic operations are made of: an object seen as one word, compare-and-swap of words of 1 to 16 bytes, and
// update(x, next), which does x = next(x) atomically, whatever next is. GPUs before sm_90, and CUDA before version 13,
// cannot swap 16 bytes: there objects of that size are guarded by locks.
#ifndef REX_DEVICE_WORDS_H
#define REX_DEVICE_WORDS_H

#include "rex_device_core.h"
#include "rex_device_team.h"

namespace rex_detail {

__extension__ typedef unsigned __int128 word16;

template <int Size> struct word {
  static_assert(Size < 0, "atomics exist for types of 1, 2, 4, 8 and 16 bytes only");
};
template <> struct word<1> { using type = unsigned char; };
template <> struct word<2> { using type = unsigned short; };
template <> struct word<4> { using type = unsigned int; };
template <> struct word<8> { using type = unsigned long long; };
template <> struct word<16> { using type = word16; };
template <class T> using word_of = typename word<sizeof(T)>::type;

template <class To, class From> REX_DEVICE To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "same bits, other type");
  To to;
  __builtin_memcpy((void *)&to, &from, sizeof to);
  return to;
}

#ifdef __CUDACC__

// A GPU has no atomics on a thread's own variables (they trap); no other thread sees those.
REX_DEVICE bool is_own(const volatile void *x) { return __isLocal(const_cast<const void *>(x)); }

// CUDA has no compare-and-swap of one byte: it is done on the aligned word around it. That may be more than the object, so
// the compiler must not know whose word it is: it would take the word for another object.
REX_DEVICE unsigned char compare_and_swap(unsigned char *x, unsigned char expected, unsigned char desired) {
  unsigned long long address = (unsigned long long)x;
  asm volatile("" : "+l"(address) : : "memory");
  unsigned *around = (unsigned *)(address & ~3ull);
  unsigned shift = (unsigned)(address & 3) * 8;
  unsigned seen = *(volatile unsigned *)around;
  while ((unsigned char)(seen >> shift) == expected) {
    unsigned next = (seen & ~(0xffu << shift)) | (unsigned)desired << shift;
    unsigned before = atomicCAS(around, seen, next);
    if (before == seen) break;
    seen = before;
  }
  asm volatile("" : : : "memory");
  return (unsigned char)(seen >> shift);
}

#if __CUDACC_VER_MAJOR__ >= 13 && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
constexpr size_t widest_word = 16;
#else
constexpr size_t widest_word = 8;
REX_DEVICE word16 compare_and_swap(word16 *, word16, word16) { return 0; } // never called
#endif

#else

REX_DEVICE bool is_own(const volatile void *) { return false; }

#ifdef __x86_64__
constexpr size_t widest_word = 16;
// (inlined into other functions it would lose the attribute, and clang would want libatomic)
__attribute__((target("cx16"), noinline, unused)) static word16 compare_and_swap(word16 *x, word16 expected, word16 desired) {
  return __sync_val_compare_and_swap(x, expected, desired);
}
#else
constexpr size_t widest_word = 8;
REX_DEVICE word16 compare_and_swap(word16 *, word16, word16) { return 0; } // never called
#endif

#endif

template <class Word> REX_DEVICE Word compare_and_swap(Word *x, Word expected, Word desired) {
  return atomicCAS(x, expected, desired);
}

template <class T> constexpr bool needs_lock = sizeof(T) > widest_word;

// Relaxed loads and stores; 16 bytes have none.
template <class T> REX_DEVICE word_of<T> load(T *x) {
  using Word = word_of<T>;
  typedef Word Alias __attribute__((may_alias));
  if constexpr (sizeof(T) == 16) return compare_and_swap((Word *)x, (Word)0, (Word)0);
#ifdef __CUDACC__
  else return *(const volatile Alias *)x;
#else
  else return __atomic_load_n((const Alias *)x, __ATOMIC_RELAXED);
#endif
}
template <class T> REX_DEVICE void store(T *x, T value) {
  using Word = word_of<T>;
  typedef Word Alias __attribute__((may_alias));
#ifdef __CUDACC__
  *(volatile Alias *)x = bit_cast<Word>(value);
#else
  __atomic_store_n((Alias *)x, bit_cast<Word>(value), __ATOMIC_RELAXED);
#endif
}

// What an operation found in x and what it left there.
template <class T> struct change {
  T old, now;
};

REX_DEVICE unsigned *lock_of(const void *x) {
  static unsigned locks[64];
  return &locks[(unsigned long long)x / 16 % 64];
}

template <class T, class Next> REX_DEVICE change<T> update_under_lock(T *x, Next next) {
  typedef unsigned long long Half __attribute__((may_alias));
  change<T> made;
  unsigned *lock = lock_of(x);
  volatile Half *halves = (volatile Half *)x;
  for (bool done = false; !done; rex_pause())
    if (rex_try_lock(lock)) {
      unsigned long long bits[2] = {halves[0], halves[1]};
      __builtin_memcpy(&made.old, bits, sizeof bits);
      made.now = next(made.old);
      __builtin_memcpy(bits, &made.now, sizeof bits);
      for (int i = 0; i < 2; i++) halves[i] = bits[i];
      rex_unlock(lock);
      done = true;
    }
  return made;
}

// x = next(x). Does not write when nothing would change: min and max seldom do.
template <class T, class Next> REX_DEVICE change<T> update(T *x, Next next) {
  using Word = word_of<T>;
  if (is_own(x)) {
    change<T> made = {*x, next(*x)};
    *x = made.now;
    return made;
  }
  if constexpr (needs_lock<T>) {
    return update_under_lock(x, next);
  } else {
    Word seen = load(x);
    for (;;) {
      T old = bit_cast<T>(seen), now = next(old);
      Word desired = bit_cast<Word>(now);
      Word before = desired == seen ? seen : compare_and_swap((Word *)x, seen, desired);
      if (before == seen) return {old, now};
      seen = before;
    }
  }
}

} // namespace rex_detail

#endif
