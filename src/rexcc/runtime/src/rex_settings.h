// SPDX-License-Identifier: Apache-2.0
//
// What a run may choose: where it offloads, how the host waits for the GPU, when the GPU is started, and how many threads
// carry large copies. The program was linked with one of the choices (rexcc's --rex-wait= and --rex-init=), and the
// environment may name another.
#ifndef REX_SETTINGS_H
#define REX_SETTINGS_H

#include "rex_internal.h"

#include <string>

namespace __rex REX_HIDDEN {

// The text of an environment variable; null where it is not set, or set to nothing.
const char *setting(const char *variable);

bool switched_on(const char *variable);

// Sets one. The runtime's own calls do not count as the program's (rex_relocations.h), which may set what OpenMP reads when
// it begins.
void set_variable(const char *variable, const std::string &value);

// Whether OMP_TARGET_OFFLOAD is that word.
bool offload_policy_is(const char *policy);

// How the host waits for the GPU; the values are the driver's.
enum class Wait { spin = 1, yield = 2, block = 4 };
Wait wait_policy();

// eager: before main begins, so that no timer of the program's sees it. overlap: beside the beginning of main.
enum class Init { eager, overlap };
Init init_policy();

// Cores of the CPU device.
int host_cores();

// Threads that carry a large copy (rex_staging.h), 0 leaves them to the driver; and those of all copies that are under way
// at once.
int copy_threads();
int copy_threads_of_all_devices();

// How long a call may take before the program ends (rex_watchdog.h), 0 for as long as it likes.
int watchdog_seconds();

// Tells of every setting that is none, with what is legal: a misspelt wish is not to be passed over in silence.
void check_settings();

} // namespace __rex

#endif
