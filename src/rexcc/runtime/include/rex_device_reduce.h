// SPDX-License-Identifier: Apache-2.0
//
// Reductions, finished on the device. *result keeps its original value as one more operand, as OpenMP asks; it may lie in
// global or in shared memory.
//
//   rex_identity_<op><T>()             what a private copy starts with
//   rex_reduce_<op>(&result, value)    by all threads of the block: their values are folded by warp shuffles and a little
//                                      shared memory, and one thread adds the outcome
//   rex_atomic_<op>(&result, value)    by any thread: it adds its own (rex_device_atomic.h)
//
// <op>: add mul and or xor land lor min max, on any arithmetic type and on enumerations of C. For operators of the user's
// (declare reduction), combine(a, b) being a = a op b:
//
//   rex_reduce_with(&result, value, combine)       by all threads of the block
//   rex_reduce_each_with(&result, value, combine)  by any thread
//
// `scan`: by all threads of a team, one iteration each, in the order of their numbers. `value` is what the iteration
// contributed and becomes the combination of all values before it, its own included or not; `carry` is that of all earlier
// rounds and becomes that of the next.
//
//   rex_scan_inclusive_<op>(value, carry), rex_scan_inclusive_with(value, carry, combine)
//   rex_scan_exclusive_<op>(value, carry), rex_scan_exclusive_with(value, carry, combine)
//
// So the team is the block. With one argument more, n, it is the block's first n threads; n == 0: the caller's team.
//
// On the CPU device a team has one thread or few, and each adds its own. Neither form waits for the others' contributions
// to arrive: a barrier (or the end of the kernel) must stand before *result is read.
//
// Who has the last value, by all n threads of a team (n == 0: the caller's), with barriers:
//
//   rex_is_last(number, n)             whether the caller's number is the greatest of all, and not negative
#ifndef REX_DEVICE_REDUCE_H
#define REX_DEVICE_REDUCE_H

#include <stdio.h>
#include <stdlib.h>

#ifdef REX_HAS_WARPS
#include <new>
#endif

#include "rex_device_atomic.h"
#include "rex_device_team.h"

namespace rex_detail {

// The least and the greatest value of T; infinities where T has them, so that they too can be reduced.
template <class T, bool = std::is_enum<T>::value> struct limits {
  using std_limits = std::numeric_limits<T>;
  static constexpr T least = std_limits::has_infinity ? (T)-std_limits::infinity() : std_limits::lowest();
  static constexpr T greatest = std_limits::has_infinity ? std_limits::infinity() : std_limits::max();
};
// An enumeration compares as int or as unsigned, whatever its own type is: the bounds must mean the same in both.
template <class T> struct limits<T, true> {
  using own = typename std::underlying_type<T>::type;
  static constexpr T least = (T)std::numeric_limits<own>::lowest();
  static constexpr T greatest = (T)std::numeric_limits<typename std::make_signed<own>::type>::max();
};

} // namespace rex_detail

namespace rex_detail {
struct predeclared {}; // what the operators of the language have in common
} // namespace rex_detail

// A function of the user's reductions as a type: what is kept as a pointer is called through it.
template <class Function, Function *function> struct rex_combiner {
  template <class T> __device__ void operator()(T &a, T &b) const { function(a, b); }
};
#define REX_COMBINER(function) rex_combiner<decltype(function), function>()

