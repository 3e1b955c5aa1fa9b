// SPDX-License-Identifier: Apache-2.0
//
// How the CPU device runs a launch. The teams are shared out among a pool of OS threads, one per core; the threads of a
// team are
//
//   rex_run_teams               a plain loop: for kernels without barriers
//   rex_run_teams_synchronised  fibers, each with its own stack, so that a barrier is a real one
//
// Part of rex_host_device.h. Plain POSIX rather than <thread>, to keep the names that user code sees few.
#ifndef REX_HOST_TEAMS_H
#define REX_HOST_TEAMS_H

#include <atomic>

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#if !defined(__x86_64__) || defined(REX_HOST_UCONTEXT)
#include <ucontext.h>
#endif

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
  if (const char *text = getenv("REX_HOST_CORES")) return atoi(text) > 1 ? atoi(text) : 1;
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

// ---------------------------------------------------------------------------------------------------------------------
// Teams on OS threads.

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

static inline void run(const rex_geometry *geometry, TeamFunction run_team, const void *body) {
  Launch launch;
  launch.run_team = run_team;
  launch.body = body;
  launch.teams = geometry != nullptr && geometry->teams > 0 ? geometry->teams : 1;
  launch.threads = geometry != nullptr && geometry->threads > 0 ? geometry->threads : 1;
  if (launch.teams == 1) run_some_teams(launch);
  else Pool::get().run(launch);
}

// ---------------------------------------------------------------------------------------------------------------------
// Threads of a team as fibers.

#if defined(__x86_64__) && !defined(REX_HOST_UCONTEXT)

// Ten nanoseconds a switch; swapcontext makes two system calls.
struct Context {
  void *stack_pointer;
};

// Saves the registers that a call preserves on the present stack, and goes on where `to` was left.
__attribute__((naked, noinline)) static void switch_context(Context * /*from*/, Context * /*to*/) {
  __asm__("push %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
          "mov %rsp, (%rdi)\n\t"
          "mov (%rsi), %rsp\n\t"
          "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\t"
          "ret");
}

// A stack as if switch_context had just left it: six registers, where to return to, and main's own (no) return address.
static inline void make_context(Context *context, char *stack, size_t size, void (*main)()) {
  void **top = reinterpret_cast<void **>(stack + size) - 2;
  *--top = nullptr;
  *--top = reinterpret_cast<void *>(main);
  for (int i = 0; i < 6; i++) *--top = nullptr;
  context->stack_pointer = top;
}

#else

struct Context {
  ucontext_t state;
};
static inline void switch_context(Context *from, Context *to) { swapcontext(&from->state, &to->state); }
static inline void make_context(Context *context, char *stack, size_t size, void (*main)()) {
  getcontext(&context->state);
  context->state.uc_stack.ss_sp = stack;
  context->state.uc_stack.ss_size = size;
  context->state.uc_link = nullptr;
  makecontext(&context->state, main, 0);
}

#endif

enum FiberState { kReady, kAtWarpBarrier, kAtTeamBarrier, kFinished };

// The fibers of one OS thread; it runs one team at a time and keeps the stacks for the next.
class Fibers {
public:
  using ThreadFunction = void (*)(const void *body);

  Fibers() = default;
  Fibers(const Fibers &) = delete;
  ~Fibers() {
    for (int i = 0; i < count; i++) munmap(fibers[i].stack, kStackSize);
    free(fibers);
  }

  static Fibers &of_this_thread() {
    static thread_local Fibers fibers;
    return fibers;
  }
  // The fibers of the team that is running here; null in a kernel without fibers.
  static inline thread_local Fibers *running = nullptr;

  void run_team(int threads, ThreadFunction function, const void *team_body) {
    make_room_for(threads);
    run_thread = function;
    body = team_body;
    running = this;
    for (int i = 0; i < threads; i++) {
      // not all stacks may begin at the same place in a page, or they fight for the same lines of the cache
      make_context(&fibers[i].context, fibers[i].stack, kStackSize - (size_t)(i % 64) * 192, fiber_main);
      fibers[i].state = kReady;
    }
    for (int alive = threads; alive > 0;) {
      for (int first = 0; first < threads; first += warpSize)
        alive -= run_warp(first, first + warpSize < threads ? first + warpSize : threads);
      for (int i = 0; i < threads; i++) // all others wait at the barrier or have finished
        if (fibers[i].state == kAtTeamBarrier) fibers[i].state = kReady;
    }
    running = nullptr;
  }

  // Called in a fiber: lets the others run until all have come as far.
  void wait(FiberState state) {
    fibers[threadIdx.x].state = state;
    switch_context(&fibers[threadIdx.x].context, &scheduler);
  }

private:
  struct Fiber {
    Context context;
    char *stack;
    FiberState state;
  };
  // More than a GPU thread can have (512 KiB); pages that are never touched cost nothing.
  static constexpr size_t kStackSize = 1 << 20;

  // Runs a warp until each of its threads has finished or waits for the team. Returns how many finished.
  int run_warp(int first, int last) {
    int finished = 0;
    for (bool someone_ready = true; someone_ready;) {
      someone_ready = false;
      for (int i = first; i < last; i++) {
        if (fibers[i].state != kReady) continue;
        threadIdx.x = (unsigned)i;
        switch_context(&scheduler, &fibers[i].context);
        finished += fibers[i].state == kFinished;
      }
      for (int i = first; i < last; i++) {
        if (fibers[i].state != kAtWarpBarrier) continue;
        fibers[i].state = kReady;
        someone_ready = true;
      }
    }
    return finished;
  }

  static void fiber_main() noexcept {
    running->run_thread(running->body);
    running->wait(kFinished);
  }

  void make_room_for(int threads) {
    if (threads <= count) return;
    fibers = static_cast<Fiber *>(realloc(static_cast<void *>(fibers), sizeof(Fiber) * (size_t)threads));
    for (; fibers != nullptr && count < threads; count++) {
      constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
      void *stack = mmap(nullptr, kStackSize, PROT_READ | PROT_WRITE, flags, -1, 0);
      if (stack == MAP_FAILED) break;
      mprotect(stack, 4096, PROT_NONE); // overflow faults; where the kernel has no mappings left we do without
      fibers[count].stack = static_cast<char *>(stack);
    }
    if (count < threads) fail("there is no memory for the stacks of a team on the CPU device");
  }

  Fiber *fibers = nullptr;
  int count = 0;
  Context scheduler;
  ThreadFunction run_thread = nullptr;
  const void *body = nullptr;
};

static inline void barrier(FiberState state) {
  if (Fibers::running != nullptr) Fibers::running->wait(state);
  else if (blockDim.x > 1) fail("a kernel with a barrier was started without fibers; please report this to rexcc");
}

// Guards reductions of types that no atomic operation covers.
static pthread_mutex_t reduction_mutex = PTHREAD_MUTEX_INITIALIZER;

} // namespace rex_host

// Runs a kernel: body() once for each thread of each team, with threadIdx, blockIdx, blockDim and gridDim set. Without
// a geometry (a launch that did not come through register_cubin.cpp) that is one thread.
template <class Body> static inline void rex_run_teams(const rex_geometry *geometry, const Body &body) noexcept {
  auto run_team = [](const void *body, int threads) {
    for (int i = 0; i < threads; i++) {
      threadIdx.x = (unsigned)i;
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
    if (threads == 1) run_thread(body);
    else rex_host::Fibers::of_this_thread().run_team(threads, run_thread, body);
  };
  rex_host::run(geometry, run_team, &body);
}

#endif
