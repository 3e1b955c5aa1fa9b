// SPDX-License-Identifier: Apache-2.0
//
// `always` copies of structs whose pointers are attached. libomptarget copies the host's bytes over the struct's image,
// its pointers too, and believes them attached as before (17 to 22). An update knows better: it attaches them again. So
// what is on the device already is updated, and everything else is new, which needs no `always`. Part of
// register_cubin.cpp.
#ifndef REX_ALWAYS_H
#define REX_ALWAYS_H

#include "rex_explain.h"

#include <vector>

namespace {

class AlwaysCopies {
public:
  explicit AlwaysCopies(const Call &given) : call(given) {
    for (int32_t i = 0; i < call.count; i++)
      if (call.types[i] & REX_MAP_COPIES_POINTERS && !call.has_mapper(i)) rows.push_back(i);
    if (rows.empty()) return;
    types.assign(call.types, call.types + call.count);
    for (int32_t row : rows) types[row] &= ~(REX_MAP_ALWAYS | REX_MAP_COPIES_POINTERS);
  }

  // What the call shall have as its types.
  int64_t *types_or(int64_t *given) { return rows.empty() ? given : types.data(); }

  // Copies to (or from) the device those of the rows that are there. `update` calls the runtime.
  template <class Update> void copy(int64_t direction, Update update) const {
    std::vector<void *> bases, begins;
    std::vector<int64_t> sizes, directions;
    for (int32_t row : rows) {
      if (!(call.types[row] & direction)) continue;
      bases.push_back(call.bases[row]);
      begins.push_back(call.begins[row]);
      sizes.push_back(call.sizes[row]);
      directions.push_back(direction);
    }
    if (!bases.empty())
      update(static_cast<int32_t>(bases.size()), bases.data(), begins.data(), sizes.data(), directions.data());
  }

private:
  const Call &call;
  std::vector<int32_t> rows;
  std::vector<int64_t> types;
};

} // namespace

#endif
