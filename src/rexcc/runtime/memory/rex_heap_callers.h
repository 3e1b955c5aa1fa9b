// SPDX-License-Identifier: Apache-2.0
//
// Whose allocations are the heap's: those of code that the program was linked of, and of libraries with target regions. The
// driver, libomptarget, MPI and others keep to memory that the operating system knows as its own.
#ifndef REX_HEAP_CALLERS_H
#define REX_HEAP_CALLERS_H

#include "rex_heap.h"

namespace rex_memory REX_HEAP_HIDDEN {

// Adds the code of the object that holds an address.
void add_code_of(const void *address);

bool is_of_program(const void *caller);

} // namespace rex_memory

#endif
