// SPDX-License-Identifier: Apache-2.0
#include "rex_lookups.h"

namespace __rex REX_HIDDEN {

void Lookups::look_up(Call &call, int32_t row, bool has_variables) {
  if (types.empty()) {
    places.assign(call.begins, call.begins + call.count);
    places.insert(places.end(), call.bases, call.bases + call.count);
    types.assign(call.types, call.types + call.count);
  }
  const void *object = call.begins[row];
  int device = call.device_number();
  bool is_device = has_variables && object != nullptr && device >= 0 && device < omp_get_num_devices();
  void *there = is_device ? omp_get_mapped_ptr(object, device) : nullptr;
  places[row] = places[call.count + row] = there != object ? there : nullptr; // shared memory is where it is
  types[row] = REX_MAP_LITERAL_PARAM;
  call.begins = places.data(), call.bases = places.data() + call.count, call.types = types.data();
}

} // namespace __rex
