// SPDX-License-Identifier: Apache-2.0
//
// Rows of members of an object that is on the device, `map(tofrom: s->p[0:n])`, where what the pointer leads to is there,
// too: mappings are restated. libomptarget counts references up and down, and attaches the pointer if it has not been. Where
// a launch of its own has left the pointer as it would have to be, a launch needs nothing of that (rex_attachments.h).
#ifndef REX_ATTACHED_ROWS_H
#define REX_ATTACHED_ROWS_H

#include "rex_call.h"
#include "rex_gate.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// Whether a row that is no argument of the kernel asks for nothing but what is there already.
bool is_restated(const Call &call, int32_t row);

// What libomptarget leaves behind a launch of its own: made before it, for pointers in memory that it finds mapped.
class LeftAttached {
public:
  explicit LeftAttached(const Call &launch);
  void note() const;

private:
  static constexpr int kMost = 16;

  const Call &call;
  int32_t rows[kMost], count = 0;
  uint64_t unmapped = 0;
};

} // namespace __rex

#endif
