// SPDX-License-Identifier: Apache-2.0
//
// What all link units of a process know of each other's mappings, as far as our own copies need it (rex_staging.h): how many
// threads are inside libomptarget, and which memory holds pointers that libomptarget has attached. Part of
// register_cubin.cpp.
#ifndef REX_GATE_H
#define REX_GATE_H

#include "rex_units.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>

#include <time.h>

namespace {

// Where attached pointers lie, in steps of a megabyte. Never forgotten. With more places than there is room for, they may
// lie anywhere.
class AttachedPointers {
public:
  void add(const void *pointer) {
    uintptr_t place = reinterpret_cast<uintptr_t>(pointer) >> kStep;
    if (latest.load(std::memory_order_relaxed) == place || any_in(place, place)) return;
    std::lock_guard<std::mutex> lock(adding);
    int known = count.load(std::memory_order_relaxed);
    if (known == kRoom || any_in(place, place)) return;
    places[known] = place;
    count.store(known + 1, std::memory_order_release);
    latest.store(place, std::memory_order_relaxed);
  }

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

struct Gate {
  std::atomic<int64_t> inside{0};    // threads inside libomptarget; far below 0 while one of them is alone
  std::atomic<uint64_t> unmapped{0}; // how often anything was
  std::atomic<int64_t> unreferenced{0}, unmapping{0}; // threads: see rex_unreferenced.h
  std::atomic<uint64_t> unmapper{0};                  // the only thread that has unmapped
  AttachedPointers attached;
};
// Null where libomptarget does everything.
Gate *gate;

// The gate of the process: the first link unit tells the others where it is, as it tells them the kind of device.
void open_gate() {
  const char *const variable = "REX_PROCESS_GATE";
  const char *text = getenv(variable);
  std::string mine = unit_mark("");
  if (text != nullptr && mine.compare(0, mine.size(), text, mine.size()) == 0) {
    gate = reinterpret_cast<Gate *>(strtoull(text + mine.size(), nullptr, 16));
    return;
  }
  char address[32];
  gate = new Gate;
  snprintf(address, sizeof address, "%llx", reinterpret_cast<unsigned long long>(gate));
  setenv(variable, (mine + address).c_str(), 1);
}

// Notes what a call is going to attach.
void note_pointers(int32_t count, void *const *bases, const int64_t *types) {
  if (gate == nullptr) return;
  for (int32_t row = 0; row < count; row++)
    if ((types[row] & REX_MAP_PTR_AND_OBJ) != 0) gate->attached.add(bases[row]);
}

// Whether an address was on the device when this thread asked last, and nothing has been unmapped since then: asking
// libomptarget costs more than all else that happens before a launch. The answer may be old; nothing but speed may depend
// on it.
struct SeenAddress {
  uintptr_t address;
  uint64_t unmapped;
};
__attribute__((__tls_model__("initial-exec"))) thread_local SeenAddress seen_addresses[8];

bool was_present(const void *pointer, int device) {
  if (gate == nullptr) return omp_target_is_present(pointer, device) != 0;
  uintptr_t address = reinterpret_cast<uintptr_t>(pointer) + static_cast<uintptr_t>(device);
  uint64_t unmapped = gate->unmapped.load(std::memory_order_relaxed) + 1;
  SeenAddress &seen = seen_addresses[address * UINT64_C(0x9e3779b97f4a7c15) >> 61];
  if (seen.address == address && seen.unmapped == unmapped) return true;
  if (omp_target_is_present(pointer, device) == 0) return false;
  seen = {address, unmapped};
  return true;
}

void forget_seen() {
  if (gate != nullptr) gate->unmapped.fetch_add(1, std::memory_order_relaxed);
}

void wait_a_little() {
  timespec pause = {0, 20000};
  nanosleep(&pause, nullptr);
}

// This thread is inside libomptarget while this object lives, and on request the only one.
class Inside {
public:
  Inside() : entered(gate) {
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

} // namespace

#endif
