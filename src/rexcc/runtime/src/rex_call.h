// SPDX-License-Identifier: Apache-2.0
//
// What libomptarget is being asked for, and what can be said of its rows: their storage, and whether it is on the device.
#ifndef REX_CALL_H
#define REX_CALL_H

#include "rex_internal.h"

namespace __rex REX_HIDDEN {

enum class CallKind { data_begin, data_end, data_update, kernel };

// A call as the caller has it. A part of an item with a mapper is a call with one row, and `whole` the call with the item.
struct Call {
  CallKind kind;
  const __rex_ident *place;
  int64_t device;
  int32_t count;
  void **bases, **begins;
  int64_t *sizes, *types;
  void **names, **mappers;
  const Call *whole = nullptr;
  int32_t item = 0;

  int device_number() const { return device < 0 ? omp_get_default_device() : static_cast<int>(device); }
  bool has_mapper(int32_t row) const { return mappers != nullptr && mappers[row] != nullptr; }
};

// The number of the device that a construct means when it is met.
inline int64_t device_of_now(int64_t device) {
  if (device == REX_DEVICE_DEFAULT) device = rex_device_number(omp_get_default_device());
  return device == REX_DEVICE_INITIAL ? omp_get_initial_device() : device;
}

// Makes a call the one that its thread is in, for as long as the object lives (rex_explain.h asks for it).
class CurrentCall {
public:
  explicit CurrentCall(const Call &call) : outer(innermost) { innermost = &call; }
  ~CurrentCall() { innermost = outer; }
  CurrentCall(const CurrentCall &) = delete;

  // The thread's; null where there is none.
  static const Call *of_thread() { return innermost; }
  static void forget() { innermost = nullptr; }

private:
  static REX_OF_THREAD const Call *innermost;
  const Call *outer; // a target region on the CPU device may call a function that has one
};

// A row's storage: from its first to its last byte, and how many of them are meant.
struct Storage {
  const char *begin;
  uint64_t size, bytes;
  bool has_gaps;
};
Storage storage_of(const Call &call, int32_t row);

enum class Presence { none, part, whole };

// Whether storage is on the device. Both ends in one mapping is all of it; with `thoroughly` also a part between them
// is found.
Presence presence(const Storage &storage, int device, bool thoroughly);

} // namespace __rex

#endif
