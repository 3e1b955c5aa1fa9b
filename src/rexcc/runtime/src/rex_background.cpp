// SPDX-License-Identifier: Apache-2.0
#include "rex_background.h"

#include "rex_threads.h"

#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include <pthread.h>

namespace __rex REX_HIDDEN {
namespace {

class BackgroundStart {
public:
  bool begin(Wait wait) {
    gpu = std::make_unique<Gpu>();
    return run_beside(thread, [this, wait] {
      gpu->start();
      gpu->wait_by(wait);
    });
  }

  void finish() {
    std::lock_guard<std::mutex> lock(finishing);
    if (thread.joinable()) thread.join();
  }

  std::unique_ptr<Gpu> take() {
    finish();
    return std::move(gpu);
  }

private:
  std::unique_ptr<Gpu> gpu;
  std::thread thread;
  std::mutex finishing;
};

// Of the link unit; made once, never destroyed.
BackgroundStart *background;

void finish_start() { background->finish(); }

// A process that ends, or has a child, must not do so in the middle of the start. exit() destroys the thread's variables
// before it calls the handlers of atexit(), among which are the driver's own.
struct FinishesAtExit {
  ~FinishesAtExit() { finish_start(); }
};

// In a function: clang would make one that belongs to the file together with the file's others, in every thread.
void finish_when_this_thread_exits() {
  thread_local FinishesAtExit finishes_at_exit;
  (void)finishes_at_exit;
}

} // namespace

bool start_in_background(Wait wait) {
  background = new BackgroundStart;
  if (!background->begin(wait)) return false;
  finish_when_this_thread_exits();
  atexit(finish_start);
  pthread_atfork(finish_start, nullptr, nullptr);
  return true;
}

bool is_begun_in_background() { return background != nullptr; }

std::unique_ptr<Gpu> started_in_background() { return background != nullptr ? background->take() : nullptr; }

} // namespace __rex
