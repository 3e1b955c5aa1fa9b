// SPDX-License-Identifier: Apache-2.0
//
// What a launch gives its kernel where the driver gets it from us and not from libomptarget: possible only if it needs
// nothing but its kernel, because all rows are values, small copies, or data that is on the device already. What is there
// is asked anew for every launch, because nothing tells us of all that may change it.
#ifndef REX_ARGUMENTS_H
#define REX_ARGUMENTS_H

#include "rex_call.h"
#include "rex_internal.h"
#include "rex_partials.h"
#include "rex_queue.h"

#include <cstring>
#include <utility>

namespace __rex REX_HIDDEN {

// Data that has been found on the device as a whole. A list item of which a part is there must be there as a whole, so
// where its beginning is where it was, the rest is. That saves a question to libomptarget, which costs time in every launch.
class SeenWhole {
public:
  // The device's address of an item's data; null when it is not there as a whole.
  static char *device_address(const void *begin, int64_t size, int device) {
    if (begin == nullptr) return nullptr; // libomptarget would complain
    auto *first = static_cast<char *>(omp_get_mapped_ptr(begin, device));
    if (first == nullptr || size <= 1) return first;
    const Seen item = {begin, size, first, device};
    Seen *seen = of_thread[reinterpret_cast<uintptr_t>(begin) * UINT64_C(0x9e3779b97f4a7c15) >> 61];
    if (seen[0].tells_of(item)) return first;
    if (seen[1].tells_of(item)) return std::swap(seen[0], seen[1]), first;
    void *last = omp_get_mapped_ptr(static_cast<const char *>(begin) + size - 1, device);
    if (last != first + size - 1) return nullptr;
    seen[1] = seen[0]; // of two that share a place neither displaces the other
    seen[0] = item;
    return first;
  }

private:
  struct Seen {
    const void *begin;
    int64_t size;
    char *there;
    int device;

    bool tells_of(const Seen &item) const {
      return begin == item.begin && there == item.there && size >= item.size && device == item.device;
    }
  };
  static REX_OF_THREAD Seen of_thread[8][2];
};

// Rows of which it is known where they are on the device, in order.
struct KnownRows {
  const int32_t *rows = nullptr;
  char *const *there = nullptr;
  int32_t count = 0;
};

// What a launch gives its kernel.
class Arguments {
public:
  // False when a row needs more than an address, a value or a small copy.
  bool resolve(const Call &call, KnownRows known = {}) {
    if (call.count > kMostArguments || call.mappers != nullptr) return false;
    count = 0, partials_argument = -1, used = 0; // what was there before may have gone
    values[0] = 0;                               // the launch environment, which no kernel uses
    for (int32_t i = 0; i < call.count; i++)
      if (is_used_member(call, i) ? !is_object_there(call, i) : !resolve(call, i, known)) return false;
    return true;
  }

  // What the driver takes; null where the copies do not get into the queue's room, or it has no memory for the results of
  // teams.
  void **parameters(const QueuedKernels &kernels, Queue &queue) {
    static_assert(Queue::kPartialsHead == Partials::kHead, "one counter");
    if (partials_argument >= 0) {
      if (!kernels.reserve_partials(queue, partials_size, wants_zeros)) return nullptr;
      values[partials_argument + 1] = kernels.partials_of(queue, wants_zeros).address;
    }
    if (used > 0 && !kernels.fill_room(queue, bytes, used)) return nullptr;
    for (int32_t i = 0; i <= count; i++) {
      if (i > 0 && is_copy[i - 1]) values[i] += queue.room;
      places[i] = &values[i];
    }
    return places;
  }

private:
  // Whether a row only says that the kernel uses a member of an object (rex_objects.h).
  static bool is_used_member(const Call &call, int32_t row) {
    int64_t type = call.types[row];
    return type != 0 && (type & ~(REX_MAP_ALL_MEMBERS | REX_MAP_READ)) == 0 && call.sizes[row] == 0;
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
      if (!bring_along(begin, call.sizes[row], (type & REX_MAP_TO) != 0, start)) return false;
      value = start + static_cast<uint64_t>(base - begin); // in the room
      return true;
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
    return there != nullptr;
  }

  // Where in the room the copy of a first-private object starts.
  bool bring_along(const char *begin, int64_t size, bool has_value, size_t &start) {
    constexpr size_t alignment = 64;
    start = (used + alignment - 1) / alignment * alignment;
    if (size < 0 || start + static_cast<size_t>(size) > Queue::kRoom) return false;
    used = start + static_cast<size_t>(size);
    if (has_value) memcpy(bytes + start, begin, static_cast<size_t>(size));
    return true;
  }

  static bool is_object_there(const Call &call, int32_t member);

  static constexpr int32_t kMostArguments = 128;
  int32_t count, partials_argument;
  int64_t partials_size = 0;
  bool wants_zeros = false;
  uint64_t values[kMostArguments + 1];
  void *places[kMostArguments + 1];
  bool is_copy[kMostArguments];
  char bytes[Queue::kRoom];
  size_t used;
};

} // namespace __rex

#endif
