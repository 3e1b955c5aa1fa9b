// SPDX-License-Identifier: Apache-2.0
//
// Objects that a region maps implicitly besides members of them that it names: `*this`. Where a part of such an object is
// on the device already, only this part is mapped (OpenMP 5.2, 5.8.3): its row is implicit, and libomptarget takes what
// there is. But the members that the region uses must be in that part; those that no clause names have rows of no bytes.
// If one is not, the row asks for all of the object, which libomptarget maps where nothing of it is there, and else
// refuses. Part of register_cubin.cpp.
#ifndef REX_OBJECTS_H
#define REX_OBJECTS_H

#include "rex_explain.h"

#include <vector>

namespace {

class PartialObjects {
public:
  explicit PartialObjects(const Call &given) : call(given) {
    for (int32_t row = 0; row + 1 < call.count; row++) {
      if (!covers_object(row) || members_are_there(row)) continue;
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
    constexpr int64_t asked = REX_MAP_IMPLICIT | REX_MAP_TOFROM | REX_MAP_LITERAL | REX_MAP_ALL_MEMBERS;
    return (call.types[row] & asked) == REX_MAP_IMPLICIT && call.sizes[row] > 0 && is_member(row + 1, row);
  }

  bool members_are_there(int32_t object) const {
    for (int32_t row = object + 1; row < call.count; row++) {
      if (!is_member(row, object) || (call.types[row] & REX_MAP_IMPLICIT) != 0) continue;
      const void *member = call.types[row] & REX_MAP_PTR_AND_OBJ ? call.bases[row] : call.begins[row];
      if (omp_get_mapped_ptr(member, call.device_number()) == nullptr) return false;
    }
    return true;
  }
};

} // namespace

#endif
