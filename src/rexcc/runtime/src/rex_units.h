// SPDX-License-Identifier: Apache-2.0
//
// What the link units of a process tell each other: an executable and its shared libraries register for themselves, but
// they share libomptarget and its devices. The state is an environment variable, for link units have nothing else in
// common before libomptarget is asked; the first that registers owns it.
#ifndef REX_UNITS_H
#define REX_UNITS_H

#include "rex_internal.h"

#include <string>

namespace __rex REX_HIDDEN {

// Link units that have registered before this one.
struct OtherUnits {
  bool exist;
  rex_offload_kind kind;
};
OtherUnits other_units();
void tell_other_units(rex_offload_kind kind);
void forget_units();

// The program starts the GPU in the background. A library that is loaded meanwhile must not wait for that in its
// constructor: it holds the lock of the loader, which the start needs too.
void tell_other_units_of_start();
bool another_unit_starts();

// Text by which the link units of this process know what one of them has left in the environment.
std::string mark_of_process();

// Whether this link unit is the program itself, and no library.
bool is_program();

// libomptarget keeps pointers into this link unit, so a dlclose() must leave it where it is.
void stay_loaded();

} // namespace __rex

#endif
