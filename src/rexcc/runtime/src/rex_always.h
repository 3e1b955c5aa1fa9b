// SPDX-License-Identifier: Apache-2.0
//
// `always` copies of structs whose pointers are attached. libomptarget copies the host's bytes over the struct's image,
// its pointers too, and believes them attached as before (17 to 22). An update knows better: it attaches them again. So
// what is on the device already is updated, and everything else is new, which needs no `always`.
#ifndef REX_ALWAYS_H
#define REX_ALWAYS_H

#include "rex_call.h"
#include "rex_internal.h"

#include <vector>

namespace __rex REX_HIDDEN {

class AlwaysCopies {
public:
  explicit AlwaysCopies(const Call &given) : call(given) {
    for (int32_t i = 0; i < call.count; i++)
      if (call.types[i] & REX_MAP_COPIES_POINTERS && !call.has_mapper(i)) add(i);
  }

  // What the call shall have as its types.
  int64_t *types_or(int64_t *given) { return rows.empty() ? given : types.data(); }

  // Copies to (or from) the device those of the rows that are there.
  void copy(int64_t direction) const {
    if (!rows.empty()) update(direction);
  }

private:
  void add(int32_t row);
  void update(int64_t direction) const;

  const Call &call;
  std::vector<int32_t> rows;
  std::vector<int64_t> types;
};

} // namespace __rex

#endif
