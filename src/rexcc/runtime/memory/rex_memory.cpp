// SPDX-License-Identifier: Apache-2.0
//
// A heap that the GPU shares, as one translation unit: what programs that are linked with --memory=managed or pinned have
// besides register_cubin.cpp, and those that require unified shared memory (docs/decisions/067-managed-memory.md).
//
// rex_heap_allocation.cpp has what programs call, _blocks and _pieces the blocks, _source the driver's memory, _callers and
// _program whose blocks are the heap's and from when on, _children what fork needs. Where there is no GPU, or one that
// reads all memory, everything is the C library's.
//
// REX_MEMORY_WANTED: the kind of memory; REX_MEMORY_FOR_REQUIRED: whether only 'requires unified_shared_memory' asks for it.
#include "rex_heap_allocation.cpp"
#include "rex_heap_callers.cpp"
#include "rex_heap_children.cpp"
#include "rex_heap_blocks.cpp"
#include "rex_heap_pieces.cpp"
#include "rex_heap_program.cpp"
#include "rex_heap_source.cpp"
