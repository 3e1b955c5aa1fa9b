// SPDX-License-Identifier: Apache-2.0
//
// Objects that a region maps implicitly and uses members of. Where a part of such an object is on the device already,
// only this part is mapped (OpenMP 5.2, 5.8.3): its row is implicit, and libomptarget takes what there is. But the
// members that the region uses must be in that part; those that no clause names have rows of no bytes. If one is not,
// the row asks for all of the object, which libomptarget maps where nothing of it is there, and else refuses. Of what a
// pointer without a clause points to, nothing is mapped: either all members that the region uses are there, or none,
// where the pointer may be the device's. Part of register_cubin.cpp.
#ifndef REX_OBJECTS_H
#define REX_OBJECTS_H

#include "rex_explain.h"

#include <vector>

namespace {

class PartialObjects {
public:
  explicit PartialObjects(const Call &given) : call(given) {
    for (int32_t row = 0; row + 1 < call.count; row++) {
      if (!covers_object(row)) continue;
      Presence found = members(row);
      if (found == Presence::whole) continue;
      if (call.sizes[row] == 0 && found == Presence::part) tell_members(row);
      if (call.sizes[row] == 0) continue;
      if (types.empty()) types.assign(call.types, call.types + call.count);
      types[row] &= ~REX_MAP_IMPLICIT;
    }
  }

  // What the call shall have as its types.
  int64_t *types_or(int64_t *given) { return types.empty() ? given : types.data(); }

private:
  const Call &call;
  std::vector<int64_t> types;

  bool is_member(int32_t row, int32_t object) const {
    return (call.types[row] & REX_MAP_ALL_MEMBERS) == REX_MAP_MEMBER_OF(object);
  }

  bool covers_object(int32_t row) const {
    constexpr int64_t asked = REX_MAP_IMPLICIT | REX_MAP_LITERAL | REX_MAP_ALL_MEMBERS;
    return (call.types[row] & asked) == REX_MAP_IMPLICIT && is_member(row + 1, row);
  }

  // Ends the program: part of what a pointer points to is there, and not all of the rest that the kernel uses.
  [[noreturn]] void tell_members(int32_t object) const {
    for (int32_t row = object + 1; row < call.count; row++)
      if (is_member(row, object) && omp_get_mapped_ptr(call.begins[row], call.device_number()) == nullptr)
        tell(call, row, "is used here, and is not with the other members of its object on device",
             "; map all of the object where its first part is mapped");
    abort();
  }

  // Whether they are there, in one part: as far apart as on the host.
  Presence members(int32_t object) const {
    const char *begin = static_cast<char *>(call.begins[object]), *there = nullptr;
    bool is_any_absent = false, is_apart = false;
    for (int32_t row = object + 1; row < call.count; row++) {
      if (!is_member(row, object) || (call.types[row] & REX_MAP_IMPLICIT) != 0) continue;
      const void *member = call.types[row] & REX_MAP_PTR_AND_OBJ ? call.bases[row] : call.begins[row];
      const char *found = static_cast<char *>(omp_get_mapped_ptr(member, call.device_number()));
      if (found == nullptr) {
        is_any_absent = true;
        continue;
      }
      found -= static_cast<const char *>(member) - begin;
      is_apart |= there != nullptr && found != there;
      there = found;
    }
    if (there == nullptr) return is_any_absent ? Presence::none : Presence::whole;
    return is_any_absent || is_apart ? Presence::part : Presence::whole;
  }
};

} // namespace

#endif