#define REX_REDUCTION(name, identity)                                                                                  \
  template <class T> REX_DEVICE T rex_identity_##name() { return identity; }                                           \
  namespace rex_detail {                                                                                               \
  struct name##_operator : predeclared {                                                                               \
    template <class T> __device__ static void combine(T &a, T &b) { a = (T)rex_combine_##name(a, b); }                 \
    template <class T> __device__ static void combine_atomically(T *x, T v) { rex_atomic_##name(x, v); }               \
    template <class T> __device__ static T none() { return rex_identity_##name<T>(); }                                 \
    template <class T> __device__ void operator()(T &a, T &b) const { combine(a, b); }                                 \
  };                                                                                                                   \
  }
REX_REDUCTION(add, (T)0)
REX_REDUCTION(mul, (T)1)
REX_REDUCTION(and, (T) ~(T)0)
REX_REDUCTION(or, (T)0)
REX_REDUCTION(xor, (T)0)
REX_REDUCTION(land, (T)1)
REX_REDUCTION(lor, (T)0)
REX_REDUCTION(min, rex_detail::limits<T>::greatest)
REX_REDUCTION(max, rex_detail::limits<T>::least)
#undef REX_REDUCTION

namespace rex_detail {

// Whether one atomic operation can replace a whole T; a struct of two floats is not aligned for that.
template <class T>
constexpr bool is_word = std::is_trivial<T>::value && alignof(T) == sizeof(T) && sizeof(T) <= 8;

// Whether the bytes of a T are all there is to it.
template <class T>
constexpr bool moves_as_bytes = std::is_trivially_copy_constructible<T>::value &&
                                std::is_trivially_destructible<T>::value;

REX_DEVICE rex_lanes first_lanes(int count) {
  return count >= REX_WARP ? all_lanes : ((rex_lanes)1 << count) - 1;
}

#ifdef REX_HAS_WARPS

// Blocks have one dimension.
__device__ static inline int thread_in_block() { return (int)threadIdx.x; }
__device__ static inline int threads_in_block() { return (int)blockDim.x; }

// __shfl_down_sync for any type, a word at a time. `is_there`: whether the lane that has it is one of the first `count`;
// the hardware says so where it is asked with the shuffle. A register is %p: p may be a variable of the program.
template <class T> REX_DEVICE T shuffle_down(rex_lanes lanes, T value, int distance, int count, bool &is_there) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  __builtin_memcpy(word, static_cast<void *>(__builtin_addressof(value)), sizeof(T));
#ifdef __CUDACC__
  int found;
  for (int i = 0; i < words; i++)
    asm volatile("{ .reg .pred %%p; shfl.sync.down.b32 %0|%%p, %2, %3, %4, %5; selp.s32 %1, 1, 0, %%p; }"
                 : "=r"(word[i]), "=r"(found)
                 : "r"(word[i]), "r"(distance), "r"(count - 1), "r"(lanes));
  is_there = found != 0;
#else
  for (int i = 0; i < words; i++) word[i] = __shfl_down_sync(lanes, word[i], distance);
  is_there = thread_in_block() % REX_WARP + distance < count;
#endif
  __builtin_memcpy(static_cast<void *>(__builtin_addressof(value)), word, sizeof(T));
  return REX_COPIED(T, value);
}

// Whether the caller's lane joins the value of the one at that distance. Operators of the language join what no lane needs,
// too; functions of the user's may write to what values refer to, so each value is joined once.
template <class Combine> REX_DEVICE bool joins_lane(bool is_there, int distance) {
  if (std::is_base_of<predeclared, Combine>::value) return is_there;
  return is_there && (thread_in_block() & (REX_WARP - 1)) < distance;
}

// Lane 0 gets the values of the warp's first `count` lanes combined, of REX_WARP at most; `lanes` are those that call it.
// They should be a constant, else the hardware asks first which lanes have the same ones.
template <class T, class Combine> REX_DEVICE void reduce_warp(rex_lanes lanes, T &value, int count, Combine combine) {
  for (int distance = REX_WARP / 2; distance > 0; distance /= 2) {
    bool is_there;
    T &&other = shuffle_down(lanes, REX_COPIED(T, value), distance, count, is_there);
    if (joins_lane<Combine>(is_there, distance)) combine(value, other);
  }
}

// Room for one value of each warp. Bytes, for a __shared__ object may not have a constructor and T may.
template <int Size> REX_DEVICE unsigned char *room_for_warps() {
  alignas(16) __shared__ unsigned char room[most_warps * Size];
  return room;
}

// How many threads of a warp, which is the block's `warp`-th, are among the block's first `threads`.
REX_DEVICE int threads_of_warp(int warp, int threads) {
  const int rest = threads - warp * REX_WARP;
  return rest < REX_WARP ? rest : REX_WARP;
}

// Thread 0 gets the values of all threads combined. All threads of the block must call it, so all lanes that there are
// shuffle; a shuffle does not wait for those that there are not.
template <class T, class Combine> REX_DEVICE void reduce_block(T &value, Combine combine) {
  int thread = thread_in_block(), threads = threads_in_block();
  int warp = thread >> lane_bits, lane = thread & (REX_WARP - 1), warps = (threads + REX_WARP - 1) >> lane_bits;
  reduce_warp(all_lanes, value, threads_of_warp(warp, threads), combine);
  if (warps == 1) return;
  unsigned char *of_warp = room_for_warps<sizeof(T)>();
  if (lane == 0) __builtin_memcpy(of_warp + warp * sizeof(T), static_cast<void *>(__builtin_addressof(value)), sizeof(T));
  __syncthreads();
  if (warp == 0) {
    if (lane < warps) __builtin_memcpy(static_cast<void *>(__builtin_addressof(value)), of_warp + lane * sizeof(T), sizeof(T));
    reduce_warp(all_lanes, value, warps, combine);
  }
  __syncthreads(); // the next reduction may use the same room
}

#ifdef __CUDACC__
// Not __isShared: nvcc 13.0 mixes up what it learns of a pointer from that and, in atomic operations, from __isLocal. It
// then reads shared memory as a thread's own (tests/execution/programs/inside_runtime_arrays.c).
REX_DEVICE bool is_shared(const volatile void *x) {
  unsigned found;
  asm("{ .reg .pred %%p; isspacep.shared %%p, %1; selp.u32 %0, 1, 0, %%p; }" : "=r"(found) : "l"(x));
  return found != 0;
}
#else
REX_DEVICE bool is_shared(const volatile void *) { return false; } // not to be told from other memory
#endif

// No other thread of the block changes the result meanwhile, so only one that other blocks see needs an atomic operation.
template <class Operator, class T> REX_DEVICE void reduce(T *result, T value) {
  reduce_block(value, Operator());
  if (thread_in_block() != 0) return;
  if (is_shared(result)) Operator::combine(*result, value);
  else Operator::combine_atomically(result, value);
}

#else

template <class Operator, class T> REX_DEVICE void reduce(T *result, T value) {
  Operator::combine_atomically(result, value);
}

#endif

// *result = combine(*result, value) by one of many threads. What no atomic operation covers is guarded by a lock, which is
// taken and given back in one step of a loop, so that the lanes of a warp do not wait for each other. The runtime knows
// the lock by its name (rex_cubin.cpp): two copies of an image may have one each, because two launches that reduce into one
// variable at the same time are a race.
template <class T, class Combine> REX_DEVICE void combine_alone(T *result, T &value, Combine combine) {
  static unsigned __rex_reduction_lock;
  if constexpr (is_word<T>) {
    update(result, [&](T old) {
      combine(old, value);
      return old;
    });
  } else if (is_own(result)) {
    combine(*result, value);
  } else {
    for (bool done = false; !done; rex_pause())
      if (rex_try_lock(&__rex_reduction_lock)) {
        combine(*result, value);
        rex_unlock(&__rex_reduction_lock);
        done = true;
      }
  }
}

} // namespace rex_detail

#define REX_REDUCE(name)                                                                                               \
  template <class T> REX_DEVICE void rex_reduce_##name(T *result, rex_detail::same<T> value) {                         \
    rex_detail::reduce<rex_detail::name##_operator>(result, value);                                                    \
  }                                                                                                                    \
  template <class T> REX_DEVICE void rex_reduce_##name(volatile T *result, rex_detail::same<T> value) {                \
    rex_detail::reduce<rex_detail::name##_operator>(const_cast<T *>(result), value);                                   \
  }
