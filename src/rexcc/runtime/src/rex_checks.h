// SPDX-License-Identifier: Apache-2.0
//
// What is done before libomptarget is asked to map anything: global variables are attached, and rows are checked of which
// it would say less.
#ifndef REX_CHECKS_H
#define REX_CHECKS_H

#include "rex_call.h"
#include "rex_explain.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_registration.h"
#include "rex_shared_rows.h"

namespace __rex REX_HIDDEN {

// Tells of a device without room for so many bytes.
void check_room_for(const Call &call, int64_t wanted);

// Where the device has no room libomptarget ends the program with lines about pointers. Said here first, in one
// sentence; only large mappings are worth the question.
inline void check_room(const Call &call) {
  constexpr int64_t large = INT64_C(1) << 30;
  if (rex_offload.kind != REX_ON_GPU) return;
  int number = call.device_number();
  int64_t wanted = 0;
  for (int32_t i = 0; i < call.count; i++)
    if (call.sizes[i] >= large && !(call.types[i] & REX_MAP_LITERAL) &&
        !SeenAddresses::was_present(call.begins[i], number))
      wanted += call.sizes[i];
  if (wanted > 0) check_room_for(call, wanted);
}

// Shared memory needs no mapping, so nothing can be missing; what is not shared all the same is found here.
inline void check_rows(Call &call) {
  attach_globals(call.device);
  if (has_copies()) check_present(call, load_images);
  else share_rows(call);
  if (call.kind == CallKind::data_begin || call.kind == CallKind::kernel) check_room(call);
}

} // namespace __rex

#endif
