// SPDX-License-Identifier: Apache-2.0
//
// Pointers that libomptarget has attached on a device, with their values. To attach one again that has its value is nothing:
// libomptarget compares what it has attached, and so can we. What is noted here is what a launch of libomptarget's has left,
// until a call attaches there anew, or may map the pointer's memory anew, or anything is unmapped.
#ifndef REX_ATTACHMENTS_H
#define REX_ATTACHMENTS_H

#include "rex_internal.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace __rex REX_HIDDEN {

struct Attachment {
  const void *pointer = nullptr, *value = nullptr; // of the host's
  const char *there = nullptr, *target = nullptr;  // where it is on the device, and what its value is there
  int device = 0;
  uint64_t unmapped = 0; // how often anything had been before

  bool operator==(const Attachment &other) const {
    return pointer == other.pointer && value == other.value && there == other.there && target == other.target &&
           device == other.device && unmapped == other.unmapped;
  }
};

class Attachments {
public:
  // Where others attach that we do not hear of, nothing is known.
  void may_be_others() { are_ours.store(false, std::memory_order_relaxed); }

  void note(const Attachment &one) {
    if (!are_ours.load(std::memory_order_relaxed)) return;
    std::lock_guard<std::mutex> lock(one_at_a_time);
    place_of(one) = one;
    any.store(true, std::memory_order_relaxed);
  }
  bool knows(const Attachment &one) {
    if (!any.load(std::memory_order_relaxed) || !are_ours.load(std::memory_order_relaxed)) return false;
    std::lock_guard<std::mutex> lock(one_at_a_time);
    return place_of(one) == one;
  }

  // Of pointers that lie, in part, in some memory, on all devices.
  void forget(const void *begin, uint64_t size) {
    if (!any.load(std::memory_order_relaxed)) return;
    std::lock_guard<std::mutex> lock(one_at_a_time);
    auto first = reinterpret_cast<uintptr_t>(begin);
    for (Attachment &one : known) {
      auto place = reinterpret_cast<uintptr_t>(one.pointer);
      if (place + sizeof(void *) > first && place < first + size) one = Attachment();
    }
  }

private:
  static constexpr int kRoom = 64;

  Attachment &place_of(const Attachment &one) {
    uintptr_t mixed = reinterpret_cast<uintptr_t>(one.pointer) + static_cast<uintptr_t>(one.device);
    return known[mixed * UINT64_C(0x9e3779b97f4a7c15) >> 58];
  }

  std::mutex one_at_a_time;
  std::atomic<bool> any{false}, are_ours{true};
  Attachment known[kRoom];
};

} // namespace __rex

#endif
