// SPDX-License-Identifier: Apache-2.0
//
// Kernels that the driver has got from us hold no references in libomptarget's table, so nothing there keeps their data on
// the device. A thread's own calls wait for its kernels. What else may take data off the device waits for those of other
// threads, and while it is under way kernels go through libomptarget, which counts them. The state is the gate's, one for
// each device.
#ifndef REX_UNREFERENCED_H
#define REX_UNREFERENCED_H

#include "rex_call.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_threads.h"

#include <atomic>

#include <pthread.h>

namespace __rex REX_HIDDEN {

// Whether kernels of this thread may be in flight on a device without references, until end_unreferenced().
inline bool begin_unreferenced(int device) {
  DeviceGate *gate = Gate::of_device(device);
  if (gate == nullptr) return false;
  gate->unreferenced.fetch_add(1);
  if (gate->unmapping.load() == 0) return true;
  gate->unreferenced.fetch_sub(1);
  return false;
}
// The same for a thread that may unmap itself, and is the only one.
inline bool begin_unreferenced_inside(int device) {
  DeviceGate *gate = Gate::of_device(device);
  if (gate == nullptr) return false;
  gate->unreferenced.fetch_add(1);
  if (gate->unmapping.load() == 1) return true;
  gate->unreferenced.fetch_sub(1);
  return false;
}
inline void end_unreferenced(int device) { Gate::of_device(device)->unreferenced.fetch_sub(1); }

// Whether another thread waits for such kernels to end.
inline bool unmapping_waits(int device) { return Gate::of_device(device)->unmapping.load() != 0; }

// This thread may take data off a device while the object lives. It has no such kernels of its own there then. It must
// not have taken rows over either: a thread that waits for these may have to launch once more before its kernels are waited
// for.
class MayUnmap {
public:
  explicit MayUnmap(const Call &call) : entered(has_data(call) ? Gate::of_device(call.device_number()) : nullptr) {
    if (entered == nullptr) return;
    entered->unmapping.fetch_add(1);
    uint64_t thread = entered->unmapper.load(std::memory_order_relaxed);
    if (thread == 0) note_thread();
    else if (thread != pthread_self()) entered->unmapper.store(kSeveral, std::memory_order_relaxed);
    while (entered->unreferenced.load() != 0) wait_a_little();
  }
  ~MayUnmap() {
    if (entered != nullptr) entered->unmapping.fetch_sub(1);
  }
  MayUnmap(const MayUnmap &) = delete;

  // Whether no other thread has ever done so on a device. A launch that others had to wait for would cost them what they
  // may run beside it.
  static bool is_alone(int device) {
    DeviceGate *gate = Gate::of_device(device);
    uint64_t thread = gate != nullptr ? gate->unmapper.load(std::memory_order_relaxed) : kSeveral;
    return thread == 0 || thread == pthread_self();
  }

private:
  void note_thread() const {
    uint64_t nobody = 0, self = pthread_self();
    if (!entered->unmapper.compare_exchange_strong(nobody, self) && nobody != self) entered->unmapper.store(kSeveral);
  }

  static bool has_data(const Call &call) {
    for (int32_t row = 0; row < call.count; row++)
      if ((call.types[row] & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) == 0) return true;
    return false;
  }

  static constexpr uint64_t kSeveral = UINT64_MAX;
  DeviceGate *const entered;
};

} // namespace __rex

#endif
