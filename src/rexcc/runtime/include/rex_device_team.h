// SPDX-License-Identifier: Apache-2.0
//
// The threads of a block as OpenMP's teams of threads: where each one stands, and how they meet.
//
// A parallel region is executed by the first n threads of the block; a region inside of another by one thread, the one
// that met it. A kernel whose functions ask for their place (omp_get_thread_num() in a function, say) keeps a state for
// each thread:
//
//   rex_team_begin(0);                 at the kernel's start: outside of any parallel region, every thread on its own
//   rex_team_begin(1);                 ... in a parallel region of the whole block
//   { rex_parallel __rex_level(n); }   in a region of n threads until the closing brace
//   rex_linked_team_begin, rex_linked_parallel     the same where only images of several files need it
//   { rex_final __rex_final(yes); }    in a task with this final clause until the closing brace
//
// These are for all threads of the block:
//
//   rex_from_first(f)                  f() of thread 0
//   rex_first(f)                       thread 0 alone calls f
//
// and these for the threads of a team, which is given by its number of threads, or else is the caller's by the state:
//
//   rex_barrier(n), rex_barrier()
//   rex_copy_from_first(x, n)          x of the team's first thread to all others; n == 0: the caller's team
//
// and this one for those of all threads of a block that share a loop:
//
//   rex_each(i, bound, f)              f(i), f(i + blockDim.x), … below the bound, four at a time as long as there are
//   rex_each_in_grid(i, bound, n, f)   the same with n in place of blockDim.x
//   rex_each_late(i, bound, f)         the same where f returns what it stores, as rex_late<T>(place, value):
//                                      the four values come first; rex_late_if<T>() stores nothing
//   rex_each_of_nest<Number>(i, bound, {n, …}, f)    the same of the iterations of a nest, whose inner loops have n, …
//   rex_each_of_nest_late<…>(…)        each: f(position in the outermost loop, …); a Number holds all positions
//
// Locks are words that begin as 0. Threads of one warp may compete for a lock, for they are scheduled separately since
// sm_70; still the winner must not have to wait for the others inside the loop:
//
//   REX_CRITICAL(lock) statement       one thread at a time executes the statement
//   REX_CRITICAL_IF(lock, test) …      the same, where threads for which the test fails, then or while they wait, go on
#ifndef REX_DEVICE_TEAM_H
#define REX_DEVICE_TEAM_H

#include "rex_device_core.h"

// ---------------------------------------------------------------------------------------------------------------------
// The state of a thread.

namespace rex_detail {

// The parallel regions around a thread. At most one of them has several threads, the first ones of the block. Tasks are
// executed where they are met, so what matters of them is whether a final one is around, inside the innermost region.
struct parallel_state {
  unsigned level : 10;   // how many they are, or 1023
  unsigned team_at : 10; // which one has several threads, counted from 1; 0: none
  unsigned threads : 11; // how many
  unsigned in_final : 1;
};
static_assert(sizeof(parallel_state) == 4 && REX_MOST_THREADS < 1 << 11, "one word a thread, and their number has room");

// Shared memory is taken from kernels that use it only. A block has no more threads; each one uses its own word alone.
REX_UNIT_STATE __shared__ parallel_state parallel_states[REX_MOST_THREADS];

REX_DEVICE parallel_state &my_state() { return parallel_states[threadIdx.x]; }

REX_DEVICE parallel_state inside_parallel(parallel_state outside, int threads) {
  unsigned level = outside.level == 1023 ? 1023 : outside.level + 1u;
  if (threads > 1) return {level, level, (unsigned)threads, 0};
  return {level, outside.team_at, outside.threads, 0};
}

REX_DEVICE bool is_team_of_several(int level) { return level > 0 && level == (int)my_state().team_at; }

// The team at a level that the caller has around it, and the caller's number (or its ancestor's) in that team.
REX_DEVICE int threads_at(int level) { return is_team_of_several(level) ? (int)my_state().threads : 1; }
REX_DEVICE int thread_number_at(int level) { return is_team_of_several(level) ? (int)threadIdx.x : 0; }
REX_DEVICE int threads_of_my_team() { return threads_at((int)my_state().level); }

} // namespace rex_detail

