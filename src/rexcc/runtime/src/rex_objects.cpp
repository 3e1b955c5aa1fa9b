// SPDX-License-Identifier: Apache-2.0
#include "rex_objects.h"

#include "rex_explain.h"

#include <cstdlib>

namespace __rex REX_HIDDEN {

void PartialObjects::ask_for_members(int32_t row) {
  if ((call.types[row] & REX_MAP_READ) != 0 && is_none_there(row)) {
    types_of_call()[row] &= ~(REX_MAP_IMPLICIT | REX_MAP_READ | REX_MAP_FROM);
    types[row] |= REX_MAP_PRIVATE;
    return;
  }
  const char *lowest = nullptr;
  Presence found = members(row, lowest);
  if (found == Presence::whole) return ask_at(row, lowest);
  if (call.sizes[row] == 0 && found == Presence::part) tell_members(row);
  if (call.sizes[row] == 0) return;
  types_of_call()[row] &= ~(REX_MAP_IMPLICIT | REX_MAP_READ);
}

// Whether no member that the kernel reads is there, not even one that it may never come to.
bool PartialObjects::is_none_there(int32_t object) const {
  for (int32_t row = object + 1; row < call.count; row++)
    if (is_member(row, object) && omp_get_mapped_ptr(call.begins[row], call.device_number()) != nullptr) return false;
  return true;
}

std::vector<int64_t> &PartialObjects::types_of_call() {
  if (types.empty()) types.assign(call.types, call.types + call.count);
  return types;
}

// Has libomptarget look where the members are: of an object that is there in several parts it would take the first.
void PartialObjects::ask_at(int32_t row, const char *member) {
  auto *begin = static_cast<char *>(call.begins[row]);
  if (member == nullptr || member == begin || call.sizes[row] == 0) return;
  int device = call.device_number();
  auto *there = static_cast<char *>(omp_get_mapped_ptr(begin, device));
  if (there != nullptr && there + (member - begin) == omp_get_mapped_ptr(member, device)) return;
  if (begins.empty()) begins.assign(call.begins, call.begins + call.count);
  if (sizes.empty()) sizes.assign(call.sizes, call.sizes + call.count);
  begins[row] = begin + (member - begin);
  sizes[row] = 1;
}

// Ends the program: part of what a pointer points to is there, and not all of the rest that the kernel uses.
void PartialObjects::tell_members(int32_t object) const {
  for (int32_t row = object + 1; row < call.count; row++)
    if (is_member(row, object) && omp_get_mapped_ptr(call.begins[row], call.device_number()) == nullptr)
      tell(call, row, "is used here, and is not with the other members of its object on device",
           "; map all of the object where its first part is mapped");
  abort();
}

// Whether they are there, in one part: as far apart as on the host. Tells which has the lowest address.
Presence PartialObjects::members(int32_t object, const char *&lowest) const {
  const char *begin = static_cast<char *>(call.begins[object]), *there = nullptr;
  bool is_any_absent = false, is_apart = false;
  for (int32_t row = object + 1; row < call.count; row++) {
    if (!is_member(row, object) || (call.types[row] & REX_MAP_IMPLICIT) != 0) continue;
    const void *member = call.types[row] & REX_MAP_PTR_AND_OBJ ? call.bases[row] : call.begins[row];
    const char *found = static_cast<char *>(omp_get_mapped_ptr(member, call.device_number()));
    if (found == nullptr) {
      is_any_absent |= (call.types[row] & REX_MAP_READ) == 0;
      continue;
    }
    if (lowest == nullptr || member < lowest) lowest = static_cast<const char *>(member);
    found -= static_cast<const char *>(member) - begin;
    is_apart |= there != nullptr && found != there;
    there = found;
  }
  if (there == nullptr) return is_any_absent ? Presence::none : Presence::whole;
  return is_any_absent || is_apart ? Presence::part : Presence::whole;
}

} // namespace __rex
