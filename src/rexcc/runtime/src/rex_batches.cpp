// SPDX-License-Identifier: Apache-2.0
#include "rex_batches.h"

#include "rex_arguments.h"
#include "rex_gate.h"
#include "rex_ordered_tasks.h"
#include "rex_profile.h"
#include "rex_registration.h"
#include "rex_unreferenced.h"
#include "rex_watchdog.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

namespace __rex REX_HIDDEN {

REX_OF_THREAD Batch Batch::of_thread;

namespace {

void wait_for_line(Batch &batch, Line &line) {
  if (!line.in_flight) return;
  line.in_flight = line.has_order = line.has_kernels = false;
  batch.in_flight--;
  const char *what = "this kernel, or one that was queued behind it,";
  Watched watched(line.place, what);
  std::string of_tasks = line.streams != nullptr ? line.streams->wait() : "";
  std::string failure = line.kernels->wait(line.queue);
  if (failure.empty()) failure = of_tasks;
  end_unreferenced(line.kernels->device);
  if (!failure.empty()) end_failed(line.place, what, failure);
}

// In the context of its device, which is not the thread's.
void wait_for_other(Batch &batch, Line &line) {
  if (!line.in_flight || !line.kernels->enter()) return wait_for_line(batch, line);
  wait_for_line(batch, line);
  line.kernels->leave();
}

void give_back(const Line &line) {
  if (line.kernels == nullptr) return;
  line.kernels->give_back(line.queue);
  line.kernels->give_back(line.streams);
}

// The thread is in no batch then.
void end_batch(Batch &batch) {
  wait_for_batch();
  batch.leave();
  give_back(batch.line);
  for (int i = 0; i < batch.other_count; i++) give_back(batch.others[i]);
  delete[] batch.others;
  delete[] batch.members;
  batch = Batch();
}

// Whether the driver has been asked for a member, or a part of one, which is the host's alone.
bool is_hosts_own(const Batch &batch, const void *object, size_t size) {
  auto place = reinterpret_cast<uintptr_t>(object);
  for (int i = 0; i < batch.member_count; i++) {
    size_t before = place - batch.members[i].begin;
    if (before < batch.members[i].size && size <= batch.members[i].size - before) return true;
  }
  return false;
}

// Whether a line has kernels in flight that may write an object because their device has no copy of it.
bool may_write(const Line &line, const void *object) {
  return line.in_flight && omp_get_mapped_ptr(object, line.kernels->device) == nullptr;
}

// Whether a GPU may have access to an object of the host's; the driver is asked in the context of some device.
bool may_be_reached(const Batch &batch, const void *object) {
  return !batch.entered || batch.line.kernels->knows(static_cast<const char *>(object), 1);
}

} // namespace

void stop_queueing(Batch &batch) {
  wait_for_batch();
  batch.leave();
  batch.refuses = true;
}

void Batch::leave() {
  if (entered) line.kernels->leave();
  entered = false;
}

bool Batch::change_to(int64_t device) {
  prepare_launches(device);
  if (QueuedKernels::of_device(device) == nullptr) return false;
  leave();
  if (line.kernels == nullptr || line.kernels->device != device) {
    if (line.kernels != nullptr) put_aside();
    if (!take_out(device)) line.kernels = QueuedKernels::of_device(device);
  }
  return entered = line.kernels->enter();
}

// The number of devices is small, and a batch mostly has one.
void Batch::put_aside() {
  if (others == nullptr) others = new Line[QueuedKernels::kDevices];
  others[other_count++] = line;
  line = Line();
}

bool Batch::take_out(int64_t device) {
  Line *end = others + other_count;
  Line *found = std::find_if(others, end, [&](const Line &one) { return one.kernels->device == device; });
  if (found == end) return false;
  line = *found;
  *found = others[--other_count];
  return true;
}

void Batch::wait_for_order() {
  for (int i = 0; i < other_count; i++)
    if (others[i].has_order) wait_for_other(*this, others[i]);
}

void wait_for_queues(Batch &batch) {
  if (batch.entered) wait_for_line(batch, batch.line);
  else wait_for_other(batch, batch.line);
  for (int i = 0; i < batch.other_count; i++) wait_for_other(batch, batch.others[i]);
}

void wait_for_batch_on(int64_t device) {
  Batch &batch = Batch::of_thread;
  wait_for_batch();
  if (batch.entered && device != batch.line.kernels->device && device != omp_get_initial_device()) batch.leave();
}

// A task's kernel is queued behind those of the tasks that it depends on alone, where the program's `taskwait`s are known.
static bool start_task(QueuedKernels &kernels, Line &line, const rex_task &task, const Shape &shape, Arguments &arguments) {
  if (line.streams == nullptr) line.streams = kernels.take_streams();
  if (line.streams == nullptr) return start(kernels, line.queue, shape, arguments);
  Queue *queue = line.streams->queue_for(line.queue, task);
  if (queue == nullptr || !start(kernels, *queue, shape, arguments)) return false;
  line.streams->note_task(task);
  return true;
}

bool launched_in_queue(const Call &call, const Shape &shape, const rex_task *task) {
  Batch &batch = Batch::of_thread;
  return queue_in_batch(call, task != nullptr, [&](QueuedKernels &kernels, Queue &queue) {
    Arguments arguments;
    if (!resolve(kernels, call, shape, arguments, false) || arguments.may_read_too_early(call, kernels)) return false;
    bool started = task != nullptr && batch.behind_tasks ? start_task(kernels, batch.line, *task, shape, arguments)
                                                         : start(kernels, queue, shape, arguments);
    if (!started) return false;
    return batch.line.has_kernels = true;
  });
}

bool launched_behind_queue(const Call &call, const Shape &shape, const std::function<bool(const QueuedKernels &)> &may_start) {
  Batch &batch = Batch::of_thread;
  Arguments arguments;
  bool queued = queue_in_batch(call, false, [&](const QueuedKernels &kernels, Queue &queue) {
    if (!resolve(kernels, call, shape, arguments, true)) return false;
    if (batch.in_flight > 0 && (arguments.may_read_too_early(call, kernels) || !may_start(kernels))) return false;
    return start_with_homes(call, kernels, queue, shape, arguments);
  });
  if (queued) wait_for_batch();
  return queued;
}

} // namespace __rex

