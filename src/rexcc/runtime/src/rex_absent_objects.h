// SPDX-License-Identifier: Apache-2.0
//
// Objects of which a launch maps members, `map(to: s.n, s.p[0:n])`, while the device has nothing of the object and all that
// its pointers lead to. libomptarget would make room for the members, bring them, attach the pointers one by one, and take
// the room back behind the kernel. Here the kernel gets a copy that travels with it, in which the pointers are the device's
// (OpenMP 5.2, 5.8.3).
//
// It cannot be noticed. Nothing of such an object comes home, so what the kernel changes in it is lost in any case, and the
// object is gone with the launch. All that lasts is what the pointers lead to, which others hold on the device.
#ifndef REX_ABSENT_OBJECTS_H
#define REX_ABSENT_OBJECTS_H

#include "rex_call.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// The row that covers the mapped members of the object that a row belongs to; -1 where it belongs to none.
inline int32_t object_of(const Call &call, int32_t row) {
  return static_cast<int32_t>(static_cast<uint64_t>(call.types[row]) >> 48) - 1;
}

// Whether a row covers mapped members of an object and asks for nothing else, and neither its first nor its last byte is on
// the device.
bool covers_absent_object(const Call &call, int32_t row);

// Makes a copy of what such a row covers, as the kernel shall have it. False where a member is there by itself or comes home,
// or what a pointer leads to is not there as a whole, or another row leads into the object: then it has to be mapped.
bool copy_absent_object(const Call &call, int32_t row, char *copy);

} // namespace __rex

#endif
