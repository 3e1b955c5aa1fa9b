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

namespace {

// What follows in the batch is waited for one by one.
void stop_queueing(Batch &batch) {
  wait_for_batch();
  if (batch.kernels == nullptr) return;
  batch.kernels->leave();
  batch.kernels->give_back(batch.queue);
  batch.kernels = nullptr;
  batch.queue = Queue();
}

// Whether a member, or an element of one, is the host's alone.
bool is_hosts_own(const Batch &batch, const void *object) {
  auto place = reinterpret_cast<uintptr_t>(object);
  for (int i = 0; i < batch.member_count; i++)
    if (place - batch.members[i].begin < batch.members[i].size) return true;
  return false;
}

} // namespace

void wait_for_batch_on(int64_t device) {
  if (is_queueing() && device != 0 && device != omp_get_initial_device()) return stop_queueing(Batch::of_thread);
  wait_for_batch();
}

bool launched_in_queue(const Call &call, const Shape &shape) {
  bool queued = queue_in_batch(call.place, [&](const QueuedKernels &kernels, Queue &queue) {
    Arguments arguments;
    return resolve(kernels, call, shape, arguments) && start(kernels, queue, shape, arguments);
  });
  if (!queued) wait_for_batch_on(call.device);
  return queued;
}

} // namespace __rex

// What the device has a copy of is not written by kernels; of any other object that a pointer leads to, nobody knows.
void rex_host_reads(const void *object) {
  using namespace __rex;
  if (!Batch::of_thread.in_flight || is_hosts_own(Batch::of_thread, object)) return;
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

void rex_batch_uses(const void *member, size_t size) {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.kernels == nullptr) return;
  if (batch.kernels->knows(static_cast<const char *>(member), size)) return stop_queueing(batch);
  if (batch.members == nullptr) batch.members = new Batch::Member[Batch::kMostMembers];
  if (batch.member_count < Batch::kMostMembers)
    batch.members[batch.member_count++] = {reinterpret_cast<uintptr_t>(member), size};
}

void rex_batch_end() {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (--batch.depth > 0) return;
  stop_queueing(batch);
  delete[] batch.members;
  batch = Batch();
}
