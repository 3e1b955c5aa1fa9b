// SPDX-License-Identifier: Apache-2.0
#include "rex_ordered_tasks.h"

#include "rex_deferral.h"

#include <atomic>

namespace __rex REX_HIDDEN {
namespace {

// Batches behind tasks that have made some, by the places where they began: mostly they do so again, and what they queue
// before that, and wait for then, could have run beside these tasks. Nothing but speed depends on it.
class TasksMade {
public:
  static void note(const void *place) { of(place).store(place, std::memory_order_relaxed); }
  static bool are_likely(const void *place) {
    if (of(place).load(std::memory_order_relaxed) != place) return false;
    constexpr unsigned now_and_then = 32; // what could not be queued may have been mapped since
    if (asked.fetch_add(1, std::memory_order_relaxed) % now_and_then != now_and_then - 1) return true;
    of(place).store(nullptr, std::memory_order_relaxed);
    return false;
  }

private:
  static std::atomic<const void *> &of(const void *place) {
    return latest[reinterpret_cast<uintptr_t>(place) * UINT64_C(0x9e3779b97f4a7c15) >> 60];
  }
  static std::atomic<const void *> latest[16];
  static std::atomic<unsigned> asked;
};
std::atomic<const void *> TasksMade::latest[16];
std::atomic<unsigned> TasksMade::asked;

} // namespace

void begin_task_in_batch() {
  Batch &batch = Batch::of_thread;
  wait_for_batch();
  if (!orders_tasks()) return;
  TasksMade::note(batch.begun);
  stop_queueing(batch);
}

void wait_for_tasks() {
  static __rex_ident place = REX_PLACE(";taskwait;taskwait;0;0;;");
  __kmpc_omp_taskwait(&place, __kmpc_global_thread_num(&place));
}

} // namespace __rex

// Tasks of ours that are under way may have been meant to run beside what follows, so they are not waited for, and all that
// follow are tasks too.
static void begin_behind_tasks(const void *place) {
  using namespace __rex;
  Batch &batch = Batch::of_thread;
  if (batch.depth > 0) return rex_batch_begin();
  bool are_under_way = DeferredTasks::are_in_flight();
  if (!are_under_way) wait_for_tasks();
  rex_batch_begin();
  batch.behind_tasks = true;
  batch.begun = place;
  batch.refuses |= are_under_way || TasksMade::are_likely(batch.begun);
}

void rex_batch_begin_behind_tasks() { begin_behind_tasks(__builtin_return_address(0)); }

void rex_batch_begin_of_tasks() {
  using namespace __rex;
  begin_behind_tasks(__builtin_return_address(0));
  Batch::of_thread.arrives_later = Batch::of_thread.depth == 1;
}
