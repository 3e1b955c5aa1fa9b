// SPDX-License-Identifier: Apache-2.0
//
// Pointers of the host's that are attached on a device. Nothing that is copied changes such a pointer on the host (OpenMP
// 5.2, 5.8.3). libomptarget (17 to 22) gives it the value that it had when it was attached, though, as often as anything
// comes home, or might have, of the mapping that it lies in. The host may have given it another one since then: a buffer
// that has been allocated anew, or swapped with another. So what the host has there before such a call is there after it.
#ifndef REX_HOST_POINTERS_H
#define REX_HOST_POINTERS_H

#include "rex_call.h"
#include "rex_internal.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace __rex REX_HIDDEN {

// Those of all devices, each as long as the mapping in which it lies.
class HostPointers {
public:
  using Values = std::vector<std::pair<void **, void *>>;

  bool any() const { return known.load(std::memory_order_relaxed) != 0; }

  // What a row of a call may attach, and what it may map anew: nothing that was attached there before still is.
  void note_row(const void *base, const void *begin, int64_t size, int64_t type, int device);

  // Adds the values of those that lie in one mapping with an address.
  void add_values(const void *address, int device, Values &values);

private:
  using Pointers = std::set<uintptr_t>;

  Pointers &of_device(int device);
  void forget_absent(Pointers &pointers, uintptr_t begin, uintptr_t end, int device);

  std::mutex one_at_a_time;
  std::vector<std::pair<int, Pointers>> devices;
  std::atomic<int64_t> known{0};
};

// Keeps the values of all that a call, or a part of it that a mapper adds, might change on the host.
class KeptPointers {
public:
  explicit KeptPointers(const Call &call);
  ~KeptPointers();
  KeptPointers(const KeptPointers &) = delete;

  // A row that a mapper gives the call that the thread is in.
  static void note_part(const void *begin, int64_t type);

private:
  void keep(const void *begin, int64_t type);

  static REX_OF_THREAD KeptPointers *innermost;
  KeptPointers *const outer;
  const int device;
  HostPointers::Values values;
};

} // namespace __rex

#endif