REX_REDUCE(add)
REX_REDUCE(mul)
REX_REDUCE(and)
REX_REDUCE(or)
REX_REDUCE(xor)
REX_REDUCE(land)
REX_REDUCE(lor)
REX_REDUCE(min)
REX_REDUCE(max)
#undef REX_REDUCE

// A class with a copy constructor or destructor of its own is combined where it lies, a thread at a time.
template <class T, class Combine> REX_DEVICE void rex_reduce_with(T *result, rex_detail::same<T> &value, Combine combine) {
#ifdef REX_HAS_WARPS
  if constexpr (rex_detail::moves_as_bytes<T>) {
    rex_detail::reduce_block(value, combine);
    if (rex_detail::thread_in_block() != 0) return;
    if (rex_detail::is_shared(result)) return combine(*result, value); // no other thread changes it meanwhile
  }
#endif
  rex_detail::combine_alone(result, value, combine);
}

template <class T, class Combine>
REX_DEVICE void rex_reduce_each_with(T *result, rex_detail::same<T> &value, Combine combine) {
  rex_detail::combine_alone(result, value, combine);
}

// Private elements of a section, to be used with the indices of the whole array: *elements is number `first`.
template <class T> REX_DEVICE T *rex_elements_from(T *elements, long long first) { return elements - first; }

