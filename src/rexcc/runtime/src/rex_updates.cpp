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
      if ((type != REX_MAP_TO && type != REX_MAP_FROM) || !is_plain(call.begins[row], call.sizes[row])) return false;
      places[row] = SeenWhole::device_address(call.begins[row], call.sizes[row], static_cast<int>(call.device));
      if (places[row] == nullptr) return false;
    }
    return true;
  }

  // Queues them; `waits` becomes true if the host may not go on before they have ended. False when the driver fails.
  bool queue(const Call &call, const QueuedKernels &kernels, const Queue &queue, bool &waits) const {
    for (int32_t row = 0; row < call.count; row++) {
      auto place = reinterpret_cast<uintptr_t>(places[row]);
      auto *host = static_cast<char *>(call.begins[row]);
      auto size = static_cast<size_t>(call.sizes[row]);
      bool is_up = (call.types[row] & REX_MAP_TO) != 0;
      waits |= !is_up || size > kSmall;
      if (!(is_up ? bring(kernels, queue, place, host, size) : kernels.fetch(queue, host, place, size))) return false;
    }
    return true;
  }

private:
  static bool is_plain(const void *begin, int64_t size) {
    return size > 0 && size < Staging::kSmallest &&
           !Gate::opened()->attached.any_in(static_cast<const char *>(begin), static_cast<uint64_t>(size));
  }

  // The driver has taken bytes of pageable memory when it returns, up to 64 KiB of them. The program's may be pinned.
  static bool bring(const QueuedKernels &kernels, const Queue &queue, uint64_t place, const char *host, size_t size) {
    char copy[kSmall];
    if (size > kSmall) return kernels.bring(queue, place, host, size);
    memcpy(copy, host, size);
    return kernels.bring(queue, place, copy, size);
  }

  static constexpr int32_t kMost = 16;
  static constexpr size_t kSmall = 4096;
  char *places[kMost];
};

bool updated_in_batch(const Call &call) {
  bool waits = false;
  bool queued = queue_in_batch(call, false, [&](const QueuedKernels &kernels, const Queue &queue) {
    QueuedCopies copies;
    return look_up_on(call.device, call, [&] { return copies.resolve(call); }) &&
           copies.queue(call, kernels, queue, waits);
  });
  if (!queued) wait_for_batch_on(call.device);
  else if (waits) wait_for_batch();
  return queued;
}

} // namespace

bool updated_directly(const Call &call) {
  if (is_queueing()) return updated_in_batch(call);
  QueuedCopies copies;
  bool waits = true;
  auto resolve = [&](const QueuedKernels &) { return look_up_on(call.device, call, [&] { return copies.resolve(call); }); };
  return done_alone(
      call, "this update", resolve,
      [&](const QueuedKernels &kernels, const Queue &queue) { return copies.queue(call, kernels, queue, waits); });
}

} // namespace __rex
