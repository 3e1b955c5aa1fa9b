// SPDX-License-Identifier: Apache-2.0
//
// What the CPU device tells the checking runtime of the threads that it executes (rex_check.h); nothing in other programs.
// Part of rex_host_teams.h.
#ifndef REX_HOST_CHECK_H
#define REX_HOST_CHECK_H

#ifdef REX_CHECK
#include "rex_check.h"
#endif

namespace rex_host __attribute__((visibility("hidden"))) {

#ifdef REX_CHECK
static inline void runs_program() { rex_check_runs(blockIdx.x, threadIdx.x); }
static inline void pauses_program() { rex_check_pauses(); }
static inline void meets(int thread) { rex_check_meets((unsigned)thread); }
static inline void met() { rex_check_met(); }
#else
static inline void runs_program() {}
static inline void pauses_program() {}
static inline void meets(int) {}
static inline void met() {}
#endif

// While it lives the program runs, not the runtime.
struct RunsProgram {
  RunsProgram() { runs_program(); }
  ~RunsProgram() { pauses_program(); }
  RunsProgram(const RunsProgram &) = delete;
};

} // namespace rex_host

#endif
