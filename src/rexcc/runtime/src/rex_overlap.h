// SPDX-License-Identifier: Apache-2.0
//
// Starting the GPU beside the beginning of the program. A thread starts the driver and makes the contexts, which is most
// of the time. It asks nothing of libomptarget: libomptarget loads libraries under its locks, and a program that loads one
// itself at that moment, whose constructor asks for devices, would wait for ever. So the images are registered by the
// first thread that needs them, as soon as the driver is there. Part of register_cubin.cpp.
#ifndef REX_OVERLAP_H
#define REX_OVERLAP_H

#include "rex_gpu.h"
#include "rex_policy.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include <pthread.h>
#include <signal.h>

namespace {

// Runs a function in a thread that gets none of the program's signals; false when there can be no thread.
template <class Function> bool run_beside(std::thread &thread, Function function) {
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

class BackgroundStart {
public:
  bool begin(Wait wait) {
    gpu = std::make_unique<RexGpu>();
    return run_beside(thread, [this, wait] {
      gpu->start();
      gpu->wait_by(wait);
    });
  }

  void finish() {
    std::lock_guard<std::mutex> lock(finishing);
    if (thread.joinable()) thread.join();
  }

  // The driver as the thread has left it; nothing when somebody has it already.
  std::unique_ptr<RexGpu> take() {
    finish();
    return std::move(gpu);
  }

private:
  std::unique_ptr<RexGpu> gpu;
  std::thread thread;
  std::mutex finishing;
};

// Never destroyed.
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

bool start_in_background(Wait wait) {
  background = new BackgroundStart;
  if (!background->begin(wait)) return false;
  finish_when_this_thread_exits();
  atexit(finish_start);
  pthread_atfork(finish_start, nullptr, nullptr);
  return true;
}

} // namespace

#endif