REX_DEVICE void rex_team_begin(bool in_parallel) {
  rex_detail::parallel_state outside = {0, 0, 1, 0};
  rex_detail::my_state() = in_parallel ? rex_detail::inside_parallel(outside, (int)blockDim.x) : outside;
}

struct rex_parallel {
  __device__ explicit rex_parallel(int threads) : outside(rex_detail::my_state()) {
    rex_detail::my_state() = rex_detail::inside_parallel(outside, threads);
  }
  __device__ ~rex_parallel() { rex_detail::my_state() = outside; }
  rex_parallel(const rex_parallel &) = delete;
  rex_parallel &operator=(const rex_parallel &) = delete;

private:
  const rex_detail::parallel_state outside;
};

// The same in kernels of which only functions ask that know their team in an image of their file alone (see
// REX_TEAM_OF_BLOCK): there nothing is kept.
#if defined(__CUDACC__) && !defined(REX_LINKED_UNITS)
struct rex_linked_parallel {
  __device__ explicit rex_linked_parallel(int) {}
};
REX_DEVICE void rex_linked_team_begin(bool) {}
#else
typedef rex_parallel rex_linked_parallel;
REX_DEVICE void rex_linked_team_begin(bool in_parallel) { rex_team_begin(in_parallel); }
#endif

struct rex_final {
  __device__ explicit rex_final(bool is_final) : outside(rex_detail::my_state()) {
    if (is_final) rex_detail::my_state().in_final = 1;
  }
  __device__ ~rex_final() { rex_detail::my_state() = outside; }
  rex_final(const rex_final &) = delete;
  rex_final &operator=(const rex_final &) = delete;

private:
  const rex_detail::parallel_state outside;
};

// As many threads as num_threads(n) gets.
REX_DEVICE int rex_narrow(long long n) { return n < 1 ? 1 : n > (long long)blockDim.x ? (int)blockDim.x : (int)n; }

// ---------------------------------------------------------------------------------------------------------------------
// Waiting.

// Lets others change what the caller waits for: on the CPU device they may be fibers of the same OS thread.
REX_DEVICE void rex_pause() { __nanosleep(40); }

#define REX_CRITICAL_IF(lock, ...)                                                                                     \
  for (bool __rex_done = false; !__rex_done && (__VA_ARGS__); rex_pause())                                             \
    if (rex_try_lock(&lock))                                                                                           \
      for (; !__rex_done; __rex_done = true, rex_unlock(&lock))

#define REX_CRITICAL(lock)                                                                                             \
  for (bool __rex_done = false; !__rex_done; rex_pause())                                                              \
    if (rex_try_lock(&lock))                                                                                           \
      for (; !__rex_done; __rex_done = true, rex_unlock(&lock))

