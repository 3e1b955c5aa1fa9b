// SPDX-License-Identifier: Apache-2.0
#include "rex_absent_objects.h"

#include "rex_seen_whole.h"

#include <cstring>

namespace __rex REX_HIDDEN {
namespace {

constexpr int64_t kMostBytes = 512; // of larger ones the copy costs what is saved

bool is_there(const Call &call, const void *byte) { return omp_get_mapped_ptr(byte, call.device_number()) != nullptr; }

// Where the copy has what a pointer or a member has on the host; null where the object does not cover it.
char *place_in(const Call &call, int32_t object, char *copy, const void *member, int64_t size) {
  const auto before = static_cast<uint64_t>(static_cast<const char *>(member) - static_cast<char *>(call.begins[object]));
  const auto all = static_cast<uint64_t>(call.sizes[object]), wanted = static_cast<uint64_t>(size);
  return before <= all && wanted <= all - before ? copy + before : nullptr;
}

// A pointer, which leads to the same byte of what is on the device.
bool copy_pointer(const Call &call, int32_t object, int32_t row, char *copy) {
  constexpr int64_t size = sizeof(char *);
  constexpr int64_t plain = REX_MAP_ALL_MEMBERS | REX_MAP_PTR_AND_OBJ | REX_MAP_TOFROM;
  const void *pointer = call.bases[row], *begin = call.begins[row];
  char *place = place_in(call, object, copy, pointer, size);
  if (place == nullptr || (call.types[row] & ~plain) != 0 || call.sizes[row] <= 0 || is_there(call, pointer)) return false;
  const char *there = SeenWhole::device_address(begin, call.sizes[row], call.device_number());
  if (there == nullptr) return false;
  uintptr_t value;
  memcpy(&value, pointer, size);
  value += reinterpret_cast<uintptr_t>(there) - reinterpret_cast<uintptr_t>(begin);
  memcpy(place, &value, size);
  return true;
}

bool copy_member(const Call &call, int32_t object, int32_t row, char *copy) {
  constexpr int64_t plain = REX_MAP_ALL_MEMBERS | REX_MAP_TO;
  char *place = place_in(call, object, copy, call.begins[row], call.sizes[row]);
  if (place == nullptr || (call.types[row] & ~plain) != 0 || is_there(call, call.begins[row])) return false;
  if ((call.types[row] & REX_MAP_TO) != 0) memcpy(place, call.begins[row], static_cast<size_t>(call.sizes[row]));
  return true;
}

// Whether no row but its members' leads into an object: what the kernel changes by one name it finds by the other.
bool is_by_itself(const Call &call, int32_t object) {
  const char *first = static_cast<char *>(call.begins[object]), *end = first + call.sizes[object];
  for (int32_t row = 0; row < call.count; row++) {
    int64_t type = call.types[row];
    if (row == object || object_of(call, row) == object || (type & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) != 0) continue;
    const char *begin = static_cast<char *>(call.begins[row]), *base = static_cast<char *>(call.bases[row]);
    if (begin < end && (begin >= first || first - begin < call.sizes[row])) return false;
    if ((type & REX_MAP_PTR_AND_OBJ) != 0 && base >= first && base < end) return false;
  }
  return true;
}

bool copy_members(const Call &call, int32_t object, char *copy, bool are_pointers) {
  for (int32_t row = object + 1; row < call.count; row++) {
    bool is_pointer = (call.types[row] & REX_MAP_PTR_AND_OBJ) != 0;
    if (object_of(call, row) != object || is_pointer != are_pointers) continue;
    if (!(is_pointer ? copy_pointer : copy_member)(call, object, row, copy)) return false;
  }
  return true;
}

} // namespace

bool covers_absent_object(const Call &call, int32_t row) {
  int64_t size = call.sizes[row];
  if (call.types[row] != REX_MAP_PARAM || size <= 0 || size > kMostBytes) return false;
  if (row + 1 >= call.count || object_of(call, row + 1) != row) return false;
  const auto *begin = static_cast<char *>(call.begins[row]);
  return begin != nullptr && !is_there(call, begin) && !is_there(call, begin + size - 1);
}

// Pointers come last: a member may have them inside.
bool copy_absent_object(const Call &call, int32_t row, char *copy) {
  if (!is_by_itself(call, row)) return false;
  memset(copy, 0, static_cast<size_t>(call.sizes[row]));
  return copy_members(call, row, copy, false) && copy_members(call, row, copy, true);
}

} // namespace __rex
