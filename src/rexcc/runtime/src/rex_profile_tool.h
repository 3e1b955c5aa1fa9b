// SPDX-License-Identifier: Apache-2.0
//
// The profile as a tool of OpenMP's (OMPT; OpenMP 5.2, 19 and 20): libomptarget tells it of each of its copies and kernels.
// libomp asks for a tool by the name ompt_start_tool, which the program then has. Ours is none where nobody wants a profile,
// and gives way to any other.
#ifndef REX_PROFILE_TOOL_H
#define REX_PROFILE_TOOL_H

#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// Whether a tool of OpenMP's that is not ours may be linked to the program.
bool has_tool_of_others();

// Whether libomptarget tells ours.
bool profile_tool_listens();

// Before libomptarget begins: has it find libomp, which knows the tool, if there is one.
void introduce_libomp();

} // namespace __rex

#endif
