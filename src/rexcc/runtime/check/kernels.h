// SPDX-License-Identifier: Apache-2.0
//
// What each thread of the program does: whether it executes a kernel, for which thread of which team, and in which call.
#ifndef REX_CHECK_KERNELS_H
#define REX_CHECK_KERNELS_H

#include "../include/rex_check.h"
#include "memory.h"

#include <string>

namespace rex_check REX_CHECK_HIDDEN {

// A kernel that is executed. Kernels are executed one at a time, their teams one after the other, and the threads of a
// team in turns: `now` counts what happens, so that of two events the earlier has the smaller number.
struct Kernel {
  uint32_t start;   // when it began
  unsigned threads; // of a team
  unsigned team, thread;
  std::string place;
  bool shares_memory; // with the host
  uintptr_t frame; // on the stack: from here on it is the host's, to its end
  uintptr_t end_of_stack;

  uint32_t who() const { return team * threads + thread; }
};
extern uint32_t now;

// The kernel that the calling thread executes, and whether it is the program that runs or the runtime.
extern REX_CHECK_OF_THREAD Kernel *running_kernel;
extern REX_CHECK_OF_THREAD bool runs_program;

} // namespace rex_check

#endif
