// SPDX-License-Identifier: Apache-2.0
#include "rex_checks.h"

#include "rex_messages.h"

#include <string>

namespace __rex REX_HIDDEN {

void check_room_for(const Call &call, int64_t wanted) {
  int64_t free = Registration::of_link_unit().gpu->free_memory(call.device_number());
  if (free < 0 || wanted <= free) return;
  say(readable_place(call.place) + ": mapping needs " + std::to_string(wanted >> 20) + " MiB on the GPU, which has " +
      std::to_string(free >> 20) + " MiB free; map less, or in parts");
}

} // namespace __rex
