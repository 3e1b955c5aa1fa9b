// SPDX-License-Identifier: Apache-2.0
//
// Objects that a launch looks up without mapping them: bounds of loops, whose value is the device's where the device has
// the object (analysis/host_bounds). Such a row becomes the object's address there, or null. A row of no bytes would not
// do: libomptarget extends what is mapped to the base of its item for these, and finds members that are not there.
// Part of register_cubin.cpp.
#ifndef REX_LOOKUPS_H
#define REX_LOOKUPS_H

#include "rex_explain.h"
#include "rex_libomptarget.h"

#include <cstdint>
#include <vector>

namespace {

class Lookups {
public:
  // `has_copies`: the device has memory of its own.
  Lookups(Call &call, bool has_copies) {
    for (int32_t row = 0; row < call.count; row++)
      if ((call.types[row] & REX_MAP_LOOKED_UP) != 0) look_up(call, row, has_copies);
  }

private:
  std::vector<void *> places;
  std::vector<int64_t> types;

  void look_up(Call &call, int32_t row, bool has_copies) {
    if (types.empty()) {
      places.assign(call.begins, call.begins + call.count);
      places.insert(places.end(), call.bases, call.bases + call.count);
      types.assign(call.types, call.types + call.count);
    }
    const void *object = call.begins[row];
    int device = call.device_number();
    bool is_device = has_copies && object != nullptr && device >= 0 && device < omp_get_num_devices();
    places[row] = places[call.count + row] = is_device ? omp_get_mapped_ptr(object, device) : nullptr;
    types[row] = REX_MAP_LITERAL_PARAM;
    call.begins = places.data(), call.bases = places.data() + call.count, call.types = types.data();
  }
};

} // namespace

#endif
