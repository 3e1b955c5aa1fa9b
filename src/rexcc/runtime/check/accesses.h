// SPDX-License-Identifier: Apache-2.0
//
// What is asked of each access of the program's: of the host's, and of a kernel's.
#ifndef REX_CHECK_ACCESSES_H
#define REX_CHECK_ACCESSES_H

#include "reports.h"

namespace rex_check REX_CHECK_HIDDEN {

void host_accesses(const Found &found);
void kernel_accesses(const Found &found, bool is_atomic);

} // namespace rex_check

#endif
