// SPDX-License-Identifier: Apache-2.0
//
// The allocation of the C library and C++'s, for the whole process: a block may be freed by whoever has it, so all that
// free, resize or measure blocks are here. Who allocates decides what a new block is (rex_heap_callers.h).
#include "rex_heap_blocks.h"
#include "rex_heap_program.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
}

#define REX_ALLOCATION extern "C" __attribute__((visibility("default"), used, weak, noinline))
#define REX_CALLER __builtin_return_address(0)

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

void *out_of_memory() {
  errno = ENOMEM;
  return nullptr;
}

void *allocate(size_t size, size_t alignment, const void *caller) {
  if (!serves(caller)) return alignment > 16 ? __libc_memalign(alignment, size) : __libc_malloc(size);
  if (size > PTRDIFF_MAX) return out_of_memory();
  void *block = take_block(size, alignment);
  return block != nullptr ? block : out_of_memory();
}

void *zeroed(size_t count, size_t size, const void *caller) {
  if (!serves(caller)) return __libc_calloc(count, size);
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return out_of_memory();
  void *block = allocate(bytes, 16, caller);
  return block != nullptr ? memset(block, 0, bytes) : nullptr;
}

// A block of the heap stays one, whoever resizes it. What grows again and again gets more each time.
void *resized(void *block, size_t size, const void *caller) {
  if (block == nullptr) return allocate(size, 16, caller);
  if (!is_in_heap(block)) return __libc_realloc(block, size);
  if (size == 0) return give_back(block), nullptr;
  if (size > PTRDIFF_MAX) return out_of_memory();
  if (resized_in_place(block, size)) return block;
  constexpr size_t large = size_t(1) << 20;
  size_t before = size_of(block), wanted = size > before && before > large ? size + size / 8 : size;
  void *moved = is_open() ? take_block(wanted, 16) : __libc_malloc(size);
  if (moved == nullptr && wanted > size && is_open()) moved = take_block(size, 16);
  if (moved == nullptr) return out_of_memory();
  memcpy(moved, block, before < size ? before : size);
  give_back(block);
  return moved;
}

void *aligned(size_t alignment, size_t size, const void *caller) {
  if (!serves(caller)) return __libc_memalign(alignment, size);
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return nullptr;
  }
  return allocate(size, alignment, caller);
}

// As new does it: its handler may find memory.
void *made(size_t size, size_t alignment, const void *caller) {
  for (;;) {
    void *block = allocate(size > 0 ? size : 1, alignment, caller);
    if (block != nullptr) return block;
    std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void *made_or_null(size_t size, size_t alignment, const void *caller) noexcept {
  try {
    return made(size, alignment, caller);
  } catch (...) {
    return nullptr;
  }
}

size_t page() { return static_cast<size_t>(getpagesize()); }

} // namespace

} // namespace rex_memory

using namespace rex_memory;

REX_ALLOCATION void *malloc(size_t size) noexcept { return allocate(size, 16, REX_CALLER); }
REX_ALLOCATION void *calloc(size_t count, size_t size) noexcept { return zeroed(count, size, REX_CALLER); }
REX_ALLOCATION void *realloc(void *block, size_t size) noexcept { return resized(block, size, REX_CALLER); }
REX_ALLOCATION void *reallocarray(void *block, size_t count, size_t size) noexcept {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? out_of_memory() : resized(block, bytes, REX_CALLER);
}
REX_ALLOCATION void free(void *block) noexcept {
  if (is_in_heap(block)) give_back(block);
  else __libc_free(block);
}
extern "C" void rex_free_here(void *block) __attribute__((alias("free"), visibility("hidden"), nothrow, leaf));
REX_ALLOCATION void *memalign(size_t alignment, size_t size) noexcept { return aligned(alignment, size, REX_CALLER); }
REX_ALLOCATION void *aligned_alloc(size_t alignment, size_t size) noexcept { return aligned(alignment, size, REX_CALLER); }
REX_ALLOCATION int posix_memalign(void **block, size_t alignment, size_t size) noexcept {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  KeepErrno kept;
  void *found = allocate(size, alignment, REX_CALLER);
  if (found == nullptr) return ENOMEM;
  *block = found;
  return 0;
}
REX_ALLOCATION void *valloc(size_t size) noexcept { return aligned(page(), size, REX_CALLER); }
REX_ALLOCATION void *pvalloc(size_t size) noexcept {
  return size > SIZE_MAX - page() ? out_of_memory() : aligned(page(), (size + page() - 1) / page() * page(), REX_CALLER);
}
REX_ALLOCATION size_t malloc_usable_size(void *block) noexcept {
  using Question = size_t(void *);
  static auto *const theirs = reinterpret_cast<Question *>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  if (block == nullptr) return 0;
  return is_in_heap(block) ? size_of(block) : theirs != nullptr ? theirs(block) : 0;
}

#undef REX_ALLOCATION
#define REX_ALLOCATION __attribute__((visibility("default"), used, weak, noinline))

REX_ALLOCATION void *operator new(size_t size) { return made(size, 16, REX_CALLER); }
REX_ALLOCATION void *operator new[](size_t size) { return made(size, 16, REX_CALLER); }
REX_ALLOCATION void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return made_or_null(size, 16, REX_CALLER);
}
REX_ALLOCATION void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return made_or_null(size, 16, REX_CALLER);
}
REX_ALLOCATION void *operator new(size_t size, std::align_val_t alignment) {
  return made(size, static_cast<size_t>(alignment), REX_CALLER);
}
REX_ALLOCATION void *operator new[](size_t size, std::align_val_t alignment) {
  return made(size, static_cast<size_t>(alignment), REX_CALLER);
}
REX_ALLOCATION void *operator new(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return made_or_null(size, static_cast<size_t>(alignment), REX_CALLER);
}
REX_ALLOCATION void *operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return made_or_null(size, static_cast<size_t>(alignment), REX_CALLER);
}
REX_ALLOCATION void operator delete(void *block) noexcept { free(block); }
REX_ALLOCATION void operator delete[](void *block) noexcept { free(block); }
REX_ALLOCATION void operator delete(void *block, size_t) noexcept { free(block); }
REX_ALLOCATION void operator delete[](void *block, size_t) noexcept { free(block); }
REX_ALLOCATION void operator delete(void *block, const std::nothrow_t &) noexcept { free(block); }
REX_ALLOCATION void operator delete[](void *block, const std::nothrow_t &) noexcept { free(block); }
REX_ALLOCATION void operator delete(void *block, std::align_val_t) noexcept { free(block); }
REX_ALLOCATION void operator delete[](void *block, std::align_val_t) noexcept { free(block); }
REX_ALLOCATION void operator delete(void *block, size_t, std::align_val_t) noexcept { free(block); }
REX_ALLOCATION void operator delete[](void *block, size_t, std::align_val_t) noexcept { free(block); }
REX_ALLOCATION void operator delete(void *block, std::align_val_t, const std::nothrow_t &) noexcept { free(block); }
REX_ALLOCATION void operator delete[](void *block, std::align_val_t, const std::nothrow_t &) noexcept { free(block); }
