// SPDX-License-Identifier: Apache-2.0
//
// Rows where memory is shared, but not all of it (rex_shared_memory.h): libomptarget hands the host's addresses to kernels,
// and has to map what the GPU cannot read, which the modifier `close` asks for.
#ifndef REX_SHARED_ROWS_H
#define REX_SHARED_ROWS_H

#include "rex_call.h"
#include "rex_internal.h"
#include "rex_shared_memory.h"

namespace __rex REX_HIDDEN {

// Gives a call that maps its rows such types.
void share_rows(Call &call, const SharedMemory &memory);
inline void share_rows(Call &call) {
  if (call.kind != CallKind::data_begin && call.kind != CallKind::kernel) return;
  if (const SharedMemory *memory = SharedMemory::of_link_unit()) share_rows(call, *memory);
}

} // namespace __rex

#endif
