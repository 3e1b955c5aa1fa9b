// SPDX-License-Identifier: Apache-2.0
//
// Memory that host and GPU share although the GPU cannot read all memory of the host: the program's heap, if it was linked
// with one of the driver's memory (rex_program_memory.h), and what is pinned here, so that it has the same address on the
// GPU: data of the program and of this link unit, and the stacks of threads with target constructs.
#ifndef REX_SHARED_MEMORY_H
#define REX_SHARED_MEMORY_H

#include "rex_cuda.h"
#include "rex_internal.h"
#include "rex_program_memory.h"

#include <type_traits>
#include <vector>

#include <pthread.h>

namespace __rex REX_HIDDEN {

// The heap that the program was linked with; null where it has the C library's.
const rex_program_memory *program_memory();

// Whether the program's blocks are the GPU's too, and whether the program was linked so that all maps are to share them.
bool is_heap_shared();
bool shares_unasked();

class SharedMemory {
public:
  // From now on memory is shared by what the heap is, and by pinning.
  static void begin();

  // Null where the GPU needs no help, or no memory is shared.
  static SharedMemory *of_link_unit() { return in_use; }

  // Whether the GPU can read what is at an address.
  bool reads(const void *address) const;

  // Whether a row has storage; and the type of one by which libomptarget maps what the GPU cannot read.
  static bool is_data(int64_t size, int64_t type) {
    return size > 0 && (type & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) == 0;
  }
  int64_t type_of(const void *begin, int64_t size, int64_t type) const {
    return !is_data(size, type) || reads(begin) ? type : type | REX_MAP_CLOSE;
  }

  // For what this thread may hand to the GPU: its stack is shared from now on.
  void share_thread() const;

  // Room for the types of one call's rows, while the thread, which shares its stack, is in it.
  std::vector<int64_t> &types_of_call() const;

  // Has managed memory move to a device, before kernels fetch it page by page.
  void bring(void *begin, int64_t size, int device) const;

  // Does what calls the driver, on a stack of its own. Of what lies on its stack the driver begins copies that it takes to
  // be over when the call returns, as they are from memory that is not pinned.
  template <class Work> static auto apart(Work work) -> decltype(work()) {
    if (of_link_unit() == nullptr) return work();
    if constexpr (std::is_void_v<decltype(work())>) {
      run_apart([](void *given) { (*static_cast<Work *>(given))(); }, &work);
    } else {
      struct {
        Work &work;
        decltype(work()) result;
      } both = {work, {}};
      using Both = decltype(both);
      run_apart([](void *given) { static_cast<Both *>(given)->result = static_cast<Both *>(given)->work(); }, &both);
      return both.result;
    }
  }

  bool pin(uintptr_t begin, uintptr_t end, bool is_written) const;
  void unpin(uintptr_t begin) const;

private:
  static void run_apart(void (*work)(void *), void *given);
  bool start();
  void start_moving(void *driver);

  static SharedMemory *in_use;

  GetPointerAttributes *attributes = nullptr;
  int (*do_pin)(void *memory, size_t size, unsigned flags) = nullptr;
  int (*do_unpin)(void *memory) = nullptr;
  int (*push)(void *context) = nullptr;
  int (*pop)(void **context) = nullptr;
  int (*prefetch)(uint64_t begin, size_t size, int device, void *stream) = nullptr;
  int (*wait)(void *stream) = nullptr;
  void *context = nullptr, *stream = nullptr;
  pthread_key_t at_end_of_thread = 0;
};

} // namespace __rex

#endif
