// SPDX-License-Identifier: Apache-2.0
//
// What a program's heap that the GPU shares (runtime/memory) and the runtime of its link units know of each other. The
// program has that heap if it was linked with it; link units find it by one name.
#ifndef REX_PROGRAM_MEMORY_H
#define REX_PROGRAM_MEMORY_H

enum rex_memory_kind { REX_MEMORY_PLAIN, REX_MEMORY_MANAGED, REX_MEMORY_PINNED };

struct rex_program_memory {
  enum rex_memory_kind wanted; // what the program was linked with
  enum rex_memory_kind kind;   // what the heap is made of, once it has begun
  const char *reason;          // why that is not what was wanted; null where nothing is to be said
  int is_for_required_only;    // nobody asked for it but 'requires unified_shared_memory'
};

#ifdef __cplusplus
extern "C" {
#endif

// Starts the heap, once, and adds the code of the object that holds an address to the code whose memory is the heap's.
struct rex_program_memory *rex_program_memory_for(const void *code) __attribute__((__weak__, __visibility__("default")));

#ifdef __cplusplus
}
#endif

#endif
