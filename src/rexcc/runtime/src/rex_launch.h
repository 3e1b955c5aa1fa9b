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

// How many threads each team of a launch has on the kind of device in use: no GPU has larger blocks than that, and kernels
// may have less room; OpenMP's thread numbers are upper limits (5.2, 10.1.1 and 13.3).
int threads_to_launch(const void *host_ptr, int threads);

void tell_launch(const __rex_ident *place, int64_t device, int teams, int threads, bool launched);

inline void show_launch(const __rex_ident *place, int64_t device, int teams, int threads, bool launched) {
  if (!launched && Profile::opened() != nullptr) Profile::opened()->left_to_host(place);
  if (Registration::of_link_unit().shows_launches) tell_launch(place, device, teams, threads, launched);
}

} // namespace __rex

#endif
