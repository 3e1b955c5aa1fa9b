// SPDX-License-Identifier: Apache-2.0
//
// Whether target tasks may be deferred. libomp's threads for them serve the initial thread and its teams. While threads
// that the program has made itself come to libomp, or go, libomp aborts or waits for ever in such a thread
// (docs/decisions/068-tools-and-hard-days.md). So from the first of them that uses a device, no task is deferred.
#ifndef REX_DEFERRAL_H
#define REX_DEFERRAL_H

#include "rex_internal.h"

#include <atomic>

namespace __rex REX_HIDDEN {

class DeferredTasks {
public:
  // Whether the calling thread may defer one; it has begun then. end() is for the thread that has done its work.
  static bool begin();
  static void end();

  // Whether some may still be executed.
  static bool are_in_flight() { return in_flight.load() != 0; }

  // Waits until the work of all has been done, but not for ever: one may have a thread that ends the program.
  static void wait();

  // The calling thread uses a device: the first time, before it asks libomp for anything.
  static void note_thread() {
    if (!noted && rex_has_tasks != 0) note_new_thread();
  }

  // A thread of libomp's that does the work of a task.
  static void note_helper() { noted = true; }

private:
  static void note_new_thread();
  static void begin_child();

  static REX_OF_THREAD bool noted;
  static std::atomic<bool> are_over;
  static std::atomic<int> in_flight;
};

} // namespace __rex

#endif
