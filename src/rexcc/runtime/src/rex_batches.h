// SPDX-License-Identifier: Apache-2.0
//
// Batches: statements of the host program that cannot see whether the kernels they launch have ended, because they do
// nothing but launch kernels and compute with scalars (analysis/unobserving_statements.py). In them a launch goes into a queue of the
// thread instead of being waited for, which takes several times as long; their end waits, or an update that brings something
// home (rex_updates.h). Part of register_cubin.cpp.
//
// A launch is queued only if the driver may get it from us (rex_direct.h). A target task that may be deferred need not be,
// and is queued as well.
// Whatever else libomptarget is asked for waits for the queue first.
//
// REX_SYNCHRONOUS=1 waits for every kernel.
#ifndef REX_BATCHES_H
#define REX_BATCHES_H

#include "rex_direct.h"

#include <cstdint>
#include <string>

namespace {

// The batch that a thread is in.
struct Batch {
  int depth = 0;
  bool entered = false;   // the GPU's context is the thread's
  bool in_flight = false; // kernels have been queued since the last wait, from this place on
  const __rex_ident *place = nullptr;
  Queue queue;
};
__attribute__((__tls_model__("initial-exec"))) thread_local Batch batch;

// Has `queue` put something into the thread's queue. While anything is in flight, nothing it uses may be unmapped.
template <class Work> bool queue_in_batch(const __rex_ident *place, Work queue) {
  if (!batch.entered || (batch.in_flight ? unmapping_waits() : !begin_unreferenced())) return false;
  if (batch.queue.stream == nullptr) batch.queue = queued_kernels.take_queue();
  bool queued = batch.queue.stream != nullptr && queue();
  if (batch.in_flight) return queued;
  if (!queued) end_unreferenced();
  batch.place = place;
  return batch.in_flight = queued;
}

} // namespace

// Before anything that must not overlap with what is in the queue.
static void wait_for_batch() {
  if (!batch.in_flight) return;
  batch.in_flight = false;
  std::string failure = queued_kernels.wait(batch.queue);
  end_unreferenced();
  if (!failure.empty()) end_failed(batch.place, "this kernel, or one that was queued behind it,", failure);
}

// Whether a launch went into the thread's queue; if not, nothing is in it any more.
static bool launched_in_batch(const Call &call, const Shape &shape) {
  if (batch.depth == 0) return false;
  bool queued = queue_in_batch(call.place, [&] {
    Arguments arguments;
    return resolve(call, shape, arguments) && start(batch.queue, shape, arguments);
  });
  if (!queued) wait_for_batch();
  return queued;
}

// What the device has a copy of is not written by kernels; of any other object that a pointer leads to, nobody knows.
void rex_host_reads(const void *object) {
  if (!batch.in_flight) return;
  Inside inside; // what is on the device has its values
  if (omp_get_mapped_ptr(object, 0) == nullptr) wait_for_batch();
}

void rex_batch_begin() {
  if (batch.depth++ > 0) return;
  ensure_registered();
  prepare_launches();
  batch.entered = queued_kernels.any() && queued_kernels.enter();
}

void rex_batch_end() {
  if (--batch.depth > 0) return;
  wait_for_batch();
  if (batch.entered) queued_kernels.leave();
  queued_kernels.give_back(batch.queue);
  batch = Batch();
}

#endif