namespace rex_detail {

// How two threads of a block meet at words of shared memory whose content is anything: nothing can initialise them, for
// there may be no barrier between the start of the kernel and here. The caller writes numbers; the answerer repeats
// each number that it sees until it has seen one that dismisses it.
//
// - The caller's first number is odd and differs from what stood in `number`, and it wipes `echo` before. So to read it
//   back means that the answerer has come.
// - The second number is even. An even number that the answerer has seen *appear* is no leftover: it means that the
//   caller has come, and that the answerer may go.
// - The caller goes when it reads back the second. Then neither writes any more, except that an answerer who is back
//   for the next meeting may repeat that number; it stands in `echo` already.
//
// The fences make each word an acquire load and a release store; the meeting orders all that either has done before.
REX_DEVICE unsigned hear(unsigned *word) {
  unsigned value = atomicOr(word, 0u);
  __threadfence_block();
  return value;
}
REX_DEVICE void say(unsigned *word, unsigned value) {
  __threadfence_block();
  atomicExch(word, value);
}

REX_DEVICE void say_until_heard(unsigned *number, unsigned *echo, unsigned value) {
  say(number, value);
  while (hear(echo) != value) rex_pause();
}
REX_DEVICE void meet_as_caller(unsigned *number, unsigned *echo) {
  unsigned leftover = hear(number), first = (leftover + 1) | 1;
  say(echo, leftover);
  say_until_heard(number, echo, first);
  say_until_heard(number, echo, first + 1);
}
REX_DEVICE void meet_as_answerer(unsigned *number, unsigned *echo) {
  unsigned seen = hear(number);
  say(echo, seen);
  do {
    unsigned last = seen;
    while ((seen = hear(number)) == last) rex_pause();
    say(echo, seen);
  } while (seen % 2 != 0);
}

#ifdef __CUDACC__

REX_UNIT_STATE __shared__ unsigned meeting_number, meeting_echo;

// A barrier of the block's first threads, any number of them.
//
// The hardware's named barriers count whole warps: their thread count must be a multiple of 32, and a thread that
// arrives waits for all threads of its warp (PTX, barrier.cta). So they serve the whole warps only. The threads of a
// last, partial warp meet at __syncwarp, which takes a set of lanes; then one thread of either side meets the other's
// at shared memory, while its companions wait for it at a second barrier. Those of the warp that do not take part are
// left alone.
REX_DEVICE void barrier_of_first(unsigned threads) {
  unsigned in_last_warp = threads % REX_WARP, in_whole_warps = threads - in_last_warp;
  if (threads <= REX_WARP) {
    __syncwarp(all_lanes >> (REX_WARP - threads));
  } else if (in_last_warp == 0) {
    __barrier_sync_count(1, threads);
  } else if (threadIdx.x < in_whole_warps) {
    __barrier_sync_count(1, in_whole_warps);
    if (threadIdx.x == 0) meet_as_caller(&meeting_number, &meeting_echo);
    __barrier_sync_count(1, in_whole_warps);
  } else {
    rex_lanes lanes = ((rex_lanes)1 << in_last_warp) - 1;
    __syncwarp(lanes);
    if (threadIdx.x == in_whole_warps) meet_as_answerer(&meeting_number, &meeting_echo);
    __syncwarp(lanes);
  }
}

// A barrier of all threads that need not have come by the same way: __syncthreads must be the same instruction for all.
// That barrier lets the threads of a warp go on apart, each with its own turns; __syncwarp brings them together again,
// so that they share instructions (docs/decisions/022-thread-numbers-in-text.md).
REX_DEVICE void barrier_of_all() {
  __syncwarp();
  __barrier_sync(0);
  __syncwarp();
}

#else

REX_DEVICE void barrier_of_first(unsigned threads) { rex_host::barrier_of_first(threads); }
REX_DEVICE void barrier_of_all() { __syncthreads(); }

#endif

} // namespace rex_detail

REX_DEVICE void rex_barrier(int threads) {
  if (threads == 1) return;
  if (threads == (int)blockDim.x) __syncthreads();
  else rex_detail::barrier_of_first((unsigned)threads);
}

REX_DEVICE void rex_barrier() {
  int threads = rex_detail::threads_of_my_team();
  if (threads == (int)blockDim.x && threads > 1) rex_detail::barrier_of_all();
  else rex_barrier(threads);
}

// ---------------------------------------------------------------------------------------------------------------------
// What one thread does for all.

namespace rex_detail {

// Room that a block shares; one for each type. Bytes, for a __shared__ object may not have a constructor and T may.
template <class T> REX_DEVICE T *room_of_block() {
  alignas(T) __shared__ unsigned char room[sizeof(T)];
  return reinterpret_cast<T *>(room);
}

alignas(16) REX_UNIT_STATE __shared__ unsigned char room_for_copies[256];

} // namespace rex_detail

