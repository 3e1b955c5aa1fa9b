// SPDX-License-Identifier: Apache-2.0
//
// Global variables that device code reaches through pointers of its image, because the image has no storage of them. Each
// pointer is attached once for each device: to what another file's image has registered for the variable, or, where the
// image's compiler could not give the variable its first value, to storage with the host's value of it. (`link` variables
// are attached by the rows of the constructs that map them; shared memory needs nothing, for libomptarget fills the
// pointers with host addresses when it loads an image.)
#ifndef REX_GLOBALS_H
#define REX_GLOBALS_H

#include "rex_internal.h"

#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <vector>

namespace __rex REX_HIDDEN {

// Those of a link unit. Registration owns them.
class Globals {
public:
  void add(const rex_offload_module &module);
  bool any() const { return !all.empty(); }
  bool wanted_on(int device) const {
    return device >= 0 && (device >= kKnown || !attached[device].load(std::memory_order_acquire));
  }
  void attach_on(int device);

private:
  void attach_all_on(int device) const;

  static constexpr int kKnown = 64; // devices that are asked without a lock
  std::vector<rex_offload_global> all;
  std::array<std::atomic<bool>, kKnown> attached{};
  std::set<int> beyond;
  std::mutex one_at_a_time;
};

} // namespace __rex

#endif
