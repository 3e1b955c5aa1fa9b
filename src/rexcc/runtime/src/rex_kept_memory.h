// SPDX-License-Identifier: Apache-2.0
//
// Device memory that libomptarget keeps when it is no longer mapped: the driver takes longer to give and to take back blocks
// from 2 MiB on than they take to copy. libomptarget has blocks of each size for the next that is as large, as many as were
// mapped at once, and gives all back when the device has no memory left.
#ifndef REX_KEPT_MEMORY_H
#define REX_KEPT_MEMORY_H

#include "rex_gpu.h"
#include "rex_internal.h"
#include "rex_ranks.h"

namespace __rex REX_HIDDEN {

// The largest blocks that are kept, 0 for libomptarget's own choice: so small that two thousand different ones are not more
// than the device has, and none where ranks share a device, which would lack what another one keeps.
int64_t largest_kept(int64_t memory_of_device, const Rank &rank, int devices);

// Before libomptarget starts the devices. What the user has chosen counts.
void keep_memory(const Gpu &gpu);

} // namespace __rex

#endif
