// SPDX-License-Identifier: Apache-2.0
//
// Where the heap's memory comes from: the NVIDIA driver, which gives managed or pinned memory.
#ifndef REX_HEAP_SOURCE_H
#define REX_HEAP_SOURCE_H

#include "rex_heap.h"

#include "rex_program_memory.h"

namespace rex_memory REX_HEAP_HIDDEN {

// Starts the driver and finds out whether it can give memory of that kind. The reason why not; null where nothing is to be
// said: there is no GPU, or it reads all memory.
const char *start_source(rex_memory_kind wanted, rex_memory_kind *found);

// Memory that begins at a multiple of an alignment, which is at least a granule; its beginning is null where there is no
// more. `raw` is what goes back.
struct Taken {
  char *begin;
  void *raw;
};
Taken take_from_source(size_t size, size_t alignment);
void give_to_source(void *raw);

} // namespace rex_memory

#endif
