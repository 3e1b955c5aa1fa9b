// SPDX-License-Identifier: Apache-2.0
//
// Where list items are on the device, for launches that are made without libomptarget.
#ifndef REX_SEEN_WHOLE_H
#define REX_SEEN_WHOLE_H

#include "rex_internal.h"

#include <atomic>
#include <cstdint>
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

// Rows that are brought for one launch alone, and that libomptarget has mapped at least once as they are: then no part of
// them was there by itself, which it would have told. Nothing but that message may depend on it.
class SeenNew {
public:
  static void note(const void *begin, int64_t size, int device) {
    uint64_t row = mixed(begin, size, device);
    latest[row >> 56].store(row, std::memory_order_relaxed);
  }
  static bool was_new(const void *begin, int64_t size, int device) {
    uint64_t row = mixed(begin, size, device);
    return latest[row >> 56].load(std::memory_order_relaxed) == row;
  }

private:
  static uint64_t mixed(const void *begin, int64_t size, int device) {
    uint64_t of_size = static_cast<uint64_t>(size) << 48 | static_cast<uint64_t>(device) << 60;
    return (reinterpret_cast<uintptr_t>(begin) ^ of_size) * UINT64_C(0x9e3779b97f4a7c15);
  }
  static std::atomic<uint64_t> latest[256]; // of all threads
};

} // namespace __rex

#endif