// Private elements of a section of which only the run knows the length; free() gives them back.
template <class T> REX_DEVICE T *rex_private_elements(long long count) {
  T *elements = static_cast<T *>(malloc(sizeof(T) * (size_t)count));
  if (elements == nullptr) rex_detail::end_without_memory("private elements of a reduction", (unsigned long long)count);
  return elements;
}

// ---------------------------------------------------------------------------------------------------------------------
// Prefix sums.

namespace rex_detail {

// The threads that scan together.
struct block_team {
  __device__ int threads() const { return (int)blockDim.x; }
  __device__ rex_lanes lanes(int) const { return all_lanes; } // a shuffle does not wait for lanes that do not exist
  __device__ void meet() const { __syncthreads(); }
};
struct team_of {
  const int count; // 0: the caller's team
  __device__ int threads() const { return count == 0 ? threads_of_my_team() : count; }
  // Those of a warp of which the first so many are in the team; others may be elsewhere.
  __device__ rex_lanes lanes(int in_warp) const { return first_lanes(in_warp); }
  __device__ void meet() const {
    if (count == 0) rex_barrier();
    else rex_barrier(count);
  }
};

#ifdef REX_HAS_WARPS

template <class T> REX_DEVICE T shuffle_up(rex_lanes lanes, T value, int distance) {
  constexpr int count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, static_cast<void *>(__builtin_addressof(value)), sizeof(T));
  for (int i = 0; i < count; i++) words[i] = __shfl_up_sync(lanes, words[i], distance);
  __builtin_memcpy(static_cast<void *>(__builtin_addressof(value)), words, sizeof(T));
  return REX_COPIED(T, value);
}

template <class T, class Combine, class Team>
REX_DEVICE void scan_bytes(T &value, T &carry, Combine combine, bool inclusive, Team team) {
  int thread = (int)threadIdx.x, threads = team.threads();
  int lane = thread % REX_WARP, warp = thread / REX_WARP, warps = (threads + REX_WARP - 1) / REX_WARP;
  int in_my_warp = warp == warps - 1 ? threads - warp * REX_WARP : REX_WARP;
  rex_lanes lanes = in_my_warp == REX_WARP ? all_lanes : ((rex_lanes)1 << in_my_warp) - 1;
  T sum = REX_COPIED(T, value); // of the lanes up to this one
  for (int distance = 1; distance < REX_WARP; distance *= 2) {
    T &&before = shuffle_up(lanes, REX_COPIED(T, sum), distance);
    if (lane < distance) continue;
    combine(before, sum);
    sum = before;
  }
  T &&previous = shuffle_up(lanes, REX_COPIED(T, sum), 1);
  unsigned char *of_warp = room_for_warps<sizeof(T)>();
  if (lane == in_my_warp - 1) __builtin_memcpy(of_warp + warp * sizeof(T), static_cast<void *>(&sum), sizeof(T));
  team.meet();
  value = carry;
  for (int w = 0; w < warps; w++) {
    T other = REX_COPIED(T, sum);
    __builtin_memcpy(static_cast<void *>(&other), of_warp + w * sizeof(T), sizeof(T));
    if (w < warp) combine(value, other);
    combine(carry, other);
  }
  team.meet(); // the next round may use the same room
  if (inclusive) combine(value, sum);
  else if (lane > 0) combine(value, previous);
}

