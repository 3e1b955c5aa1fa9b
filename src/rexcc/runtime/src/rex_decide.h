// SPDX-License-Identifier: Apache-2.0
//
// Where the target regions of a link unit run: on the GPU, on the CPU device, or on the host itself. The answer is one
// for all modules, for regions share mapped data, and for all link units, for they share libomptarget's devices. Whenever
// it is not the expected one, a sentence says so.
#ifndef REX_DECIDE_H
#define REX_DECIDE_H

#include "rex_gpu.h"
#include "rex_internal.h"
#include "rex_modules.h"
#include "rex_units.h"

#include <string>

namespace __rex REX_HIDDEN {

struct Decision {
  rex_offload_kind kind = REX_ON_HOST;
  bool stop = false;
  std::string sentence; // for stderr; empty when everything is as expected
};

// `cubin` holds the bytes of REX_CUBIN's file, if there is one.
Decision decide(const Gpu &gpu, const Modules &modules, const std::string &cubin, OtherUnits others);

// libomptarget has got the images and offers no device all the same.
Decision refused();

} // namespace __rex

#endif