template <class F> REX_DEVICE auto rex_from_first(F f) -> typename std::decay<decltype(f())>::type {
  using T = typename std::decay<decltype(f())>::type;
  static_assert(std::is_trivially_copyable<T>::value, "a value goes from one thread to the others as bytes");
  T *room = rex_detail::room_of_block<T>();
  __syncthreads(); // all have used what f may change, and what a call before this one put here
  if (threadIdx.x == 0) {
    T value = f();
    __builtin_memcpy(static_cast<void *>(room), __builtin_addressof(value), sizeof(T));
  }
  __syncthreads();
  return *room;
}

template <class F> REX_DEVICE void rex_first(F f) {
  __syncthreads();
  if (threadIdx.x == 0) f();
  __syncthreads();
}

namespace rex_detail {

// bound - 3 * step is computed only where it is positive: it might overflow. Tests define REX_EACH_ON_CPU to have four
// at a time on the CPU device too.
template <class Step, class F> REX_DEVICE void four_at_a_time(long long i, long long bound, Step step, F f) {
#if defined(__CUDACC__) || defined(REX_EACH_ON_CPU)
  if (bound > 3 * step) {
#pragma unroll 1
    for (; i < bound - 3 * step; i += 4 * step) {
#pragma unroll
      for (int k = 0; k < 4; k++) f(i + k * step);
    }
  }
#pragma unroll 1
#endif
  for (; i < bound; i += step) f(i);
}

} // namespace rex_detail

template <class F> REX_DEVICE void rex_each(long long i, long long bound, F f) {
  rex_detail::four_at_a_time(i, bound, (int)blockDim.x, f);
}

template <class F> REX_DEVICE void rex_each_in_grid(long long i, long long bound, long long threads, F f) {
  rex_detail::four_at_a_time(i, bound, threads, f);
}

#ifdef __CUDACC__
template <class T> struct rex_late {
  T *place;
  T value;
  rex_late() = default;
  __device__ rex_late(T &at, T what) : place(&at), value(what) {}
  __device__ void store() const { *place = value; }
};
template <class T> struct rex_late_if {
  T *place = nullptr;
  T value;
  rex_late_if() = default;
  __device__ rex_late_if(T &at, T what) : place(&at), value(what) {}
  __device__ void store() const {
    if (place != nullptr) *place = value;
  }
};

// A thread that is alone executes the iterations in order.
namespace rex_detail {
template <class F> REX_DEVICE void four_stored_late(long long i, long long bound, int step, F f) {
  if (step > 1 && bound > 3 * step) {
#pragma unroll 1
    for (; i < bound - 3 * step; i += 4 * step) {
      decltype(f(0)) made[4];
#pragma unroll
      for (int k = 0; k < 4; k++) made[k] = f(i + k * step);
#pragma unroll
      for (int k = 0; k < 4; k++) made[k].store();
    }
  }
#pragma unroll 1
  for (; i < bound; i += step) f(i).store();
}
} // namespace rex_detail
template <class F> REX_DEVICE void rex_each_late(long long i, long long bound, F f) {
  rex_detail::four_stored_late(i, bound, (int)blockDim.x, f);
}
#else
template <class T> struct rex_late {
  rex_late() = default;
  rex_late(T &at, T what) { at = what; }
};
template <class T> using rex_late_if = rex_late<T>;
template <class F> REX_DEVICE void rex_each_late(long long i, long long bound, F f) { rex_each(i, bound, f); }
namespace rex_detail {
template <class F> REX_DEVICE void four_stored_late(long long i, long long bound, int step, F f) {
  four_at_a_time(i, bound, step, f);
}
} // namespace rex_detail
#endif

