// SPDX-License-Identifier: Apache-2.0
//
// Updates that the driver gets from us. In batches they are queued behind the kernels before them and before those after
// them; the host waits for what it gets only.
#ifndef REX_UPDATES_H
#define REX_UPDATES_H

#include "rex_call.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// Whether an update has been made without libomptarget. In a batch, if not, nothing is in the thread's queue any more.
bool updated_directly(const Call &call);

// The same for one that is a task, in a batch. What comes home may arrive at the batch's end.
bool updated_as_task(const Call &call);

} // namespace __rex

#endif
