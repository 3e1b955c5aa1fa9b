// SPDX-License-Identifier: Apache-2.0
#include "rex_deferral.h"

#include "rex_threads.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t rex_has_tasks = 0;

namespace __rex REX_HIDDEN {

REX_OF_THREAD bool DeferredTasks::noted;
std::atomic<bool> DeferredTasks::are_over;
std::atomic<int> DeferredTasks::in_flight;

namespace {

// A child process of one whose libomp has threads for target tasks. libomp believes that it has them still: tasks would wait
// for them, and so would its destructor. So the process ends just before that, as exit() would have ended it.
bool is_child;
int status_of_child;

void note_status(int status, void *) { status_of_child = status; }

__attribute__((destructor(1000))) void end_child_process() {
  if (!is_child) return;
  fflush(nullptr);
  _exit(status_of_child);
}

} // namespace

void DeferredTasks::begin_child() {
  are_over = is_child = true;
  in_flight = 0;
  on_exit(note_status, nullptr);
}

bool DeferredTasks::begin() {
  static const int told = pthread_atfork(nullptr, nullptr, begin_child);
  (void)told;
  in_flight.fetch_add(1);
  if (!are_over.load()) return true;
  end();
  return false;
}

void DeferredTasks::end() { in_flight.fetch_sub(1); }

void DeferredTasks::wait() {
  constexpr auto patience = std::chrono::seconds(10);
  auto since = std::chrono::steady_clock::now();
  for (int left = in_flight.load(), now; left > 0; left = now) {
    wait_a_little();
    now = in_flight.load();
    if (now != left) since = std::chrono::steady_clock::now();
    else if (std::chrono::steady_clock::now() - since > patience) return;
  }
}

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
