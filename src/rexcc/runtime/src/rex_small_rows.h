// SPDX-License-Identifier: Apache-2.0
//
// Launches with small rows that are new on the device. libomptarget would copy each before the kernel and each after it,
// with waits of its own. Here it only maps and unmaps them, with rows that copy nothing; their bytes travel in the queue of
// the kernel, behind which there is one wait (docs/decisions/032-direct-launches.md).
//
// It cannot be noticed. libomptarget decides what is new, finds the memory and tells what is wrong, as for rows of which it
// does the copies. The calling thread is the only one that has ever unmapped anything, and has taken the rows over, so
// nobody finds a mapping before its bytes are there, or gets a reference to it before they are at home.
#ifndef REX_SMALL_ROWS_H
#define REX_SMALL_ROWS_H

#include "rex_direct.h"
#include "rex_gate.h"

namespace __rex REX_HIDDEN {

class SmallRows {
public:
  // Those of a launch; none unless all other rows need no mapping that begins with it.
  explicit SmallRows(const Call &launch);

  // Whether the launch, which can be started, has been made with them, and waited for. The calling thread is inside of
  // libomptarget's part and may unmap (MayUnmap), as no other has.
  bool launched(const Shape &shape, Inside &inside);

private:
  enum class Kind { elsewhere, small, unfit };

  Kind kind_of(int32_t row) const;
  bool is_of_absent_object(int32_t row) const;
  bool fits(int32_t row);
  bool attaches_in(int32_t row) const;
  void ask(__tgt_data_call *function) const;
  bool are_absent() const;
  bool are_mapped();
  bool launched_between(QueuedKernels &kernels, const Shape &shape, const Inside &inside);
  bool launched_with(QueuedKernels &kernels, const Shape &shape, Arguments &arguments);
  bool start(const QueuedKernels &kernels, Queue &queue, const Shape &shape, Arguments &arguments);
  bool bring(const QueuedKernels &kernels, Queue &queue) const;
  bool fetch(const QueuedKernels &kernels, Queue &queue) const;
  void arrive(const char *arrivals) const;

  // The driver has taken so few bytes of pageable memory when it returns.
  static constexpr int64_t kMostBytes = static_cast<int64_t>(
      Queue::kDepartures < Queue::kArrivals ? Queue::kDepartures : Queue::kArrivals);
  static constexpr int32_t kMost = 8;

  const Call &call;
  int32_t rows[kMost], count = 0;
  char *there[kMost]; // on the device
  int64_t bytes = 0;
};

// The same for any launch. Its rows are looked at where that may be of use.
inline bool launched_with_small_rows(const Call &call, const Shape &shape, Inside &inside) {
  QueuedKernels *kernels = QueuedKernels::of_device(call.device);
  if (Gate::opened() == nullptr || kernels == nullptr || call.mappers != nullptr) return false;
  return MayUnmap::is_alone(kernels->device) && can_start(*kernels, shape) && SmallRows(call).launched(shape, inside);
}

} // namespace __rex

#endif
