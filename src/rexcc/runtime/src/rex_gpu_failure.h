// SPDX-License-Identifier: Apache-2.0
//
// Failures of a GPU in the user's words, for when libomptarget gives up: what it says is which of its calls have failed.
#ifndef REX_GPU_FAILURE_H
#define REX_GPU_FAILURE_H

#include "rex_call.h"
#include "rex_internal.h"

#include <string>

namespace __rex REX_HIDDEN {

// What the driver says of an error, in words, with what it does not know: that a kernel of ours has ended the program.
std::string words_for(int error, const char *of_driver);

// Says that a kernel or a copy has failed, after which a GPU does nothing more in this process; whether one has.
bool explain_failed_work(const Call &call);

// Says that the driver refuses the images of this link unit; whether it does.
bool explain_refused_images();

// Says of a kernel that cannot be launched, and of which nothing else is known, how much memory is left.
void explain_refused_launch(const Call &call);

} // namespace __rex

#endif
