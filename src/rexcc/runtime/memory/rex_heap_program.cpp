// SPDX-License-Identifier: Apache-2.0
#include "rex_heap_program.h"

#include "rex_heap_callers.h"
#include "rex_heap_children.h"
#include "rex_heap_blocks.h"
#include "rex_heap_source.h"

#include <cstdlib>

#ifndef REX_MEMORY_WANTED
#define REX_MEMORY_WANTED REX_MEMORY_MANAGED
#endif
#ifndef REX_MEMORY_FOR_REQUIRED
#define REX_MEMORY_FOR_REQUIRED 0
#endif

// The heap's free, which the program's calls reach unless the program has one of its own.
extern "C" void rex_free_here(void *block) __attribute__((visibility("hidden"), nothrow, leaf));

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

rex_program_memory memory = {REX_MEMORY_WANTED, REX_MEMORY_PLAIN, nullptr, REX_MEMORY_FOR_REQUIRED};
bool in_use;

void stop_in_child() { __atomic_store_n(&in_use, false, __ATOMIC_RELEASE); }

// A block that is freed elsewhere must not be ours.
bool frees_here() {
  void (*volatile used)(void *) = free;
  void *probe = take_block(1, 16);
  if (probe == nullptr) return false;
  bool here = used == rex_free_here;
  give_back(probe);
  return here;
}

void begin() {
  rex_memory_kind found = REX_MEMORY_PLAIN;
  memory.reason = start_source(memory.wanted, &found);
  if (found == REX_MEMORY_PLAIN) return;
  if (!frees_here()) {
    memory.reason = "the program has a 'free' of its own, or the driver gives no memory";
    return;
  }
  prepare_for_children(stop_in_child);
  memory.kind = found;
  __atomic_store_n(&in_use, true, __ATOMIC_RELEASE);
}

// Before constructors of the program's objects, of which some are in another order.
__attribute__((constructor(101))) void begin_early() { rex_program_memory_for(reinterpret_cast<const void *>(begin_early)); }

} // namespace

bool is_open() { return __atomic_load_n(&in_use, __ATOMIC_ACQUIRE); }
bool serves(const void *caller) { return is_open() && is_of_program(caller); }

} // namespace rex_memory

rex_program_memory *rex_program_memory_for(const void *code) {
  using namespace rex_memory;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  KeepErrno kept;
  pthread_once(&once, begin);
  add_code_of(code);
  return &memory;
}
