// SPDX-License-Identifier: Apache-2.0
#include "rex_deferral.h"

#include "rex_threads.h"

#include <chrono>

#include <sys/syscall.h>
#include <unistd.h>

int32_t rex_has_tasks = 0;

namespace __rex REX_HIDDEN {

REX_OF_THREAD bool DeferredTasks::noted;
std::atomic<bool> DeferredTasks::are_over;
std::atomic<int> DeferredTasks::in_flight;

bool DeferredTasks::begin() {
  in_flight.fetch_add(1);
  if (!are_over.load()) return true;
  end();
  return false;
}

void DeferredTasks::end() { in_flight.fetch_sub(1); }

// Outside of parallel regions, and as the first thread of a team that has no other around it, a thread that is not the
// initial one is the program's own. To ask for that makes libomp know the thread, so tasks that have been deferred end first;
// but a thread of a team may be asked, too, whom such a task may wait for.
void DeferredTasks::note_new_thread() {
  noted = true;
  if (syscall(SYS_gettid) == getpid()) return;
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  bool were_over = are_over.exchange(true);
  while (in_flight.load() != 0 && std::chrono::steady_clock::now() < latest) wait_a_little();
  bool is_root = omp_get_level() == 0 || (omp_get_level() == 1 && omp_get_thread_num() == 0);
  if (!is_root && !were_over) are_over = false;
}

} // namespace __rex
