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

  // Queues them; `waits` becomes true if the host may not go on before they have ended. `is_behind`: kernels are in
  // the queue. What comes home arrives behind what is to arrive already. False when the driver fails.
  bool queue(const Call &call, const QueuedKernels &kernels, Queue &queue, bool is_behind, bool &waits) {
    size_t before = kernels.arriving_end(queue), end = place_arrivals(call, before);
    if (end != before && end <= Queue::kArrivals) arrivals = kernels.arrivals(queue);
    rex_arrivals rows = {};
    if (is_behind && arrivals != nullptr && kernels.has_bringing_kernel() && only_comes_home(call, rows)) {
      waits = true;
      return kernels.fetch_by_kernel(queue, rows);
    }
    for (int32_t row = 0; row < call.count; row++) {
      if (is_nothing(call, row)) continue;
      auto place = reinterpret_cast<uintptr_t>(places[row]);
      auto *host = static_cast<char *>(call.begins[row]);
      auto size = static_cast<size_t>(call.sizes[row]);
      bool is_up = is_row_up(call, row);
      waits |= !is_up;
      char *to = arrivals == nullptr ? host : arrivals + offsets[row];
      if (!(is_up ? bring(kernels, queue, place, host, size) : kernels.fetch(queue, to, place, size))) return false;
    }
    return true;
  }

  // Brings what has come home to its place, once it has been waited for.
  void arrive(const Call &call) const {
    for (int32_t row = 0; row < call.count && arrivals != nullptr; row++)
      if (!is_row_up(call, row) && !is_nothing(call, row))
        memcpy(call.begins[row], arrivals + offsets[row], static_cast<size_t>(call.sizes[row]));
  }

  // Has the next wait for the queue do so; false where that has to be at once.
  bool arrive_later(const Call &call, Queue &queue) const {
    if (arrivals == nullptr) return false;
    for (int32_t row = 0; row < call.count; row++)
      if (!is_row_up(call, row) && !is_nothing(call, row))
        QueuedKernels::add_arrival(
            queue, {static_cast<char *>(call.begins[row]), offsets[row], static_cast<size_t>(call.sizes[row])});
    return true;
  }

  // Whether what is to arrive has to do so before an update: it brings some of that, or wants its room.
  static bool needs_arrivals(const Call &call, const Queue &queue) {
    constexpr size_t word = 16;
    size_t end = QueuedKernels::arriving_end(queue);
    for (int32_t row = 0; end != 0 && row < call.count; row++) {
      auto size = static_cast<size_t>(call.sizes[row]);
      if (is_row_up(call, row) && QueuedKernels::arrives_at(queue, static_cast<char *>(call.begins[row]), size)) return true;
      if (!is_row_up(call, row)) end += size + 2 * word;
    }
    return end > Queue::kArrivals;
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

  // Where rows arrive: as far from a multiple of 16 bytes as they lie on the device (rex_device_arrivals.h). Returns where
  // the last one ends.
  size_t place_arrivals(const Call &call, size_t end) {
    constexpr size_t word = 16;
    for (int32_t row = 0; row < call.count; row++) {
      if (is_row_up(call, row) || is_nothing(call, row)) continue;
      offsets[row] = (end + word - 1) / word * word + reinterpret_cast<uintptr_t>(places[row]) % word;
      end = offsets[row] + static_cast<size_t>(call.sizes[row]);
    }
    return end;
  }

  // Whether all rows come home, and one kernel takes them. With rows of both directions the order of the rows counts.
  bool only_comes_home(const Call &call, rex_arrivals &rows) const {
    for (int32_t row = 0; row < call.count; row++) {
      if (is_nothing(call, row)) continue;
      if (is_row_up(call, row) || rows.count == REX_ARRIVAL_ROWS) return false;
      rows.to[rows.count] = arrivals + offsets[row];
      rows.from[rows.count] = places[row];
      rows.size[rows.count++] = static_cast<unsigned>(call.sizes[row]);
    }
    return true;
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
  size_t offsets[kMost];
  char *arrivals = nullptr; // null where what comes home goes to its place itself
};

bool updated_in_batch(const Call &call, bool may_arrive_later) {
  bool waits = false;
  QueuedCopies copies;
  if (QueuedCopies::needs_arrivals(call, Batch::of_thread.line.queue)) wait_for_batch();
  bool queued = queue_in_batch(call, false, [&](const QueuedKernels &kernels, Queue &queue) {
    return look_up_on(call.device, call, [&] { return copies.resolve(call); }) &&
           copies.queue(call, kernels, queue, Batch::of_thread.line.has_kernels, waits);
  });
  if (!queued) wait_for_batch_on(call.device);
  if (!queued || !waits) return queued;
  if (may_arrive_later && copies.arrive_later(call, Batch::of_thread.line.queue)) return true;
  wait_for_batch();
  copies.arrive(call);
  return true;
}

} // namespace

bool updated_as_task(const Call &call) { return updated_in_batch(call, Batch::of_thread.arrives_later); }

bool updated_directly(const Call &call) {
  if (is_queueing()) return updated_in_batch(call, false);
  QueuedCopies copies;
  bool waits = true;
  auto resolve = [&](const QueuedKernels &) { return look_up_on(call.device, call, [&] { return copies.resolve(call); }); };
  auto start = [&](const QueuedKernels &kernels, Queue &queue) { return copies.queue(call, kernels, queue, false, waits); };
  return done_alone(call, "this update", resolve, start, [&] { copies.arrive(call); });
}

} // namespace __rex
