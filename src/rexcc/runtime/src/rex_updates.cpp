// SPDX-License-Identifier: Apache-2.0
#include "rex_updates.h"

#include "rex_arguments.h"
#include "rex_batches.h"
#include "rex_direct.h"
#include "rex_gate.h"
#include "rex_rings.h"

#include <cstring>

namespace __rex REX_HIDDEN {
namespace {

// The copies of an update, if each is one of some memory that is on the device as a whole and has no attached pointers.
class QueuedCopies {
public:
  bool resolve(const Call &call) {
    if (call.count > kMost || call.mappers != nullptr) return false;
    for (int32_t row = 0; row < call.count; row++) {
      int64_t type = call.types[row] & ~REX_MAP_PRESENT;
      if (type != REX_MAP_TO && type != REX_MAP_FROM) return false;
      if (is_nothing(call, row)) continue;
      if (!is_plain(call.begins[row], call.sizes[row])) return false;
      places[row] = SeenWhole::device_address(call.begins[row], call.sizes[row], static_cast<int>(call.device));
      if (places[row] == nullptr) return false;
    }
    return true;
  }

  // Queues them; `waits` becomes true if the host may not go on before they have ended. False when the driver fails.
  bool queue(const Call &call, const QueuedKernels &kernels, Queue &queue, bool &waits) {
    if (size_t coming = bytes_down(call); coming != 0 && coming <= Queue::kArrivals) arrivals = kernels.arrivals(queue);
    char *arrival = arrivals;
    for (int32_t row = 0; row < call.count; row++) {
      if (is_nothing(call, row)) continue;
      auto place = reinterpret_cast<uintptr_t>(places[row]);
      auto *host = static_cast<char *>(call.begins[row]);
      auto size = static_cast<size_t>(call.sizes[row]);
      bool is_up = is_row_up(call, row);
      waits |= !is_up;
      char *to = arrivals == nullptr ? host : arrival;
      if (!(is_up ? bring(kernels, queue, place, host, size) : kernels.fetch(queue, to, place, size))) return false;
      if (!is_up && arrivals != nullptr) arrival += size;
    }
    return true;
  }

  // Brings what has come home to its place, once it has been waited for.
  void arrive(const Call &call) const {
    const char *arrival = arrivals;
    for (int32_t row = 0; row < call.count && arrivals != nullptr; row++) {
      if (is_row_up(call, row) || is_nothing(call, row)) continue;
      memcpy(call.begins[row], arrival, static_cast<size_t>(call.sizes[row]));
      arrival += call.sizes[row];
    }
  }

private:
  // An array section of no elements. Only a `present` modifier asks whether it is on the device.
  static bool is_nothing(const Call &call, int32_t row) {
    return call.sizes[row] == 0 && (call.types[row] & REX_MAP_PRESENT) == 0;
  }
  static bool is_plain(const void *begin, int64_t size) {
    return size > 0 && size < Staging::kSmallest &&
           !Gate::opened()->attached.any_in(static_cast<const char *>(begin), static_cast<uint64_t>(size));
  }
  static bool is_row_up(const Call &call, int32_t row) { return (call.types[row] & REX_MAP_TO) != 0; }
  static size_t bytes_down(const Call &call) {
    size_t bytes = 0;
    for (int32_t row = 0; row < call.count; row++)
      if (!is_row_up(call, row)) bytes += static_cast<size_t>(call.sizes[row]);
    return bytes;
  }

  // The driver has taken so few bytes of pageable memory when it returns. The program's may be pinned.
  static_assert(Staging::kSmallest <= INT64_C(64) << 10, "the driver may read more later");
  static_assert(Staging::kSmallest <= static_cast<int64_t>(Queue::kDepartures), "all have room");
  static bool bring(const QueuedKernels &kernels, Queue &queue, uint64_t place, const char *host, size_t size) {
    char *departures = QueuedKernels::departures(queue);
    if (departures == nullptr) return false;
    memcpy(departures, host, size);
    return kernels.bring(queue, place, departures, size);
  }

  static constexpr int32_t kMost = 16;
  char *places[kMost];
  char *arrivals = nullptr; // null where what comes home goes to its place itself
};

bool updated_in_batch(const Call &call) {
  bool waits = false;
  QueuedCopies copies;
  bool queued = queue_in_batch(call, false, [&](const QueuedKernels &kernels, Queue &queue) {
    return look_up_on(call.device, call, [&] { return copies.resolve(call); }) &&
           copies.queue(call, kernels, queue, waits);
  });
  if (!queued) wait_for_batch_on(call.device);
  else if (waits) wait_for_batch();
  if (queued) copies.arrive(call);
  return queued;
}

} // namespace

bool updated_directly(const Call &call) {
  if (is_queueing()) return updated_in_batch(call);
  QueuedCopies copies;
  bool waits = true;
  auto resolve = [&](const QueuedKernels &) { return look_up_on(call.device, call, [&] { return copies.resolve(call); }); };
  auto start = [&](const QueuedKernels &kernels, Queue &queue) { return copies.queue(call, kernels, queue, waits); };
  return done_alone(call, "this update", resolve, start, [&] { copies.arrive(call); });
}

} // namespace __rex
