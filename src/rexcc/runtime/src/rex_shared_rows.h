// SPDX-License-Identifier: Apache-2.0
//
// Rows where memory is shared, but not all of it (rex_shared_memory.h): libomptarget hands the host's addresses to kernels,
// and has to map what the GPU cannot read, which the modifier `close` asks for.
#ifndef REX_SHARED_ROWS_H
#define REX_SHARED_ROWS_H

#include "rex_call.h"
#include "rex_internal.h"
#include "rex_shared_memory.h"

#include <vector>

namespace __rex REX_HIDDEN {

class SharedRows {
public:
  explicit SharedRows(const Call &call) {
    if (const SharedMemory *memory = SharedMemory::of_link_unit()) look_at(call, *memory);
  }

  // What the call shall have as its types.
  int64_t *types_or(int64_t *given) { return types.empty() ? given : types.data(); }

private:
  void look_at(const Call &call, const SharedMemory &memory);

  std::vector<int64_t> types;
};

} // namespace __rex

#endif
