// SPDX-License-Identifier: Apache-2.0
#include "rex_arguments.h"

namespace __rex REX_HIDDEN {

// Whether the object is there as a whole; of what a pointer points to, whether the member is.
bool Arguments::is_object_there(const Call &call, int32_t member) {
  auto object = static_cast<int32_t>(static_cast<uint64_t>(call.types[member]) >> 48) - 1;
  auto *begin = static_cast<char *>(call.begins[object]), *there = static_cast<char *>(call.begins[member]);
  int device = static_cast<int>(call.device);
  if ((call.types[object] & REX_MAP_PRIVATE) != 0) return true; // all of it, in the kernel's copy
  if (call.sizes[object] > 0) return SeenWhole::device_address(begin, call.sizes[object], device) != nullptr;
  char *first = SeenWhole::device_address(begin, 0, device);
  return first != nullptr && SeenWhole::device_address(there, 1, device) == first + (there - begin);
}

} // namespace __rex
