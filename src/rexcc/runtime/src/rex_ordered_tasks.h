// SPDX-License-Identifier: Apache-2.0
//
// Tasks that depend on each other, and updates that are tasks, in a thread's queue. In batches that begin when the thread has
// no other tasks, and that make none but those which are queued, the queue's order is one that the dependences allow.
//
// One that cannot be queued becomes a task of LLVM's OpenMP runtime, behind what is queued; then so do all that follow in the
// batch. Nothing is in the queue while the thread waits for such a task, which may have to wait for the queue
// (rex_unreferenced.h).
#ifndef REX_ORDERED_TASKS_H
#define REX_ORDERED_TASKS_H

#include "rex_batches.h"
#include "rex_internal.h"

namespace __rex REX_HIDDEN {

// Whether they have their places in the queue now.
inline bool orders_tasks() { return is_queueing() && Batch::of_thread.behind_tasks; }

// Before a task is made of what is not queued.
void begin_task_in_batch();

// Waits for the thread's tasks, which it may execute itself: in no batch.
void wait_for_tasks();

} // namespace __rex

#endif
