// SPDX-License-Identifier: Apache-2.0
//
// A heap of memory that the GPU shares. Small blocks are of a few sizes, and lie in granules with blocks of one size each;
// large blocks are pieces of their own. Some large ones are kept when they are freed, for the driver takes long to make one.
#ifndef REX_HEAP_BLOCKS_H
#define REX_HEAP_BLOCKS_H

#include "rex_heap.h"

namespace rex_memory REX_HEAP_HIDDEN {

// A block of at least that size, at a multiple of the alignment, which is a power of two; null where there is no memory.
void *take_block(size_t size, size_t alignment);

// Of a block of the heap: gives it back; how many bytes it has.
void give_back(void *block);
size_t size_of(const void *block);

// Whether an address is in the heap.
bool is_in_heap(const void *address);

// Whether the block may become so large, or so small, where it is. It does so then.
bool resized_in_place(void *block, size_t size);

// All locks of the heap, for a fork.
void lock_heap();
void unlock_heap();

// In a child, which must not call the driver.
void keep_all_blocks();

} // namespace rex_memory

#endif
