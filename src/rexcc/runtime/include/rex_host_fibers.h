// SPDX-License-Identifier: Apache-2.0
//
// The threads of a team on the CPU device as fibers of one OS thread, each with its own stack. A fiber runs until it
// has to wait: at a barrier, or for a lock (rex_pause); then the next one goes on. Part of rex_host_teams.h.
#ifndef REX_HOST_FIBERS_H
#define REX_HOST_FIBERS_H

#include <sched.h>
#include <sys/mman.h>
#if !defined(__x86_64__) || defined(REX_HOST_UCONTEXT)
#include <ucontext.h>
#endif

namespace rex_host __attribute__((visibility("hidden"))) {

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

// For who polls: gives the core to other OS threads, but not each time, for that is a system call.
static inline void yield_at_times() {
  static thread_local unsigned calls;
  if (++calls % 16 == 0) sched_yield();
}

enum FiberState : unsigned char {
  kReady,
  kPaused,         // waits for something that nobody announces, and looks again when no other can go on
  kAtWarpBarrier,  // __syncwarp(lanes)
  kAtPartBarrier,  // a barrier of the team's first threads
  kAtTeamBarrier,  // __syncthreads
  kFinished,
  kFiberStates
};

// The fibers of one OS thread; it runs one team at a time and keeps the stacks for the next.
//
// They run in rounds, by their numbers. Barriers open between two rounds, when all have come or ended; a fiber that
// polls is let go on only when nobody else can, for what it waits for may be behind a barrier.
class Fibers {
public:
  using ThreadFunction = void (*)(const void *body);

  Fibers() = default;
  Fibers(const Fibers &) = delete;
  ~Fibers() {
    for (int i = 0; i < stacks; i++) munmap(fibers[i].stack, kStackSize);
    free(fibers);
  }

  static Fibers &of_this_thread() {
    static thread_local Fibers fibers;
    return fibers;
  }
  // The fibers of the team that is running here; null in a kernel without fibers.
  static inline thread_local Fibers *running = nullptr;

  void run_team(int team_threads, ThreadFunction function, const void *team_body) {
    make_room_for(team_threads);
    threads = team_threads;
    run_thread = function;
    body = team_body;
    for (int i = 0; i < threads; i++) {
      // not all stacks may begin at the same place in a page, or they fight for the same lines of the cache
      make_context(&fibers[i].context, fibers[i].stack, kStackSize - (size_t)(i % 64) * 192, fiber_main);
      fibers[i].state = kReady;
    }
    memset(count, 0, sizeof count);
    current = -1;
    running = this;
    switch_context(&outside, next());
    running = nullptr;
  }

  // Called in a fiber: puts it into a state, and returns when it is ready again.
  void wait(FiberState state) {
    pauses_program();
    Fiber &me = fibers[threadIdx.x];
    me.state = state;
    count[state]++;
    Context *to = next();
    if (to != &me.context) switch_context(&me.context, to);
    runs_program();
  }

  void wait_for_lanes(rex_lanes lanes) {
    fibers[threadIdx.x].lanes = lanes;
    wait(kAtWarpBarrier);
  }

  void wait_for_first(int some_threads) {
    part = some_threads;
    wait(kAtPartBarrier);
  }

private:
  struct Fiber {
    Context context;
    char *stack;
    FiberState state;
    rex_lanes lanes;
  };
  // More than a GPU thread can have (512 KiB); pages that are never touched cost nothing.
  static constexpr size_t kStackSize = 1 << 20;

  // Where to go on: the next fiber of this round, the first one of a new round, or where run_team was called.
  Context *next() {
    do {
      while (++current < threads) {
        if (fibers[current].state != kReady) continue;
        threadIdx.x = (unsigned)current;
        return &fibers[current].context;
      }
      current = -1;
    } while (make_some_ready());
    return &outside;
  }

  // Called when no fiber is ready. Returns false when all have finished.
  bool make_some_ready() {
    if (count[kFinished] == threads) return false;
    bool open = false;
    if (count[kAtWarpBarrier] > 0) open = open_warp_barriers();
    if (count[kAtPartBarrier] == part && part > 0) open = make_ready(kAtPartBarrier);
    if (count[kAtTeamBarrier] + count[kFinished] == threads) open = make_ready(kAtTeamBarrier);
    if (open) return true;
    if (count[kPaused] == 0) fail_for_ever_waiting();
    yield_at_times(); // a thread of another team may have what they wait for
    return make_ready(kPaused);
  }

