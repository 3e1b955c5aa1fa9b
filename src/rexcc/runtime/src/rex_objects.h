// SPDX-License-Identifier: Apache-2.0
//
// Objects that a region maps implicitly and uses members of. Where a part of such an object is on the device already,
// only this part is mapped (OpenMP 5.2, 5.8.3): its row is implicit, and libomptarget takes what there is. But the
// members that the region uses must be in that part; those that no clause names have rows of no bytes. If one is not,
// the row asks for all of the object, which libomptarget maps where nothing of it is there, and else refuses. Where the
// kernel only reads numbers of which none are there, it gets a copy of the object: those of an object that has others
// inside, parts of which these have mapped. For this it has rows of arrays and of members under conditions too, with
// REX_MAP_READ: these need not be there. Of what a
// pointer without a clause points to, nothing is mapped: either all members that the region uses are there, or none,
// where the pointer may be the device's.
#ifndef REX_OBJECTS_H
#define REX_OBJECTS_H

#include "rex_call.h"
#include "rex_internal.h"

#include <vector>

namespace __rex REX_HIDDEN {

class PartialObjects {
public:
  explicit PartialObjects(const Call &given) : call(given) {
    for (int32_t row = 0; row + 1 < call.count; row++)
      if (covers_object(row)) ask_for_members(row);
  }

  // Gives the call the types, and the places of objects, that it shall have.
  void put_into(Call &given) {
    if (!types.empty()) given.types = types.data();
    if (!begins.empty()) given.begins = begins.data();
    if (!sizes.empty()) given.sizes = sizes.data();
  }

private:
  bool is_member(int32_t row, int32_t object) const {
    return (call.types[row] & REX_MAP_ALL_MEMBERS) == REX_MAP_MEMBER_OF(object);
  }

  bool covers_object(int32_t row) const {
    constexpr int64_t asked = REX_MAP_IMPLICIT | REX_MAP_LITERAL | REX_MAP_ALL_MEMBERS;
    return (call.types[row] & asked) == REX_MAP_IMPLICIT && is_member(row + 1, row);
  }

  void ask_for_members(int32_t row);
  bool is_none_there(int32_t object) const;
  std::vector<int64_t> &types_of_call();
  [[noreturn]] void tell_members(int32_t object) const;
  void ask_at(int32_t row, const char *member);
  Presence members(int32_t object, const char *&lowest) const;

  const Call &call;
  std::vector<int64_t> types, sizes;
  std::vector<void *> begins;
};

} // namespace __rex

#endif
