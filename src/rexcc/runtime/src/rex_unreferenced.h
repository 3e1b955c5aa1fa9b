// SPDX-License-Identifier: Apache-2.0
//
// Kernels that the driver has got from us hold no references in libomptarget's table, so nothing there keeps their data on
// the device. A thread's own calls wait for its kernels. What else may take data off the device waits for those of other
// threads, and while it is under way kernels go through libomptarget, which counts them. The state is the gate's.
#ifndef REX_UNREFERENCED_H
#define REX_UNREFERENCED_H

#include "rex_call.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_threads.h"

#include <atomic>

#include <pthread.h>

namespace __rex REX_HIDDEN {

// Whether kernels of this thread may be in flight without references, until end_unreferenced().
inline bool begin_unreferenced() {
  Gate *gate = Gate::opened();
  if (gate == nullptr) return false;
  gate->unreferenced.fetch_add(1);
  if (gate->unmapping.load() == 0) return true;
  gate->unreferenced.fetch_sub(1);
  return false;
}
inline void end_unreferenced() { Gate::opened()->unreferenced.fetch_sub(1); }

// Whether another thread waits for such kernels to end.
inline bool unmapping_waits() { return Gate::opened()->unmapping.load() != 0; }

// This thread may take data off device 0 while the object lives. It has no such kernels of its own then. It must not have
// closed the gate either: a thread that has may have to launch once more before its kernels are waited for.
class MayUnmap {
public:
  explicit MayUnmap(const Call &call) : entered(has_data(call) ? Gate::opened() : nullptr) {
    if (entered == nullptr) return;
    entered->unmapping.fetch_add(1);
    if (!is_alone()) entered->unmapper.store(kSeveral, std::memory_order_relaxed);
    else if (entered->unmapper.load(std::memory_order_relaxed) == 0) note_thread();
    while (entered->unreferenced.load() != 0) wait_a_little();
  }
  ~MayUnmap() {
    if (entered != nullptr) entered->unmapping.fetch_sub(1);
  }
  MayUnmap(const MayUnmap &) = delete;

  // Whether no other thread has ever done so. A launch that others had to wait for would cost them what they may run
  // beside it.
  static bool is_alone() {
    Gate *gate = Gate::opened();
    uint64_t thread = gate != nullptr ? gate->unmapper.load(std::memory_order_relaxed) : kSeveral;
    return thread == 0 || thread == pthread_self();
  }

private:
  void note_thread() const {
    uint64_t nobody = 0, self = pthread_self();
    if (!entered->unmapper.compare_exchange_strong(nobody, self) && nobody != self) entered->unmapper.store(kSeveral);
  }

  static bool has_data(const Call &call) {
    if (call.device_number() != 0) return false;
    for (int32_t row = 0; row < call.count; row++)
      if ((call.types[row] & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) == 0) return true;
    return false;
  }

  static constexpr uint64_t kSeveral = UINT64_MAX;
  Gate *const entered;
};

} // namespace __rex

#endif
