// SPDX-License-Identifier: Apache-2.0
//
// Who looks on while a call runs: the watchdog, tools that listen to ranges, the profile.
#ifndef REX_OBSERVED_H
#define REX_OBSERVED_H

#include "rex_nvtx.h"
#include "rex_profile.h"
#include "rex_watchdog.h"

namespace __rex REX_HIDDEN {

// A call is observed while this object lives.
struct Observed {
  explicit Observed(const Call &call) : watched(call), ranged(call), profiled(call) {}

  Watched watched;
  Ranged ranged;
  Profiled profiled;
};

} // namespace __rex

#endif
