// SPDX-License-Identifier: Apache-2.0
//
// The heap of the program, which begins before its objects are made: what its code allocates from then on is the heap's.
#ifndef REX_HEAP_PROGRAM_H
#define REX_HEAP_PROGRAM_H

#include "rex_heap.h"

namespace rex_memory REX_HEAP_HIDDEN {

// Whether there is a heap to take blocks from. Children of the program have none.
bool is_open();

// Whether a new block for this caller is the heap's.
bool serves(const void *caller);

} // namespace rex_memory

#endif
