// SPDX-License-Identifier: Apache-2.0
//
// Children that fork makes. They do not get the driver's memory: what was in the heap is copied for them.
#ifndef REX_HEAP_CHILDREN_H
#define REX_HEAP_CHILDREN_H

#include "rex_heap.h"

namespace rex_memory REX_HEAP_HIDDEN {

// Once the heap has begun. `in_child` is called in each child: the driver cannot be asked there.
void prepare_for_children(void (*in_child)());

} // namespace rex_memory

#endif
