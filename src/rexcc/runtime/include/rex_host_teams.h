// SPDX-License-Identifier: Apache-2.0
//
// How the CPU device runs a launch. The teams are shared out among a pool of OS threads, one per core; the threads of a
// team are
//
//   rex_run_teams               a plain loop: for kernels without barriers
//   rex_run_teams_synchronised  fibers (rex_host_fibers.h), so that a barrier is a real one
//
// Part of rex_host_device.h. Plain POSIX rather than <thread>, to keep the names that user code sees few.
#ifndef REX_HOST_TEAMS_H
#define REX_HOST_TEAMS_H

#include <atomic>

#include "rex_host_check.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

namespace rex_host __attribute__((visibility("hidden"))) {

[[noreturn]] static inline void fail(const char *sentence) {
  fprintf(stderr, "rex: %s\n", sentence);
  abort();
}

static inline double seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline int cores() {
  if (const char *text = getenv("REX_HOST_CORES")) { // the runtime helper tells of other text than a number
    char *end;
    long number = strtol(text, &end, 10);
    if (end != text && *end == '\0' && number >= 1 && number <= 1 << 20) return (int)number;
  }
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

class Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : mutex(mutex) { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }
  Lock(const Lock &) = delete;

private:
  pthread_mutex_t &mutex;
};

// Of a team, as on a GPU.
static const int kMostThreads = REX_MOST_THREADS;

using TeamFunction = void (*)(const void *body, int threads);

struct Launch {
  TeamFunction run_team;
  const void *body;
  int teams, threads;
  std::atomic<long> next_team{0};
  int helpers = 0; // workers that are inside; guarded by the pool's mutex
  Launch *older = nullptr;
};

// Runs teams of a launch until none is left. Any number of OS threads may do so at a time.
static inline void run_some_teams(Launch &launch) {
  gridDim = {(unsigned)launch.teams, 1, 1};
  blockDim = {(unsigned)launch.threads, 1, 1};
  for (long team; (team = launch.next_team.fetch_add(1, std::memory_order_relaxed)) < launch.teams;) {
    blockIdx = {(unsigned)team, 0, 0};
    threadIdx = {0, 0, 0};
    launch.run_team(launch.body, launch.threads);
  }
}

// Workers help the threads that launch. The launching thread works too, so a launch never waits for a free worker.
// The pool is never destroyed: its threads sleep until the process ends.
class Pool {
public:
  static Pool &get() {
    Pool *pool = current.load(std::memory_order_acquire);
    if (pool != nullptr) return *pool;
    Pool *fresh = new Pool;
    if (current.compare_exchange_strong(pool, fresh)) {
      pthread_atfork(nullptr, nullptr, [] { current = nullptr; }); // a child process has no workers
      return *fresh;
    }
    delete fresh;
    return *pool;
  }

  void run(Launch &launch) {
    announce(launch);
    run_some_teams(launch);
    withdraw(launch);
  }

private:
  void announce(Launch &launch) {
    Lock lock(mutex);
    if (!started) start_workers();
    launch.older = newest;
    newest = &launch;
    pthread_cond_broadcast(&work_arrived);
  }

  void withdraw(Launch &launch) {
    Lock lock(mutex);
    Launch **link = &newest;
    while (*link != &launch) link = &(*link)->older;
    *link = launch.older;
    while (launch.helpers > 0) pthread_cond_wait(&helper_left, &mutex);
  }

  void start_workers() {
    started = true;
    for (int i = 1; i < cores(); i++) {
      pthread_t thread;
      if (pthread_create(&thread, nullptr, work, this) != 0) return; // fewer workers, same result
      pthread_detach(thread);
    }
  }

  Launch *launch_with_teams_left() {
    for (Launch *launch = newest; launch != nullptr; launch = launch->older)
      if (launch->next_team.load(std::memory_order_relaxed) < launch->teams) return launch;
    return nullptr;
  }

  static void *work(void *argument) {
    Pool &pool = *static_cast<Pool *>(argument);
    Lock lock(pool.mutex);
    for (;;) {
      Launch *launch = pool.launch_with_teams_left();
      if (launch == nullptr) {
        pthread_cond_wait(&pool.work_arrived, &pool.mutex);
        continue;
      }
      launch->helpers++;
      pthread_mutex_unlock(&pool.mutex);
      run_some_teams(*launch);
      pthread_mutex_lock(&pool.mutex);
      if (--launch->helpers == 0) pthread_cond_broadcast(&pool.helper_left);
    }
  }

  static inline std::atomic<Pool *> current{nullptr};

  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t work_arrived = PTHREAD_COND_INITIALIZER, helper_left = PTHREAD_COND_INITIALIZER;
  bool started = false;
  Launch *newest = nullptr;
};

// Each device has an image of its own, which learns from its launches which one it is.
REX_UNIT_STATE std::atomic<int> this_device{0}, all_devices{1};

static inline void learn_device(const rex_geometry &geometry) {
  this_device.store(geometry.device, std::memory_order_relaxed);
  all_devices.store(geometry.devices, std::memory_order_relaxed);
}

static inline void run(const rex_geometry *geometry, TeamFunction run_team, const void *body) {
  if (geometry != nullptr) learn_device(*geometry);
  Launch launch;
  launch.run_team = run_team;
  launch.body = body;
  launch.teams = geometry != nullptr && geometry->teams > 0 ? geometry->teams : 1;
  launch.threads = geometry != nullptr && geometry->threads > 0 ? geometry->threads : 1;
  if (launch.threads > kMostThreads) launch.threads = kMostThreads;
#ifdef REX_CHECK // one team after the other, on this thread
  rex_check_kernel_begins(geometry, launch.teams, launch.threads);
  run_some_teams(launch);
  rex_check_kernel_ends();
  return;
#endif
  if (launch.teams == 1) run_some_teams(launch);
  else Pool::get().run(launch);
}

} // namespace rex_host

#include "rex_host_fibers.h"

// Runs a kernel: body() once for each thread of each team, with threadIdx, blockIdx, blockDim and gridDim set. Without
// a geometry (a launch that did not come through register_cubin.cpp) that is one thread.
template <class Body> static inline void rex_run_teams(const rex_geometry *geometry, const Body &body) noexcept {
  auto run_team = [](const void *body, int threads) {
    for (int i = 0; i < threads; i++) {
      threadIdx.x = (unsigned)i;
      rex_host::RunsProgram runs;
      (*static_cast<const Body *>(body))();
    }
  };
  rex_host::run(geometry, run_team, &body);
}

// The same for a kernel with barriers.
template <class Body>
static inline void rex_run_teams_synchronised(const rex_geometry *geometry, const Body &body) noexcept {
  auto run_team = [](const void *body, int threads) {
    auto run_thread = [](const void *body) { (*static_cast<const Body *>(body))(); };
    if (threads == 1) {
      rex_host::RunsProgram runs;
      return run_thread(body);
    }
    rex_host::Fibers::of_this_thread().run_team(threads, run_thread, body);
  };
  rex_host::run(geometry, run_team, &body);
}

#endif
