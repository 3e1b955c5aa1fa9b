// SPDX-License-Identifier: Apache-2.0
//
// What a launch gives its kernel where the driver gets it from us and not from libomptarget: possible only if it needs
// nothing but its kernel, because all rows are values, small copies, or data that is on the device already. What is there
// is asked anew for every launch, because nothing tells us of all that may change it.
#ifndef REX_ARGUMENTS_H
#define REX_ARGUMENTS_H

#include "rex_absent_objects.h"
#include "rex_attached_rows.h"
#include "rex_call.h"
#include "rex_internal.h"
#include "rex_partials.h"
#include "rex_queue.h"
#include "rex_seen_whole.h"

#include <cstring>

namespace __rex REX_HIDDEN {

// Rows of which it is known where they are on the device, in order.
struct KnownRows {
  const int32_t *rows = nullptr;
  char *const *there = nullptr;
  int32_t count = 0;
};

// What a launch gives its kernel.
class Arguments {
public:
  static constexpr int64_t kMostBrought = 1024, kMostAskedFor = 256; // the driver is asked for eight bytes at a time

  // False when a row needs more than an address, a value or a small copy. `is_waited_for`: the kernel is, by a thread that no
  // other maps anything beside; then copies may come home.
  bool resolve(const Call &call, bool is_waited_for, KnownRows known = {}) {
    if (call.count > kMostArguments || call.mappers != nullptr) return false;
    count = 0, partials_argument = -1, used = 0, object_count = new_count = 0; // what was there before may have gone
    filled = home_begin = home_end = 0;
    may_come_home = is_waited_for;
    values[0] = 0; // the launch environment, which no kernel uses
    for (int32_t i = 0; i < call.count; i++)
      if (is_used_member(call, i) ? !is_object_there(call, i) : !needs_nothing(call, i) && !resolve(call, i, known)) return false;
    return true;
  }

  // Whether a kernel that is in flight may be writing what goes with this one as it is now: the GPU has access to it.
  bool may_read_too_early(const Call &call, const QueuedKernels &kernels) const {
    for (int32_t i = 0; i < new_count; i++) {
      int64_t size = call.sizes[new_rows[i]];
      if (size > kMostAskedFor || kernels.knows(static_cast<char *>(call.begins[new_rows[i]]), static_cast<size_t>(size)))
        return true;
    }
    for (int32_t i = 0; object_count > 0 && i < call.count; i++) {
      if (!is_in_copy(call, i) || (call.types[i] & (REX_MAP_TO | REX_MAP_PTR_AND_OBJ)) != REX_MAP_TO) continue;
      if (kernels.knows(static_cast<char *>(call.begins[i]), static_cast<size_t>(call.sizes[i]))) return true;
    }
    return false;
  }

  // What the driver takes; null where the copies do not get into the queue's room, or it has no memory for the results of
  // teams.
  void **parameters(const QueuedKernels &kernels, Queue &queue) {
    static_assert(Queue::kPartialsHead == Partials::kHead, "one counter");
    if (partials_argument >= 0) {
      if (!kernels.reserve_partials(queue, partials_size, wants_zeros)) return nullptr;
      values[partials_argument + 1] = kernels.partials_of(queue, wants_zeros).address;
    }
    if (used > 0 && queue.room == 0) return nullptr;
    if (filled > 0 && !kernels.fill_room(queue, bytes, filled)) return nullptr;
    for (int32_t i = 0; i <= count; i++) {
      if (i > 0 && is_copy[i - 1]) values[i] += queue.room;
      places[i] = &values[i];
    }
    return places;
  }

  // Whether copies come home. They do so behind the kernel, as arrivals of the queue; false where the driver fails.
  bool come_home() const { return home_end != 0; }
  bool fetch_home(const Call &call, const QueuedKernels &kernels, Queue &queue) const;

private:
  // Whether a row only says that the kernel uses a member of an object (rex_objects.h).
  static bool is_used_member(const Call &call, int32_t row) {
    int64_t type = call.types[row];
    return type != 0 && (type & ~(REX_MAP_ALL_MEMBERS | REX_MAP_READ)) == 0 && call.sizes[row] == 0;
  }

  // Whether a row is that of a member of an object of which the kernel gets a copy.
  bool is_in_copy(const Call &call, int32_t row) const {
    int32_t object = object_of(call, row);
    for (int32_t i = 0; object >= 0 && i < object_count; i++)
      if (objects[i] == object) return true;
    return false;
  }

  // Whether a row is no argument, and asks for nothing.
  bool needs_nothing(const Call &call, int32_t row) const {
    return is_in_copy(call, row) || ((call.types[row] & REX_MAP_PARAM) == 0 && is_restated(call, row));
  }

