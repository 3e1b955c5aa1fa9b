// SPDX-License-Identifier: Apache-2.0
//
// What libomptarget tells of the device's memory. It tells nothing where it has not found libomp, whose tool it would call.
#ifndef REX_CHECK_TOOL_H
#define REX_CHECK_TOOL_H

#include "memory.h"

namespace rex_check REX_CHECK_HIDDEN {

// Says so, once, when a kernel begins for which something is mapped.
void look_for_tool();

} // namespace rex_check

#endif
