// SPDX-License-Identifier: Apache-2.0
//
// What all link units of a process know of each other's mappings, as far as our own copies and launches need it
// (rex_staging.h, rex_direct.h): for each device the calls that libomptarget is executing, and which memory holds pointers
// that libomptarget has attached.
#ifndef REX_GATE_H
#define REX_GATE_H

#include "rex_attachments.h"
#include "rex_calls_inside.h"
#include "rex_host_pointers.h"
#include "rex_internal.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace __rex REX_HIDDEN {

// Where attached pointers lie, in steps of a megabyte. Never forgotten. With more places than there is room for, they may
// lie anywhere; so they may where regions of clang's are linked with ours, which attach what we do not hear of.
class AttachedPointers {
public:
  void add(const void *pointer);
  void may_lie_anywhere() { count.store(kRoom, std::memory_order_release); }

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

// What is known of one device. Threads that work on different devices share nothing, also no line of a cache.
struct alignas(64) DeviceGate {
  CallsInside calls;
  std::atomic<uint64_t> unmapped{0};                  // how often anything was
  std::atomic<int64_t> unreferenced{0}, unmapping{0}; // threads: see rex_unreferenced.h
  std::atomic<uint64_t> unmapper{0};                  // the only thread that has unmapped
};

// Shared by the link units of a process: the first makes it, and nobody destroys it.
struct Gate {
  static constexpr int kDevices = 64; // on all others libomptarget does everything

  AttachedPointers attached;
  Attachments attachments;
  HostPointers host_pointers;
  DeviceGate devices[kDevices];

  // The gate of the process; null where libomptarget does everything.
  static Gate *opened() { return is_open ? of_process : nullptr; }

  // The same, also there.
  static Gate *found() { return of_process; }

  // A device's part of it; null where libomptarget does everything.
  static DeviceGate *of_device(int64_t device) {
    return is_open && device >= 0 && device < kDevices ? &of_process->devices[device] : nullptr;
  }

  // Finds it, or makes it: the first link unit tells the others where it is. Registration does so before it is published.
  static void find();

  // The same, where libomptarget does not do everything.
  static void open();

private:
  static Gate *of_process;
  static bool is_open;
};

// Notes what a call is going to attach, and what it may map anew.
inline void note_pointer(const void *base, const void *begin, int64_t size, int64_t type, int device) {
  Gate *gate = Gate::found();
  if (gate == nullptr) return;
  bool attaches = (type & REX_MAP_PTR_AND_OBJ) != 0;
  if (attaches) gate->attached.add(base), gate->attachments.forget(base, sizeof(void *));
  if (size > 0) gate->attachments.forget(begin, static_cast<uint64_t>(size));
  gate->host_pointers.note_row(base, begin, size, type, device);
}
inline void note_pointers(const Call &call) {
  for (int32_t row = 0; row < call.count; row++)
    note_pointer(call.bases[row], call.begins[row], call.sizes[row], call.types[row], call.device_number());
}

// Addresses that were on the device when this thread asked last, and nothing has been unmapped since then: asking
// libomptarget costs more than all else that happens before a launch. An answer may be old; nothing but speed may depend
// on it.
class SeenAddresses {
public:
  static bool was_present(const void *pointer, int device) {
    DeviceGate *gate = Gate::of_device(device);
    if (gate == nullptr) return omp_target_is_present(pointer, device) != 0;
    uintptr_t address = reinterpret_cast<uintptr_t>(pointer) + static_cast<uintptr_t>(device);
    uint64_t unmapped = gate->unmapped.load(std::memory_order_relaxed) + 1;
    Seen &seen = of_thread[address * UINT64_C(0x9e3779b97f4a7c15) >> 61];
    if (seen.address == address && seen.unmapped == unmapped) return true;
    if (omp_target_is_present(pointer, device) == 0) return false;
    seen = {address, unmapped};
    return true;
  }

  // Those of all threads on a device.
  static void forget(int device) {
    if (DeviceGate *gate = Gate::of_device(device)) gate->unmapped.fetch_add(1, std::memory_order_relaxed);
  }

private:
  struct Seen {
    uintptr_t address;
    uint64_t unmapped;
  };
  static REX_OF_THREAD Seen of_thread[8];
};

// A call is inside libomptarget while this object lives: it begins when no copy of ours is under way to or from what it
// maps (rex_calls_inside.h).
class Inside {
public:
  explicit Inside(const Call &call) : calls(calls_for(call.device_number())), entry(call) {
    if (calls != nullptr) slot = calls->enter(entry);
  }
  ~Inside() {
    if (calls != nullptr) calls->leave(entry, slot);
  }
  Inside(const Inside &) = delete;

  // Keeps other calls away from rows of this call, or of one that is a part of it, until it is told otherwise; not where
  // another call is at them already.
  bool take_over(const Call &call, const std::vector<int32_t> &rows) {
    return calls != nullptr && calls->take_over(entry, slot, {&call, rows.data(), static_cast<int32_t>(rows.size())});
  }
  void hand_back() { calls->hand_back(slot); }

  // Whether another call copies, or begins, something that a call has rows for.
  bool others_copy(const Call &call) const { return calls != nullptr && calls->others_copy(call, slot); }

private:
  static CallsInside *calls_for(int device) {
    DeviceGate *gate = Gate::of_device(device);
    return gate != nullptr ? &gate->calls : nullptr;
  }

  CallsInside *const calls;
  CallsInside::Entry entry;
  int slot = 0;
};

// Takes rows over where that is possible.
class TakenOver {
public:
  TakenOver(Inside &given, const Call &call, const std::vector<int32_t> &rows)
      : inside(given), taken(given.take_over(call, rows)) {}
  ~TakenOver() {
    if (taken) inside.hand_back();
  }
  TakenOver(const TakenOver &) = delete;
  explicit operator bool() const { return taken; }

private:
  Inside &inside;
  const bool taken;
};

// Looks something up that copies of ours may be under way to: again, if one was.
template <class Look> bool look_up_on(int64_t device, const Call &call, Look look) {
  for (;;) {
    bool found = look();
    DeviceGate *gate = Gate::of_device(device);
    if (!found || gate == nullptr || !gate->calls.wait_for_copies_of(call)) return found;
  }
}

} // namespace __rex

#endif
