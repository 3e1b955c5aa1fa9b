// SPDX-License-Identifier: Apache-2.0
//
// Failed mappings in the user's words. libomptarget speaks of addresses and ends the program; this says which list item
// it was, and where it stands.
//
// What `present` asks for is looked up before the call: only rows with that bit cost anything. Everything else is found
// when it is too late, by a handler of SIGABRT (where the program has none of its own): a call leaves a pointer to its
// rows (CurrentCall), and in libomptarget's abort() the first row that is not on the device is the one that failed.
#ifndef REX_EXPLAIN_H
#define REX_EXPLAIN_H

#include "rex_call.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// Writes "rex: nn.c:12:34: 'a[0:n]' (800 bytes) " and the two parts of the sentence around the device's number. Nothing
// is allocated: this may be the middle of an abort().
void tell(const Call &call, int32_t row, const char *said, const char *rest);

// Has libomptarget load the images on a device; whether it has that device.
using LoadImages = bool(int device);

// Ends the program, as OpenMP demands, if a row is absent that has to be present.
void check_row(const Call &call, int32_t row, LoadImages *load);

// The same for all rows. The variables of the images are there only once `load` has had libomptarget load them, which on
// most devices has long been done.
inline void check_present(const Call &call, LoadImages *load) {
  for (int32_t row = 0; row < call.count; row++)
    if ((call.types[row] & REX_MAP_PRESENT) != 0) check_row(call, row, load);
}

// Installs the handler.
void explain_failures();

} // namespace __rex

#endif
