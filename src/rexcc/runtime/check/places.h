// SPDX-License-Identifier: Apache-2.0
//
// Which line of the user's an instruction belongs to, as the machine's addr2line or llvm-symbolizer say.
#ifndef REX_CHECK_PLACES_H
#define REX_CHECK_PLACES_H

#include "memory.h"

#include <string>
#include <vector>

namespace rex_check REX_CHECK_HIDDEN {

struct Line {
  std::string text; // "file:line", or the module and the offset where no tool says more
  bool is_users;    // not of a header of the system's, and no generated one
  bool in_runtime;  // the instruction itself is of a header of the runtime's, whatever function that is inlined in
};

// The line of the call before an address to return to: of the functions that are inlined there, the innermost that is the
// user's; otherwise the innermost.
Line line_of(uintptr_t address);

// The same for the calling thread's stack below an address to return to: the first line that is the user's.
Line line_of_stack(uintptr_t address);

} // namespace rex_check

#endif