// What the device has a copy of is not written by kernels, nor is memory that no GPU has access to, as the driver says. What
// an update brings home has been waited for.
void rex_host_reads(const void *object) {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.in_flight == 0 || is_hosts_own(batch, object, 1)) return;
  bool is_written = may_write(batch.line, object);
  for (int i = 0; i < batch.other_count; i++) is_written = is_written || may_write(batch.others[i], object);
  if (is_written && may_be_reached(batch, object)) wait_for_batch();
}

void *rex_host_read(const void *object) {
  rex_host_reads(object);
  return const_cast<void *>(object);
}

void rex_batch_begin() {
  using namespace __rex;
  if (Batch::of_thread.depth++ > 0) return;
  ensure_registered();
  Batch::of_thread.refuses = Profile::opened() != nullptr;
}

// The driver is asked in the context of some device; it knows the memory of all. What a batch around this one has asked for is
// not asked for again: nothing in it could have given kernels access.
void rex_batch_uses(const void *member, size_t size) {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.refuses || rex_offload.kind != REX_ON_GPU || is_hosts_own(batch, member, size)) return;
  if (!batch.entered && !batch.go_to(device_of_now(REX_DEVICE_DEFAULT))) return stop_queueing(batch);
  if (batch.line.kernels->knows(static_cast<const char *>(member), size)) return stop_queueing(batch);
  if (batch.members == nullptr) batch.members = new Batch::Member[Batch::kMostMembers];
  if (batch.member_count < Batch::kMostMembers)
    batch.members[batch.member_count++] = {reinterpret_cast<uintptr_t>(member), size};
}

// The queue may have been left for good: what sees the kernels has returned, or thrown something.
void rex_batch_end() {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.depth > 0 && --batch.depth == 0) end_batch(batch);
}

static constexpr unsigned kRefuses = 1u << 31, kBehindTasks = 1u << 30;

unsigned rex_batch_depth() {
  using namespace __rex;
  const Batch &batch = Batch::of_thread;
  return static_cast<unsigned>(batch.depth) | (batch.refuses ? kRefuses : 0) | (batch.behind_tasks ? kBehindTasks : 0);
}

unsigned rex_batch_pause() {
  using namespace __rex;
  unsigned depth = rex_batch_depth();
  if (Batch::of_thread.depth > 0) end_batch(Batch::of_thread);
  return depth;
}

static void resume(unsigned depth) {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  batch.depth = static_cast<int>(depth & ~(kRefuses | kBehindTasks));
  batch.refuses = (depth & kRefuses) != 0;
  batch.behind_tasks = (depth & kBehindTasks) != 0;
}

void rex_batch_resume(unsigned depth) {
  if ((depth & (kBehindTasks | kRefuses)) == kBehindTasks) __rex::wait_for_tasks();
  resume(depth);
}

void rex_batch_wait() { resume(rex_batch_pause()); }

// Kernels of tasks behind it wait for those in front of it. What it finds in the queues of other devices is waited for.
void rex_batch_taskwait() {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.in_flight == 0 || batch.line.streams == nullptr) return;
  bool is_known = batch.entered && batch.other_count == 0;
  if (!is_known || !batch.line.streams->wait_for_tasks(batch.line.queue)) wait_for_batch();
}

extern const char __ehdr_start[] __attribute__((__visibility__("hidden")));
extern const char _end[] __attribute__((__visibility__("hidden")));

int rex_is_own_function(rex_any_function *function) {
  auto place = reinterpret_cast<uintptr_t>(function);
  return place >= reinterpret_cast<uintptr_t>(__ehdr_start) && place < reinterpret_cast<uintptr_t>(_end);
}

void rex_assert_fail(const char *assertion, const char *file, unsigned line, const char *function) noexcept {
  using namespace __rex;
  if (Batch::of_thread.depth > 0) end_batch(Batch::of_thread);
  if (__assert_fail != nullptr) __assert_fail(assertion, file, line, function);
  abort();
}
