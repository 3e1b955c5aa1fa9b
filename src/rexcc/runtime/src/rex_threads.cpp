// SPDX-License-Identifier: Apache-2.0
#include "rex_threads.h"

#include <system_error>

#include <signal.h>
#include <time.h>

namespace __rex REX_HIDDEN {

bool run_beside(std::thread &thread, const std::function<void()> &function) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool runs = true;
  try {
    thread = std::thread(function);
  } catch (const std::system_error &) {
    runs = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return runs;
}

void wait_a_little() {
  timespec pause = {0, 20000};
  nanosleep(&pause, nullptr);
}

} // namespace __rex
