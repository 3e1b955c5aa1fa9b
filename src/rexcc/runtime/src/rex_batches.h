// SPDX-License-Identifier: Apache-2.0
//
// Batches: statements of the host program that cannot see whether the kernels they launch have ended, because they do
// nothing but launch kernels and compute with scalars (analysis/batches of the compiler). In them a launch goes into a queue of the
// thread instead of being waited for, which takes several times as long; their end waits, or an update that brings something
// home (rex_updates.h).
//
// Kernels of tasks that do not depend on each other have streams beside the queue (rex_streams.h).
//
// A launch is queued only if the driver may get it from us (rex_direct.h). A target task that may be deferred need not be,
// and is queued as well. Each device has a queue of its own. Kernels of two devices do not wait for each other, but memory
// that both reach would tell: so what is queued on one device waits for the others, unless all that is in flight there are
// tasks. Launches for the host, and whatever else libomptarget is asked for, wait for all queues first.
//
// In methods the statements may use members of their object. Kernels can write one where the GPU has access to its memory:
// where the driver knows it, because it is managed, or pinned. Nothing is queued then. What the statements read behind other
// pointers is asked for each time, and waited for where kernels can write it (rex_host_reads).
//
// REX_SYNCHRONOUS=1 waits for every kernel.
#ifndef REX_BATCHES_H
#define REX_BATCHES_H

#include "rex_call.h"
#include "rex_direct.h"
#include "rex_internal.h"
#include "rex_queue.h"
#include "rex_streams.h"
#include "rex_unreferenced.h"

#include <functional>

// glibc's, for rex_assert_fail().
extern "C" void __assert_fail(const char *, const char *, unsigned, const char *) noexcept __attribute__((__weak__));

namespace __rex REX_HIDDEN {

// What a thread has in a queue of one device.
struct Line {
  QueuedKernels *kernels = nullptr;
  Queue queue;
  Streams *streams = nullptr;         // beside it, for tasks
  const __rex_ident *place = nullptr; // where the first in flight was queued
  bool in_flight = false;             // something has been queued since the last wait
  bool has_order = false;             // not only tasks
  bool has_kernels = false;           // not only updates
};

// The batch that a thread is in.
struct Batch {
  int depth = 0;
  int in_flight = 0;    // lines
  bool entered = false; // the context of the line's device is the thread's
  bool refuses = false; // nothing is queued
  bool behind_tasks = false; // of which there were none left when it began
  bool arrives_later = false; // what its tasks bring home, for nothing waits for tasks in it
  const void *begun = nullptr; // where, if it did so behind tasks
  Line line;            // of the device that was used last

  // Of other devices, null for none; like members, behind pointers: libraries that are opened at run time have little room
  // for what each thread has.
  Line *others = nullptr;
  int other_count = 0;

  // Members of objects to which no kernel has access, null for none.
  struct Member {
    uintptr_t begin;
    size_t size;
  };
  static constexpr int kMostMembers = 16;
  Member *members = nullptr;
  int member_count = 0;

  // Makes the line that of a device, and the thread's context its context; false where nothing can be queued there.
  bool go_to(int64_t device) {
    return !refuses && ((entered && line.kernels->device == device) || change_to(device));
  }
  void leave();

  // Waits for what else is in flight, if that is more than tasks.
  void wait_for_order();

  static REX_OF_THREAD Batch of_thread;

private:
  bool change_to(int64_t device);
  void put_aside();
  bool take_out(int64_t device);
};

// Whether the thread may put something into its line. While anything is in flight, nothing it uses may be unmapped.
inline bool begin_queueing(Line &line) {
  int device = line.kernels->device;
  if (line.in_flight ? unmapping_waits(device) : !begin_unreferenced(device)) return false;
  if (line.queue.stream == nullptr) line.queue = line.kernels->take_queue();
  return true;
}

// What comes next in the queue is behind what is in the streams beside it; false where the driver fails.
inline bool has_joined(Line &line) { return line.streams == nullptr || line.streams->join(line.queue); }

// Has `queue` put what a call asks for into the thread's queue of its device.
template <class Work> bool queue_in_batch(const Call &call, bool is_task, Work queue) {
  Batch &batch = Batch::of_thread;
  if (!batch.go_to(call.device)) return false;
  if (batch.other_count > 0) batch.wait_for_order();
  Line &line = batch.line;
  if (!begin_queueing(line)) return false;
  bool has_queue = line.queue.stream != nullptr && (is_task || has_joined(line));
  bool queued = has_queue && queue(*line.kernels, line.queue);
  line.has_order |= queued && !is_task;
  if (line.in_flight) return queued;
  if (!queued) end_unreferenced(line.kernels->device);
  line.place = call.place;
  line.in_flight = queued;
  batch.in_flight += queued;
  return queued;
}

// Whether launches and updates of the thread are tried in its queues.
inline bool is_queueing() { return Batch::of_thread.depth > 0 && !Batch::of_thread.refuses; }

// What follows in the batch is waited for one by one.
void stop_queueing(Batch &batch);

// Before anything that must not overlap with what is in the queues.
void wait_for_queues(Batch &batch);
inline void wait_for_batch() {
  if (Batch::of_thread.in_flight > 0) wait_for_queues(Batch::of_thread);
}

// The same before libomptarget works on a device, whose context it makes the thread's.
void wait_for_batch_on(int64_t device);

// Whether a launch went into the thread's queue; if not, nothing is in any of its queues any more.
bool launched_in_queue(const Call &call, const Shape &shape, const rex_task *task);
inline bool launched_in_batch(const Call &call, const Shape &shape, const rex_task *task) {
  if (Batch::of_thread.depth == 0) return false;
  if (launched_in_queue(call, shape, task)) return true;
  wait_for_batch_on(call.device);
  return false;
}

// Whether one that has results did, and was waited for with all in front of it. The thread is the only one that unmaps.
// `may_start` tells whether what the launch has read already may not be changed by those.
bool launched_behind_queue(const Call &call, const Shape &shape, const std::function<bool(const QueuedKernels &)> &may_start);

} // namespace __rex

#endif
