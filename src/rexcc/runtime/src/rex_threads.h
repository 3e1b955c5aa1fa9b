// SPDX-License-Identifier: Apache-2.0
//
// Threads of the runtime's own.
#ifndef REX_THREADS_H
#define REX_THREADS_H

#include "rex_internal.h"

#include <functional>
#include <thread>

namespace __rex REX_HIDDEN {

// Runs a function in a thread that gets none of the program's signals; false when there can be no thread.
bool run_beside(std::thread &thread, const std::function<void()> &function);

// Between two looks at what another thread is about to change.
void wait_a_little();

} // namespace __rex

#endif
