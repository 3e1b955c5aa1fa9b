// SPDX-License-Identifier: Apache-2.0
#include "rex_attached_rows.h"

#include "rex_seen_whole.h"

namespace __rex REX_HIDDEN {
namespace {

// Of a member: nothing but its bytes, or a pointer and some of what it leads to.
bool is_member(int64_t type, bool is_pointer) {
  return (type & ~(REX_MAP_ALL_MEMBERS | REX_MAP_TOFROM)) == (is_pointer ? REX_MAP_PTR_AND_OBJ : 0) &&
         (type & REX_MAP_ALL_MEMBERS) != 0;
}

// What a row attaches, as far as all of it is on the device.
bool find(const Call &call, int32_t row, uint64_t unmapped, Attachment &found) {
  int device = call.device_number();
  auto *pointer = static_cast<char *const *>(call.bases[row]);
  auto *begin = static_cast<char *>(call.begins[row]);
  const char *there = SeenWhole::device_address(pointer, sizeof *pointer, device);
  const char *target = there != nullptr ? SeenWhole::device_address(begin, call.sizes[row], device) : nullptr;
  if (target == nullptr) return false;
  found = {pointer, *pointer, there, target - (begin - *pointer), device, unmapped};
  return true;
}

} // namespace

bool is_restated(const Call &call, int32_t row) {
  int64_t type = call.types[row], size = call.sizes[row];
  Gate *gate = Gate::opened();
  DeviceGate *of_device = Gate::of_device(call.device);
  if (gate == nullptr || of_device == nullptr || size <= 0) return false;
  if (is_member(type, false)) return SeenWhole::device_address(call.begins[row], size, call.device_number()) != nullptr;
  Attachment found;
  return is_member(type, true) && find(call, row, of_device->unmapped.load(), found) && gate->attachments.knows(found);
}

LeftAttached::LeftAttached(const Call &launch) : call(launch) {
  DeviceGate *gate = Gate::of_device(call.device);
  if (gate == nullptr || call.mappers != nullptr) return;
  unmapped = gate->unmapped.load();
  for (int32_t row = 0; row < call.count; row++)
    if ((call.types[row] & REX_MAP_ALWAYS) != 0) return; // bytes that are copied may be those of a pointer
  for (int32_t row = 0; row < call.count && count < kMost; row++)
    if (is_member(call.types[row], true) && call.sizes[row] > 0 &&
        SeenWhole::device_address(call.bases[row], sizeof(void *), call.device_number()) != nullptr)
      rows[count++] = row;
}

void LeftAttached::note() const {
  Attachment left;
  for (int32_t i = 0; i < count; i++)
    if (find(call, rows[i], unmapped, left)) Gate::opened()->attachments.note(left);
}

} // namespace __rex
