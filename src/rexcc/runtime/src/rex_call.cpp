// SPDX-License-Identifier: Apache-2.0
#include "rex_call.h"

namespace __rex REX_HIDDEN {

REX_OF_THREAD const Call *CurrentCall::innermost;

Storage storage_of(const Call &call, int32_t row) {
  uint64_t size = static_cast<uint64_t>(call.sizes[row]);
  if ((call.types[row] & REX_MAP_NON_CONTIG) == 0) return {static_cast<char *>(call.begins[row]), size, size, false};
  const auto *dimensions = static_cast<const rex_dimension *>(call.begins[row]);
  const char *begin = static_cast<char *>(call.bases[row]);
  if (dimensions[0].count == 0) return {begin, 0, 0, true};
  Storage found = {begin, 1, 1, true};
  for (int64_t i = 0; i < call.sizes[row]; i++) {
    bool is_last = i == call.sizes[row] - 1; // one element
    found.bytes *= is_last ? dimensions[i].stride : dimensions[i].count;
    found.size += is_last ? dimensions[i].stride - 1 : (dimensions[i].count - 1) * dimensions[i].stride;
  }
  return found;
}

// The device address of a byte of storage. Where the device had no memory, libomptarget keeps a mapping to address 0.
static char *address_of(const Storage &storage, uint64_t offset, int device) {
  auto *found = static_cast<char *>(omp_get_mapped_ptr(storage.begin + offset, device));
  return reinterpret_cast<uintptr_t>(found) == offset ? nullptr : found;
}

Presence presence(const Storage &storage, int device, bool thoroughly) {
  uint64_t last = storage.size > 0 ? storage.size - 1 : 0;
  char *first_there = address_of(storage, 0, device), *last_there = address_of(storage, last, device);
  if (first_there != nullptr && last_there != nullptr)
    return storage.has_gaps || first_there + last == last_there ? Presence::whole : Presence::part;
  if (first_there != nullptr || last_there != nullptr) return Presence::part;
  uint64_t step = storage.size / 1000000 + 1;
  for (uint64_t at = step; thoroughly && at < storage.size; at += step)
    if (address_of(storage, at, device) != nullptr) return Presence::part;
  return Presence::none;
}

} // namespace __rex
