// SPDX-License-Identifier: Apache-2.0
//
// The blocks of the heap: who has allocated each, the host, libomptarget for a device, or a kernel. There is room between
// blocks that belongs to none, so that an access beside one does not find another.
#ifndef REX_CHECK_MEMORY_H
#define REX_CHECK_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <new>

#define REX_CHECK_HIDDEN __attribute__((visibility("hidden")))
#define REX_CHECK_OF_THREAD __attribute__((tls_model("initial-exec"))) __thread
#define REX_CHECK_INTERFACE extern "C" __attribute__((visibility("default"), used))

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

namespace rex_check REX_CHECK_HIDDEN {

// How deep the thread is in code of the checking runtime: what that reads and allocates is not looked at.
extern REX_CHECK_OF_THREAD int inside;
class Inside {
public:
  Inside() { inside++; }
  ~Inside() { inside--; }
  Inside(const Inside &) = delete;
};

// All state that threads have in common is under this lock, which its holder may take again.
class Locked {
public:
  Locked();
  ~Locked();
  Locked(const Locked &) = delete;
};

enum class Owner : uint8_t { host, device, kernel };
struct Block {
  uintptr_t begin;
  size_t size;
  char *raw;
  size_t room; // before and behind it
  Owner owner;
};

// How often the list of blocks has changed.
unsigned changes_of_blocks();

// The block at an address or, with `beside`, the one whose room the address is in; null where there is none.
const Block *block_at(uintptr_t address, bool beside);

// Whose the next blocks of this thread are.
extern REX_CHECK_OF_THREAD Owner allocates_for;

// For containers of the checking runtime.
template <class T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U> Allocator(const Allocator<U> &) {}
  T *allocate(size_t count) { return static_cast<T *>(__libc_malloc(count * sizeof(T))); }
  void deallocate(T *place, size_t) { __libc_free(place); }
  template <class U> bool operator==(const Allocator<U> &) const { return true; }
  template <class U> bool operator!=(const Allocator<U> &) const { return false; }
};

// An object that is made at its first use and never destroyed: programs read and allocate until their very end.
template <class T> T &lasting() {
  alignas(T) static char room[sizeof(T)];
  static T *made = new (room) T;
  return *made;
}

// Pages of zeros that take memory when they are touched.
void *zeros(size_t bytes);
void give_zeros_back(void *place, size_t bytes);

// The same for what may be old: what was given back is used again as it is, for new pages take most of the time.
void *old_or_zeros(size_t bytes);
void give_old_back(void *place, size_t bytes);

} // namespace rex_check

#endif
