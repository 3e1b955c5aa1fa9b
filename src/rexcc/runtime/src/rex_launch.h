// SPDX-License-Identifier: Apache-2.0
//
// What REX_INFO and REX_PROFILE tell of a launch. The launch itself is rex___tgt_target_kernel in rex_runtime.h: where it goes, and what
// is checked before.
#ifndef REX_LAUNCH_H
#define REX_LAUNCH_H

#include "rex_internal.h"
#include "rex_profile.h"
#include "rex_registration.h"

namespace __rex REX_HIDDEN {

void tell_launch(const __rex_ident *place, int64_t device, int teams, int threads, bool launched);

inline void show_launch(const __rex_ident *place, int64_t device, int teams, int threads, bool launched) {
  if (!launched && Profile::opened() != nullptr) Profile::opened()->left_to_host(place);
  if (Registration::of_link_unit().shows_launches) tell_launch(place, device, teams, threads, launched);
}

} // namespace __rex

#endif