  bool make_ready(FiberState state) {
    for (int i = 0; i < threads; i++) {
      if (fibers[i].state != state) continue;
      fibers[i].state = kReady;
      if (state != kPaused) meets(i);
    }
    count[state] = 0;
    met();
    return true;
  }

  bool open_warp_barriers() {
    int waiting = count[kAtWarpBarrier];
    for (int first = 0; first < threads; first += warpSize) open_warp_barrier(first);
    return count[kAtWarpBarrier] < waiting;
  }

  // Lanes may meet in several sets; a lane that has finished or does not exist is not waited for. One that waits for other
  // lanes has not come.
  void open_warp_barrier(int first) {
    rex_lanes absent = 0;
    for (int lane = 0; lane < warpSize; lane++) {
      FiberState state = first + lane < threads ? fibers[first + lane].state : kFinished;
      if (state != kAtWarpBarrier && state != kFinished) absent |= (rex_lanes)1 << lane;
    }
    for (int i = first; i < first + warpSize && i < threads; i++) {
      if (fibers[i].state != kAtWarpBarrier || ((absent | elsewhere(first, fibers[i].lanes)) & fibers[i].lanes) != 0) continue;
      fibers[i].state = kReady;
      count[kAtWarpBarrier]--;
      meets(i);
    }
    met();
  }

  rex_lanes elsewhere(int first, rex_lanes lanes) const {
    rex_lanes found = 0;
    for (int lane = 0; lane < warpSize && first + lane < threads; lane++)
      if (fibers[first + lane].state != kFinished && fibers[first + lane].lanes != lanes) found |= (rex_lanes)1 << lane;
    return found;
  }

  [[noreturn]] void fail_for_ever_waiting() {
    const char *format = "not all threads of team %u reach the same barrier: %d of its %d threads would wait for ever";
    char sentence[160];
    snprintf(sentence, sizeof sentence, format, blockIdx.x, threads - count[kFinished], threads);
    fail(sentence);
  }

  static void fiber_main() noexcept {
    runs_program();
    running->run_thread(running->body);
    running->wait(kFinished);
  }

  void make_room_for(int more) {
    if (more <= stacks) return;
    fibers = static_cast<Fiber *>(realloc(static_cast<void *>(fibers), sizeof(Fiber) * (size_t)more));
    for (; fibers != nullptr && stacks < more; stacks++) {
      constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
      void *stack = mmap(nullptr, kStackSize, PROT_READ | PROT_WRITE, flags, -1, 0);
      if (stack == MAP_FAILED) break;
      mprotect(stack, 4096, PROT_NONE); // overflow faults; where the kernel has no mappings left we do without
      fibers[stacks].stack = static_cast<char *>(stack);
    }
    if (stacks < more) fail("there is no memory for the stacks of a team on the CPU device");
  }

  Fiber *fibers = nullptr;
  int stacks = 0;
  Context outside;

  int threads = 0;
  ThreadFunction run_thread = nullptr;
  const void *body = nullptr;
  int current = 0;         // the fiber whose turn it is
  int count[kFiberStates]; // of fibers in each state but kReady
  int part = 0;            // how many threads the part barrier is for
};

static inline bool is_alone() {
  if (blockDim.x > 1) fail("a kernel with a barrier was started without fibers; please report this to rexcc");
  return true;
}

static inline void barrier() {
  if (Fibers::running != nullptr) Fibers::running->wait(kAtTeamBarrier);
  else is_alone();
}
static inline void barrier_of_warp(rex_lanes lanes) {
  if (Fibers::running != nullptr) Fibers::running->wait_for_lanes(lanes);
  else is_alone();
}
static inline void barrier_of_first(unsigned threads) {
  if (Fibers::running != nullptr) Fibers::running->wait_for_first((int)threads);
  else is_alone();
}

// Gives a turn to the other threads of the team, and to those of other teams.
static inline void pause() {
  if (Fibers::running != nullptr) Fibers::running->wait(kPaused);
  else yield_at_times();
}

} // namespace rex_host

#endif
