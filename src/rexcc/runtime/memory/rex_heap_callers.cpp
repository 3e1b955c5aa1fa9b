// SPDX-License-Identifier: Apache-2.0
#include "rex_heap_callers.h"

#include <link.h>

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

struct Range {
  uintptr_t begin, end;
};
constexpr int kMost = 256;
Range ranges[kMost];
int count;
pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

void add(const Range &range) {
  for (int i = 0; i < count; i++)
    if (ranges[i].begin == range.begin) return;
  if (count == kMost) return;
  ranges[count] = range;
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
}

Range segment(const dl_phdr_info &object, int number) {
  uintptr_t begin = object.dlpi_addr + object.dlpi_phdr[number].p_vaddr;
  return {begin, begin + object.dlpi_phdr[number].p_memsz};
}

int add_object(dl_phdr_info *object, size_t, void *asked) {
  auto address = reinterpret_cast<uintptr_t>(asked);
  bool holds = false;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    Range range = segment(*object, i);
    holds = holds || (object->dlpi_phdr[i].p_type == PT_LOAD && address >= range.begin && address < range.end);
  }
  for (int i = 0; holds && i < object->dlpi_phnum; i++)
    if (object->dlpi_phdr[i].p_type == PT_LOAD && (object->dlpi_phdr[i].p_flags & PF_X) != 0) add(segment(*object, i));
  return holds;
}

} // namespace

void add_code_of(const void *address) {
  Locked locked(adding);
  dl_iterate_phdr(add_object, const_cast<void *>(address));
}

bool is_of_program(const void *caller) {
  auto address = reinterpret_cast<uintptr_t>(caller);
  for (int i = 0, known = __atomic_load_n(&count, __ATOMIC_ACQUIRE); i < known; i++)
    if (address >= ranges[i].begin && address < ranges[i].end) return true;
  return false;
}

} // namespace rex_memory
