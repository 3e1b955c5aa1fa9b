// SPDX-License-Identifier: Apache-2.0
//
// Objects that a launch looks up without mapping them: bounds of loops, whose value is the device's where the device has
// the object (analysis/host_bounds). Such a row becomes the object's address there, or null. A row of no bytes would not
// do: libomptarget extends what is mapped to the base of its item for these, and finds members that are not there.
#ifndef REX_LOOKUPS_H
#define REX_LOOKUPS_H

#include "rex_call.h"
#include "rex_internal.h"

#include <vector>

namespace __rex REX_HIDDEN {

class Lookups {
public:
  // `has_variables`: those of the modules may have values of their own there.
  Lookups(Call &call, bool has_variables) {
    for (int32_t row = 0; row < call.count; row++)
      if ((call.types[row] & REX_MAP_LOOKED_UP) != 0) look_up(call, row, has_variables);
  }

private:
  void look_up(Call &call, int32_t row, bool has_variables);

  std::vector<void *> places;
  std::vector<int64_t> types;
};

} // namespace __rex

#endif
