// SPDX-License-Identifier: Apache-2.0
//
// What the link units of the program know: the program itself and its shared libraries, each with a runtime of its own
// (runtime/src). All of them tell the one checking runtime that is called.
#ifndef REX_CHECK_UNITS_H
#define REX_CHECK_UNITS_H

#include "memory.h"

#include <string>

namespace rex_check REX_CHECK_HIDDEN {

// A call of libomptarget's that a thread is in: its place, and the row that memory belongs to.
struct Row {
  bool is_in_call = false; // the rest is valid
  bool is_launch = false, has_mappers = false;
  bool is_found = false; // there is a row; the rest is about it
  bool is_private = false;
  std::string name, place;
};

// The row of the calling thread's call that a piece of the host's memory is mapped by.
Row row_of(uintptr_t host, size_t size);

// Where the construct is that the calling thread is in: "nn.c:12".
std::string place_of_call();

// Whether that construct maps something that is no value of its own.
bool maps_something();

// Whether host and device share their memory (`requires unified_shared_memory`): then no address is the wrong one.
bool shares_memory();

// Adds the variables that the images have themselves as sections, once they are loaded. To be called without the lock:
// libomptarget, which is asked for them, may hold its own while it tells the tool of memory.
void add_variables();

} // namespace rex_check

#endif
