// SPDX-License-Identifier: Apache-2.0
#include "rex_always.h"

namespace __rex REX_HIDDEN {

void AlwaysCopies::add(int32_t row) {
  if (rows.empty()) types.assign(call.types, call.types + call.count);
  rows.push_back(row);
  types[row] &= ~(REX_MAP_ALWAYS | REX_MAP_COPIES_POINTERS);
}

void AlwaysCopies::update(int64_t direction) const {
  std::vector<void *> bases, begins;
  std::vector<int64_t> sizes, directions;
  for (int32_t row : rows) {
    if (!(call.types[row] & direction)) continue;
    bases.push_back(call.bases[row]);
    begins.push_back(call.begins[row]);
    sizes.push_back(call.sizes[row]);
    directions.push_back(direction);
  }
  if (bases.empty()) return;
  __rex_ident place = *call.place;
  __tgt_target_data_update_mapper(&place, call.device, static_cast<int32_t>(bases.size()), bases.data(), begins.data(),
                                  sizes.data(), directions.data(), nullptr, nullptr);
}

} // namespace __rex
