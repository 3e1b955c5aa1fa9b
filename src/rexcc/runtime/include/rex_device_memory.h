// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's allocators in a kernel. All memory is taken from the device's heap (on the CPU device: the host's), whatever
// the allocator's memory space; all threads can reach it, and it stays until it is freed.
//
// An allocator with traits needs no memory of its own: its handle says what matters, the alignment and whether a
// request that fails ends the program. Pools of limited size do not exist.
#ifndef REX_DEVICE_MEMORY_H
#define REX_DEVICE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "rex_device_core.h"
#include "rex_omp_types.h"

namespace rex_detail {

// Of the handles of rex_device_allocator.
REX_DEVICE bool has_traits(omp_allocator_handle_t allocator) {
  return allocator >= REX_WITH_TRAITS && allocator < REX_WITH_TRAITS + 128;
}
REX_DEVICE size_t alignment_of(omp_allocator_handle_t allocator) {
  return has_traits(allocator) ? (size_t)1 << (allocator - REX_WITH_TRAITS) / 2 : 1;
}
REX_DEVICE bool aborts(omp_allocator_handle_t allocator) { return has_traits(allocator) && (allocator & 1) != 0; }

// Stands in front of each piece of memory.
struct memory_header {
  void *start; // what malloc returned
  size_t size; // what the user asked for
};
static_assert(sizeof(memory_header) == 16, "16 is what malloc aligns to");

REX_DEVICE memory_header *header_of(void *memory) { return static_cast<memory_header *>(memory) - 1; }

REX_DEVICE void *no_memory(omp_allocator_handle_t allocator) {
  if (!aborts(allocator)) return nullptr;
#ifdef __CUDACC__
  __trap();
#else
  rex_host::fail("an allocator whose trait is omp_atv_abort_fb has no memory left");
#endif
  return nullptr;
}

} // namespace rex_detail

REX_DEVICE omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int count,
                                                     const omp_alloctrait_t traits[]) {
  return rex_device_allocator((size_t)count, traits);
}
REX_DEVICE void omp_destroy_allocator(omp_allocator_handle_t) {}
REX_DEVICE void omp_set_default_allocator(omp_allocator_handle_t) {}
REX_DEVICE omp_allocator_handle_t omp_get_default_allocator() { return omp_default_mem_alloc; }

REX_DEVICE void *omp_aligned_alloc(size_t alignment, size_t size,
                                   omp_allocator_handle_t allocator = omp_null_allocator) {
  using namespace rex_detail;
  if (size == 0) return nullptr;
  if (alignment < alignment_of(allocator)) alignment = alignment_of(allocator);
  size_t gap = alignment > sizeof(memory_header) ? alignment : sizeof(memory_header);
  char *start = size + gap > size ? static_cast<char *>(malloc(size + gap)) : nullptr;
  if (start == nullptr) return no_memory(allocator);
  // gap is a power of two and no less than what malloc aligns to, so there is room for the header below
  char *memory = start + (gap - (size_t)start % gap);
  *header_of(memory) = {start, size};
  return memory;
}
REX_DEVICE void *omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                                    omp_allocator_handle_t allocator = omp_null_allocator) {
  if (count == 0 || size == 0) return nullptr;
  if (count > (size_t)-1 / size) return rex_detail::no_memory(allocator);
  void *memory = omp_aligned_alloc(alignment, count * size, allocator);
  return memory == nullptr ? nullptr : memset(memory, 0, count * size);
}
REX_DEVICE void *omp_alloc(size_t size, omp_allocator_handle_t allocator = omp_null_allocator) {
  return omp_aligned_alloc(1, size, allocator);
}
REX_DEVICE void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator = omp_null_allocator) {
  return omp_aligned_calloc(1, count, size, allocator);
}

REX_DEVICE void omp_free(void *memory, omp_allocator_handle_t = omp_null_allocator) {
  if (memory != nullptr) free(rex_detail::header_of(memory)->start);
}
REX_DEVICE void *omp_realloc(void *memory, size_t size, omp_allocator_handle_t allocator = omp_null_allocator,
                             omp_allocator_handle_t free_allocator = omp_null_allocator) {
  void *fresh = omp_alloc(size, allocator);
  if (memory == nullptr || (fresh == nullptr && size > 0)) return fresh;
  size_t before = rex_detail::header_of(memory)->size;
  if (size > 0) memcpy(fresh, memory, size < before ? size : before);
  omp_free(memory, free_allocator);
  return fresh;
}

#endif
