// SPDX-License-Identifier: Apache-2.0
//
// Starting the GPU beside the beginning of the program. A thread starts the driver and makes the contexts, which is most
// of the time. It asks nothing of libomptarget: libomptarget loads libraries under its locks, and a program that loads one
// itself at that moment, whose constructor asks for devices, would wait for ever. So the images are registered by the
// first thread that needs them, as soon as the driver is there.
#ifndef REX_BACKGROUND_H
#define REX_BACKGROUND_H

#include "rex_gpu.h"
#include "rex_internal.h"
#include "rex_settings.h"

#include <memory>

namespace __rex REX_HIDDEN {

// False when there can be no thread.
bool start_in_background(Wait wait);

// Whether that has been tried.
bool is_begun_in_background();

// The driver as the thread has left it; nothing when there is no thread, or somebody has the driver already.
std::unique_ptr<Gpu> started_in_background();

} // namespace __rex

#endif
