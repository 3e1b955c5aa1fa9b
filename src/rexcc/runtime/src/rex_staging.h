// SPDX-License-Identifier: Apache-2.0
//
// Copies between host and GPU, taken over from libomptarget, which leaves them to the driver (rex_copy_ring.h says what
// that costs). libomptarget still maps, counts references and decides what is new and what is the last: it is called
// with rows that copy nothing, and what it would have copied is copied here.
//
// That has to be invisible. Between the call and the copy no other thread may find the mapping (rex_calls_inside.h): where
// one works on the same memory already, libomptarget copies itself. Rows are left to it too if there is anything special about
// them: other rows for a part of them, pointers attached in them, modifiers, gaps, mappers.
#ifndef REX_STAGING_H
#define REX_STAGING_H

#include "rex_call.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_rings.h"

#include <vector>

// Tests copy to the CPU device, with a driver of their own.
#ifndef REX_STAGING_KIND
#define REX_STAGING_KIND REX_ON_GPU
#endif

namespace __rex REX_HIDDEN {

// Whether another row speaks of the same memory, or belongs to this one; whether pointers may be attached in it.
bool has_relatives(const Call &call, int32_t row);
bool has_attached_pointers(const Call &call, int32_t row);

// The three calls of libomptarget; `types` are those of the call, perhaps changed by others already.
void begin_data(const Call &call, int64_t *types, Inside &inside);
void end_data(const Call &call, int64_t *types, Inside &inside);
void update_data(const Call &call, int64_t *types);

// A launch maps its rows itself. Large ones that are new are mapped before it and unmapped after it, to the same effect.
class MappedForLaunch {
public:
  MappedForLaunch(const Call &launch, Inside &given) : call(launch), inside(given) {
    if (Staging::of_link_unit() != nullptr && has_new_rows()) begin();
  }
  MappedForLaunch(const MappedForLaunch &) = delete;

  // After a launch that failed nothing has changed.
  void finish(bool launched) {
    if (!bases.empty()) end(launched);
  }

private:
  // Most launches have none: their data has been mapped before.
  bool has_new_rows() const {
    for (int32_t row = 0; row < call.count; row++)
      if (call.sizes[row] >= Staging::kSmallest && (call.types[row] & REX_MAP_TOFROM) != 0 && !was_present(row))
        return true;
    return false;
  }
  bool was_present(int32_t row) const { return SeenAddresses::was_present(call.begins[row], call.device_number()); }

  void begin();
  void end(bool launched);
  void add(int32_t row);

  const Call &call;
  Inside &inside;
  Call mapped{};
  std::vector<void *> bases, begins, names;
  std::vector<int64_t> sizes, types;
};

} // namespace __rex

#endif