namespace rex_detail {

// Where a thread is in a nest: its positions in the loops, outermost first, and how far they go to its next iteration.
template <class Number, int Inner> class place_in_nest {
  Number at_[Inner + 1], step_[Inner + 1], extents_[Inner + 1];

  // A block's threads are few, so numbers of threads need no division of more than 32 bits.
  __device__ void split(unsigned number, Number (&parts)[Inner + 1]) const {
    for (int loop = Inner; loop > 0; loop--) {
      const Number extent = extents_[loop];
      const unsigned above = extent > number ? 0 : number / (unsigned)extent;
      parts[loop] = number - above * (unsigned)extent;
      number = above;
    }
    parts[0] = number;
  }

public:
  __device__ place_in_nest(unsigned first, unsigned step, const long long (&extents)[Inner]) {
    for (int loop = 0; loop < Inner; loop++) extents_[loop + 1] = (Number)extents[loop];
    split(first, at_);
    split(step, step_);
  }

  // The sum of a position and a step may need one bit more than a Number has; what is left of the extent does not.
  __device__ void go_on() {
    Number carry = 0;
    for (int loop = Inner; loop > 0; loop--) {
      const Number far = step_[loop] + carry, left = extents_[loop] - far;
      const bool beyond = at_[loop] >= left;
      at_[loop] = beyond ? at_[loop] - left : at_[loop] + far;
      carry = beyond;
    }
    at_[0] += step_[0] + carry;
  }

  template <class F> __device__ auto call(F f, int (*)[1]) const -> decltype(f(at_[0], at_[1])) {
    return f(at_[0], at_[1]);
  }
  template <class F> __device__ auto call(F f, int (*)[2]) const -> decltype(f(at_[0], at_[1], at_[2])) {
    return f(at_[0], at_[1], at_[2]);
  }
  template <class F> __device__ auto call(F f, int (*)[3]) const -> decltype(f(at_[0], at_[1], at_[2], at_[3])) {
    return f(at_[0], at_[1], at_[2], at_[3]);
  }
};

} // namespace rex_detail

// Where there is an iteration, no extent is 0.
template <class Number, int Inner, class F>
REX_DEVICE void rex_each_of_nest(long long i, long long bound, const long long (&extents)[Inner], F f) {
  if (i >= bound) return;
  rex_detail::place_in_nest<Number, Inner> place((unsigned)i, blockDim.x, extents);
  rex_each(i, bound, [&](long long) {
    place.call(f, (int(*)[Inner])0);
    place.go_on();
  });
}

template <class Number, int Inner, class F>
REX_DEVICE void rex_each_of_nest_late(long long i, long long bound, const long long (&extents)[Inner], F f) {
  if (i >= bound) return;
  rex_detail::place_in_nest<Number, Inner> place((unsigned)i, blockDim.x, extents);
  rex_each_late(i, bound, [&](long long) {
    const auto made = place.call(f, (int(*)[Inner])0);
    place.go_on();
    return made;
  });
}

template <class T> REX_DEVICE void rex_copy_from_first(T &x, int threads) {
  static_assert(std::is_trivially_copyable<T>::value, "a value goes from one thread to the others as bytes");
  constexpr size_t room = sizeof rex_detail::room_for_copies, most = sizeof(T) < room ? sizeof(T) : room;
  if (threads == 0) threads = rex_detail::threads_of_my_team();
  if (threads == 1) return;
  char *bytes = reinterpret_cast<char *>(__builtin_addressof(x));
  for (size_t done = 0; done < sizeof(T); done += most) {
    size_t size = sizeof(T) - done < most ? sizeof(T) - done : most;
    rex_barrier(threads); // all have taken what stood here
    if (threadIdx.x == 0) memcpy(rex_detail::room_for_copies, bytes + done, size);
    rex_barrier(threads);
    if (threadIdx.x != 0) memcpy(bytes + done, rex_detail::room_for_copies, size);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Locks.

REX_DEVICE bool rex_try_lock(unsigned *lock) {
  bool taken = atomicCAS(lock, 0u, 1u) == 0;
  if (taken) __threadfence(); // what the last owner wrote is seen from here on
  return taken;
}

REX_DEVICE void rex_unlock(unsigned *lock) {
  __threadfence();
  atomicExch(lock, 0u);
}

#endif
