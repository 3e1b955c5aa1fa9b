// SPDX-License-Identifier: Apache-2.0
//
// What all link units of a process know of each other's mappings, as far as our own copies need it (rex_staging.h): how many
// threads are inside libomptarget, and which memory holds pointers that libomptarget has attached.
#ifndef REX_GATE_H
#define REX_GATE_H

#include "rex_internal.h"
#include "rex_threads.h"

#include <atomic>
#include <mutex>

namespace __rex REX_HIDDEN {

// Where attached pointers lie, in steps of a megabyte. Never forgotten. With more places than there is room for, they may
// lie anywhere.
class AttachedPointers {
public:
  void add(const void *pointer);

  bool any_in(const char *begin, uint64_t size) const {
    uintptr_t first = reinterpret_cast<uintptr_t>(begin);
    return any_in(first >> kStep, (first + size - 1) >> kStep);
  }

private:
  bool any_in(uintptr_t first, uintptr_t last) const {
    int known = count.load(std::memory_order_acquire);
    if (known == kRoom) return true;
    for (int i = 0; i < known; i++)
      if (places[i] >= first && places[i] <= last) return true;
    return false;
  }

  static constexpr int kStep = 20, kRoom = 1024;
  std::mutex adding;
  std::atomic<int> count{0};
  std::atomic<uintptr_t> latest{0};
  uintptr_t places[kRoom];
};

// Shared by the link units of a process: the first makes it, and nobody destroys it.
struct Gate {
  std::atomic<int64_t> inside{0};    // threads inside libomptarget; far below 0 while one of them is alone
  std::atomic<uint64_t> unmapped{0}; // how often anything was
  std::atomic<int64_t> unreferenced{0}, unmapping{0}; // threads: see rex_unreferenced.h
  std::atomic<uint64_t> unmapper{0};                  // the only thread that has unmapped
  AttachedPointers attached;

  // The gate of the process; null where libomptarget does everything.
  static Gate *opened() { return of_process; }

  // Finds it, or makes it: the first link unit tells the others where it is. Registration does so before it is published.
  static void open();

private:
  static Gate *of_process;
};

// Notes what a call is going to attach.
inline void note_pointers(int32_t count, void *const *bases, const int64_t *types) {
  Gate *gate = Gate::opened();
  if (gate == nullptr) return;
  for (int32_t row = 0; row < count; row++)
    if ((types[row] & REX_MAP_PTR_AND_OBJ) != 0) gate->attached.add(bases[row]);
}

// Addresses that were on the device when this thread asked last, and nothing has been unmapped since then: asking
// libomptarget costs more than all else that happens before a launch. An answer may be old; nothing but speed may depend
// on it.
class SeenAddresses {
public:
  static bool was_present(const void *pointer, int device) {
    Gate *gate = Gate::opened();
    if (gate == nullptr) return omp_target_is_present(pointer, device) != 0;
    uintptr_t address = reinterpret_cast<uintptr_t>(pointer) + static_cast<uintptr_t>(device);
    uint64_t unmapped = gate->unmapped.load(std::memory_order_relaxed) + 1;
    Seen &seen = of_thread[address * UINT64_C(0x9e3779b97f4a7c15) >> 61];
    if (seen.address == address && seen.unmapped == unmapped) return true;
    if (omp_target_is_present(pointer, device) == 0) return false;
    seen = {address, unmapped};
    return true;
  }

  // Those of all threads.
  static void forget() {
    if (Gate *gate = Gate::opened()) gate->unmapped.fetch_add(1, std::memory_order_relaxed);
  }

private:
  struct Seen {
    uintptr_t address;
    uint64_t unmapped;
  };
  static REX_OF_THREAD Seen of_thread[8];
};

// This thread is inside libomptarget while this object lives, and on request the only one.
class Inside {
public:
  Inside() : entered(Gate::opened()) {
    if (entered == nullptr) return;
    while (entered->inside.fetch_add(1, std::memory_order_acq_rel) < 0) {
      entered->inside.fetch_sub(1, std::memory_order_acq_rel);
      wait_a_little();
    }
  }
  ~Inside() {
    if (entered == nullptr) return;
    entered->inside.fetch_sub(1, std::memory_order_acq_rel);
  }
  Inside(const Inside &) = delete;

  // Keeps all others out, unless one is inside already.
  bool close() {
    int64_t one = 1;
    return entered != nullptr && entered->inside.compare_exchange_strong(one, 1 - kMany, std::memory_order_acq_rel);
  }
  void open() { entered->inside.fetch_add(kMany, std::memory_order_acq_rel); }

private:
  static constexpr int64_t kMany = INT64_C(1) << 40;
  Gate *const entered;
};

// Closes the gate where it can be closed.
class Alone {
public:
  explicit Alone(Inside &given) : inside(given), closed(inside.close()) {}
  ~Alone() {
    if (closed) inside.open();
  }
  Alone(const Alone &) = delete;
  explicit operator bool() const { return closed; }

private:
  Inside &inside;
  bool closed;
};

} // namespace __rex

#endif