  // Adds what one row gives the kernel.
  bool resolve(const Call &call, int32_t row, KnownRows &known) {
    constexpr int64_t plain =
        REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT | REX_MAP_LITERAL | REX_MAP_PRESENT | REX_MAP_READ;
    constexpr int64_t own_copy = REX_MAP_PARAM | REX_MAP_PRIVATE | REX_MAP_TO;
    int64_t type = call.types[row];
    char *base = static_cast<char *>(call.bases[row]), *begin = static_cast<char *>(call.begins[row]);
    if ((type & REX_MAP_PARAM) == 0) return false;
    int32_t argument = count++;
    uint64_t &value = values[argument + 1];
    is_copy[argument] = (type & ~(own_copy | REX_MAP_IMPLICIT)) == 0 && (type & REX_MAP_PRIVATE) != 0;
    if (is_copy[argument]) {
      size_t start = 0;
      if (!bring_along(begin, begin, call.sizes[row], (type & REX_MAP_TO) != 0, start)) return false;
      value = start + static_cast<uint64_t>(base - begin); // in the room
      return true;
    }
    if (object_count < kMostObjects && covers_absent_object(call, row)) {
      size_t start = 0;
      if (!bring_along(base, begin, call.sizes[row], false, start)) return false;
      if (!copy_absent_object(call, row, bytes + start)) return false;
      filled = used;
      value = start + static_cast<uint64_t>(base - begin);
      objects[object_count++] = row;
      return is_copy[argument] = true;
    }
    if ((type & REX_MAP_PARTIALS) != 0) {
      partials_argument = argument;
      partials_size = call.sizes[row];
      wants_zeros = (type & REX_MAP_ZEROED) != 0;
      return true;
    }
    if ((type & ~(plain | REX_MAP_REDUCED)) != 0) return false;
    if ((type & REX_MAP_LITERAL) != 0) {
      value = reinterpret_cast<uintptr_t>(base);
      return true;
    }
    if (known.count > 0 && *known.rows == row) {
      value = reinterpret_cast<uintptr_t>(*known.there + (base - begin));
      known = {known.rows + 1, known.there + 1, known.count - 1};
      return true;
    }
    // Where an implicit item is there in part, that part is what is meant.
    char *there = SeenWhole::device_address(begin, (type & REX_MAP_IMPLICIT) != 0 ? 0 : call.sizes[row],
                                            static_cast<int>(call.device));
    value = reinterpret_cast<uintptr_t>(there + (base - begin));
    return there != nullptr || (is_new_of_launch(type) && bring_new(call, row, argument));
  }

  bool is_new_of_launch(int64_t type) const {
    if (type == (REX_MAP_PARAM | REX_MAP_TO)) return true;
    return may_come_home && (type & ~REX_MAP_TOFROM) == REX_MAP_PARAM && (type & REX_MAP_FROM) != 0;
  }

  // Adds a copy of a small row that is not there: its mapping would end with the kernel.
  bool bring_new(const Call &call, int32_t row, int32_t argument) {
    constexpr size_t of_libomptarget = 256; // its alignment
    const char *begin = static_cast<char *>(call.begins[row]);
    size_t start = 0;
    if (new_count == kMostObjects || !is_brought_alone(call, row)) return false;
    if (!bring_along(begin, begin, call.sizes[row], (call.types[row] & REX_MAP_TO) != 0, start, of_libomptarget)) return false;
    values[argument + 1] = start + static_cast<uint64_t>(static_cast<char *>(call.bases[row]) - begin);
    if ((call.types[row] & REX_MAP_FROM) != 0) {
      if (home_end == 0) home_begin = start;
      home_end = used;
    }
    new_starts[new_count] = start;
    new_rows[new_count++] = row;
    return is_copy[argument] = true;
  }

  // Where in the room the copy of an object starts: where `base`, from which the kernel counts, is aligned. So are the members
  // then, also where the copy begins with a later one than the first.
  bool bring_along(const char *base, const char *begin, int64_t size, bool has_value, size_t &start, size_t alignment = 64) {
    size_t before = static_cast<size_t>(begin - base) % alignment;
    start = (used + alignment - 1) / alignment * alignment + before;
    if (size < 0 || start + static_cast<size_t>(size) > Queue::kRoom) return false;
    used = start + static_cast<size_t>(size);
    if (!has_value) return true;
    memcpy(bytes + start, begin, static_cast<size_t>(size));
    filled = used;
    return true;
  }

  static bool is_object_there(const Call &call, int32_t member);
  static bool is_brought_alone(const Call &call, int32_t row);

  static constexpr int32_t kMostArguments = 128, kMostObjects = 8;
  int32_t count, partials_argument, object_count, new_count, objects[kMostObjects], new_rows[kMostObjects];
  int64_t partials_size = 0;
  bool wants_zeros = false;
  uint64_t values[kMostArguments + 1];
  void *places[kMostArguments + 1];
  bool is_copy[kMostArguments];
  bool may_come_home = false;
  size_t new_starts[kMostObjects], home_begin = 0, home_end = 0; // in the room
  char bytes[Queue::kRoom];
  size_t used, filled; // filled: up to the last one that has a value
};

} // namespace __rex

#endif
