// SPDX-License-Identifier: Apache-2.0
#include "rex_batches.h"

#include "rex_arguments.h"
#include "rex_gate.h"
#include "rex_registration.h"
#include "rex_unreferenced.h"

#include <string>

namespace __rex REX_HIDDEN {

REX_OF_THREAD Batch Batch::of_thread;

void wait_for_queue(Batch &batch) {
  batch.in_flight = false;
  std::string failure = batch.kernels->wait(batch.queue);
  end_unreferenced();
  if (!failure.empty()) end_failed(batch.place, "this kernel, or one that was queued behind it,", failure);
}

bool launched_in_queue(const Call &call, const Shape &shape) {
  bool queued = queue_in_batch(call.place, [&](const QueuedKernels &kernels, Queue &queue) {
    Arguments arguments;
    return resolve(kernels, call, shape, arguments) && start(kernels, queue, shape, arguments);
  });
  if (!queued) wait_for_batch();
  return queued;
}

} // namespace __rex

// What the device has a copy of is not written by kernels; of any other object that a pointer leads to, nobody knows.
void rex_host_reads(const void *object) {
  using namespace __rex;
  if (!Batch::of_thread.in_flight) return;
  Inside inside; // what is on the device has its values
  if (omp_get_mapped_ptr(object, 0) == nullptr) wait_for_batch();
}

void rex_batch_begin() {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.depth++ > 0) return;
  ensure_registered();
  prepare_launches();
  QueuedKernels *kernels = QueuedKernels::of_link_unit();
  if (kernels != nullptr && kernels->enter()) batch.kernels = kernels;
}

void rex_batch_end() {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (--batch.depth > 0) return;
  wait_for_batch();
  if (batch.kernels != nullptr) {
    batch.kernels->leave();
    batch.kernels->give_back(batch.queue);
  }
  batch = Batch();
}