// Of a class with a copy constructor or destructor of its own, one object of the block goes from thread to thread.
template <class T, class Combine, class Team>
REX_DEVICE void scan_in_turn(T &value, T &carry, Combine combine, bool inclusive, Team team) {
  T *sum = room_of_block<T>();
  int thread = (int)threadIdx.x, threads = team.threads();
  team.meet(); // all have read what stood here
  if (thread == 0) new (static_cast<void *>(sum)) T(REX_COPIED(T, carry));
  for (int turn = 0; turn < threads; turn++) {
    team.meet();
    if (turn != thread) continue;
    T before = REX_COPIED(T, *sum);
    combine(*sum, value);
    value = inclusive ? *sum : before;
  }
  team.meet();
  carry = *sum;
  team.meet();
  if (thread == 0) sum->~T();
}

template <class T, class Combine, class Team>
REX_DEVICE void scan(T &value, T &carry, Combine combine, bool inclusive, Team team) {
  if constexpr (moves_as_bytes<T>) scan_bytes(value, carry, combine, inclusive, team);
  else scan_in_turn(value, carry, combine, inclusive, team);
}

#else

template <class T, class Combine, class Team>
REX_DEVICE void scan(T &value, T &carry, Combine combine, bool inclusive, Team team) {
  static __shared__ T *values[REX_MOST_THREADS];
  values[threadIdx.x] = __builtin_addressof(value);
  team.meet();
  T before = REX_COPIED(T, carry), own = REX_COPIED(T, value);
  for (unsigned i = 0; i < (unsigned)team.threads(); i++) {
    T other = REX_COPIED(T, *values[i]);
    if (i < threadIdx.x) combine(before, other);
    combine(carry, other);
  }
  team.meet();
  value = before;
  if (inclusive) combine(value, own);
}

#endif

// A team of one thread is any thread of the block, and others may be such teams at the same time.
template <class T, class Combine> REX_DEVICE void scan_of(T &value, T &carry, Combine combine, bool inclusive, int n) {
  team_of team = {n};
  if (team.threads() > 1) {
    scan(value, carry, combine, inclusive, team);
    return;
  }
  T before = REX_COPIED(T, carry);
  combine(carry, value);
  value = inclusive ? carry : before;
}

} // namespace rex_detail

#define REX_SCAN(kind, inclusive)                                                                                      \
  template <class T, class Combine> REX_DEVICE void rex_scan_##kind##_with(T &value, T &carry, Combine combine) {      \
    rex_detail::scan(value, carry, combine, inclusive, rex_detail::block_team());                                      \
  }                                                                                                                    \
  template <class T, class Combine>                                                                                    \
  REX_DEVICE void rex_scan_##kind##_with(T &value, T &carry, Combine combine, int n) {                                 \
    rex_detail::scan_of(value, carry, combine, inclusive, n);                                                          \
  }
REX_SCAN(inclusive, true)
REX_SCAN(exclusive, false)
#undef REX_SCAN

// The operators of scans by name.
#define REX_EACH_SCAN(scan)                                                                                            \
  scan(add) scan(mul) scan(and) scan(or) scan(xor) scan(land) scan(lor) scan(min) scan(max)

#define REX_SCAN_OF(kind, name)                                                                                        \
  template <class T, class... N> REX_DEVICE void rex_scan_##kind##_##name(T &value, T &carry, N... n) {                \
    rex_scan_##kind##_with(value, carry, [](T &a, T &b) { rex_detail::name##_operator::combine(a, b); }, n...);        \
  }
#define REX_SCAN(name) REX_SCAN_OF(inclusive, name) REX_SCAN_OF(exclusive, name)
REX_EACH_SCAN(REX_SCAN)
#undef REX_SCAN
#undef REX_SCAN_OF

namespace rex_detail {

REX_UNIT_STATE __shared__ long long greatest_number;

} // namespace rex_detail

REX_DEVICE bool rex_is_last(long long number, int threads) {
  if (threads == 0) threads = rex_detail::threads_of_my_team();
  if (threads == 1) return number >= 0;
  rex_barrier(threads); // all have the answer to the last question
  if (threadIdx.x == 0) rex_detail::greatest_number = -1;
  rex_barrier(threads);
  if (number >= 0) rex_atomic_max(&rex_detail::greatest_number, number);
  rex_barrier(threads);
  return number >= 0 && number == rex_detail::greatest_number;
}

#endif
