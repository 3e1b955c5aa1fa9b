// SPDX-License-Identifier: Apache-2.0
//
// Ends the program when a call takes longer than REX_WATCHDOG says: a kernel that does not end, on a GPU or on the CPU
// device, would have it wait for ever. Without REX_WATCHDOG a call asks one pointer.
#ifndef REX_WATCHDOG_H
#define REX_WATCHDOG_H

#include "rex_call.h"
#include "rex_internal.h"

#include <chrono>
#include <mutex>

namespace __rex REX_HIDDEN {

class Watched;

class Watchdog {
public:
  // The link unit's; null where nobody asks for one.
  static Watchdog *running() { return of_link_unit; }

  // Starts it where the user asks for one, and a thread can be had.
  static void start();

  void begin(Watched &call);
  void end(Watched &call);

private:
  explicit Watchdog(int seconds);
  void watch();
  const Watched *late(); // the first that has taken too long; null for none

  static Watchdog *of_link_unit;
  const int seconds;
  const int process; // a child process has no thread that watches
  std::mutex lock;
  Watched *newest = nullptr;
};

// A call, or a wait for what was queued, is watched while this object lives.
class Watched {
public:
  Watched(const __rex_ident *given, const char *words) : place(given), what(words), dog(Watchdog::running()) {
    if (dog != nullptr) dog->begin(*this);
  }
  explicit Watched(const Call &call)
      : Watched(call.place, call.kind == CallKind::kernel ? "this kernel" : "what this construct waits for") {}
  ~Watched() {
    if (dog != nullptr) dog->end(*this);
  }
  Watched(const Watched &) = delete;

  const __rex_ident *const place;
  const char *const what;
  std::chrono::steady_clock::time_point began;
  Watched *older = nullptr, *newer = nullptr; // of those that are watched

private:
  Watchdog *const dog;
};

} // namespace __rex

#endif
