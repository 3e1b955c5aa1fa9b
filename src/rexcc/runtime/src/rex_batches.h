// SPDX-License-Identifier: Apache-2.0
//
// Batches: statements of the host program that cannot see whether the kernels they launch have ended, because they do
// nothing but launch kernels and compute with scalars (analysis/unobserving_statements.py). In them a launch goes into a queue of the
// thread instead of being waited for, which takes several times as long; their end waits, or an update that brings something
// home (rex_updates.h).
//
// A launch is queued only if the driver may get it from us (rex_direct.h). A target task that may be deferred need not be,
// and is queued as well. Launches for other devices or for the host, and whatever else libomptarget is asked for, wait for
// the queue first.
//
// In methods the statements may use members of their object. Kernels can write one where the GPU has access to its memory:
// where the driver knows it, because it is managed, or pinned. Nothing is queued then.
//
// REX_SYNCHRONOUS=1 waits for every kernel.
#ifndef REX_BATCHES_H
#define REX_BATCHES_H

#include "rex_call.h"
#include "rex_direct.h"
#include "rex_internal.h"
#include "rex_queue.h"
#include "rex_unreferenced.h"

namespace __rex REX_HIDDEN {

// The batch that a thread is in.
struct Batch {
  int depth = 0;
  bool in_flight = false; // kernels have been queued since the last wait, from this place on
  const __rex_ident *place = nullptr;
  QueuedKernels *kernels = nullptr; // whose context is the thread's; null where nothing is queued
  Queue queue;

  // Members of objects to which no kernel has access, null for none: libraries that are opened at run time have little
  // room for what each thread has.
  struct Member {
    uintptr_t begin;
    size_t size;
  };
  static constexpr int kMostMembers = 16;
  Member *members = nullptr;
  int member_count = 0;

  static REX_OF_THREAD Batch of_thread;
};

// Whether the thread may put something into its queue. While anything is in flight, nothing it uses may be unmapped.
inline bool begin_queueing(Batch &batch) {
  if (batch.kernels == nullptr || (batch.in_flight ? unmapping_waits() : !begin_unreferenced())) return false;
  if (batch.queue.stream == nullptr) batch.queue = batch.kernels->take_queue();
  return true;
}

// Has `queue` put something into the thread's queue.
template <class Work> bool queue_in_batch(const __rex_ident *place, Work queue) {
  Batch &batch = Batch::of_thread;
  if (!begin_queueing(batch)) return false;
  bool queued = batch.queue.stream != nullptr && queue(*batch.kernels, batch.queue);
  if (batch.in_flight) return queued;
  if (!queued) end_unreferenced();
  batch.place = place;
  return batch.in_flight = queued;
}

// Whether launches and updates of the thread are tried in its queue.
inline bool is_queueing() { return Batch::of_thread.kernels != nullptr; }

// Before anything that must not overlap with what is in the queue.
void wait_for_queue(Batch &batch);
inline void wait_for_batch() {
  if (Batch::of_thread.in_flight) wait_for_queue(Batch::of_thread);
}

// The same before libomptarget works on a device. It makes that one's context the thread's: after another device than ours
// nothing more is queued in the batch.
void wait_for_batch_on(int64_t device);

// Whether a launch went into the thread's queue; if not, nothing is in it any more.
bool launched_in_queue(const Call &call, const Shape &shape);
inline bool launched_in_batch(const Call &call, const Shape &shape) {
  return Batch::of_thread.depth > 0 && launched_in_queue(call, shape);
}

} // namespace __rex

#endif
