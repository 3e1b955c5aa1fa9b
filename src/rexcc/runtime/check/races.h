// SPDX-License-Identifier: Apache-2.0
//
// Races: two threads of a kernel access the same bytes, one of them writes, and nothing orders the accesses.
//
// Threads are those of OpenMP, whatever OS threads execute them: all teams run one after the other, and still two of them
// race. What orders accesses of two threads is a barrier at which both have met since the first, or an atomic operation of
// the one after its access on a place where the other has an atomic operation before its own: so locks and flags work. A
// write of the value that is there already disturbs nobody who reads, or writes the same: such are flags that several
// threads set, and what stands between two loops that are collapsed, which may be executed more than once.
#ifndef REX_CHECK_RACES_H
#define REX_CHECK_RACES_H

#include "kernels.h"
#include "sections.h"

namespace rex_check REX_CHECK_HIDDEN {

// Looks at an access of the running thread's, and notes it: a write when it has happened (`settle_writes`).
void check_races(Section &section, uintptr_t address, size_t size, bool is_write, bool is_atomic, uintptr_t pc);

void settle_writes();
extern bool writes_wait; // to be settled

// Asks for what is known of an address, and of the one that the same instruction probably accesses next.
void fetch_early(const Section &section, uintptr_t address, uintptr_t pc);

// An atomic operation of the running thread's.
void synchronise(uintptr_t address);

// A kernel begins; a team; threads of it meet at a barrier.
void forget_synchronisation(unsigned threads);
void begin_team();
void meets(unsigned thread);
void met();

} // namespace rex_check

#endif
