// SPDX-License-Identifier: Apache-2.0
#include "rex_watchdog.h"

#include "rex_messages.h"
#include "rex_settings.h"
#include "rex_threads.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <signal.h>
#include <unistd.h>

namespace __rex REX_HIDDEN {

Watchdog *Watchdog::of_link_unit;

namespace {

// What the program has written goes out, unless a thread of it is just writing. Handlers of atexit() would wait for the
// kernel.
[[noreturn]] void end_program() {
  signal(SIGALRM, SIG_DFL); // should nobody read what is written
  alarm(5);
  if (ftrylockfile(stdout) == 0) fflush_unlocked(stdout);
  _exit(EXIT_FAILURE);
}

} // namespace

Watchdog::Watchdog(int given) : seconds(given), process(getpid()) {}

void Watchdog::start() {
  int seconds = watchdog_seconds();
  if (seconds == 0 || of_link_unit != nullptr) return;
  auto *dog = new Watchdog(seconds); // never destroyed: the user's own destructors may launch
  std::thread thread;
  if (!run_beside(thread, [dog] { dog->watch(); })) return say("REX_WATCHDOG: no thread can be had that watches");
  thread.detach();
  of_link_unit = dog;
}

void Watchdog::begin(Watched &call) {
  if (getpid() != process) return;
  call.began = std::chrono::steady_clock::now();
  std::lock_guard<std::mutex> guard(lock);
  call.older = newest;
  if (newest != nullptr) newest->newer = &call;
  newest = &call;
}

void Watchdog::end(Watched &call) {
  if (getpid() != process) return;
  std::lock_guard<std::mutex> guard(lock);
  (call.newer != nullptr ? call.newer->older : newest) = call.older;
  if (call.older != nullptr) call.older->newer = call.newer;
}

const Watched *Watchdog::late() {
  const auto limit = std::chrono::steady_clock::now() - std::chrono::seconds(seconds);
  const Watched *found = nullptr;
  for (const Watched *call = newest; call != nullptr; call = call->older)
    if (call->began < limit) found = call; // those behind it have begun before
  return found;
}

void Watchdog::watch() {
  constexpr auto pause = std::chrono::milliseconds(50);
  for (;;) {
    std::this_thread::sleep_for(pause);
    std::lock_guard<std::mutex> guard(lock);
    const Watched *call = late();
    if (call == nullptr) continue;
    std::string limit = std::to_string(seconds);
    say(readable_place(call->place) + ": " + call->what + " has not ended after " + limit +
        (seconds == 1 ? " second" : " seconds") + ", so the program ends, as REX_WATCHDOG=" + limit + " demands");
    end_program();
  }
}

} // namespace __rex
