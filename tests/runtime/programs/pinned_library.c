// SPDX-License-Identifier: Apache-2.0
//
// A library with a runtime of its own that takes part in pinned.cpp.
#include <omp.h>

void *library_makes(size_t size, omp_allocator_handle_t allocator) { return omp_alloc(size, allocator); }
void library_frees(void *block, omp_allocator_handle_t allocator) { omp_free(block, allocator); }
