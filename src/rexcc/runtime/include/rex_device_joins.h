// SPDX-License-Identifier: Apache-2.0
//
// Four to eight variables of one type and operator that all blocks reduce (rex_device_partials.h): a warp for each of them
// joins what the threads of its block have. One warp that joined all variables would wait for each of them in turn.
//
// The lanes of all warps put their values into shared memory, a half of them or fewer where that is small: these take in
// those of the others first, a step for all variables at once, so that none waits for another. The last block does the same
// with what its threads have collected of all blocks. The order in which values are combined depends on the geometry alone.
#ifndef REX_DEVICE_JOINS_H
#define REX_DEVICE_JOINS_H

#include "rex_device_into.h"

#ifdef REX_HAS_WARPS

namespace rex_detail {

// Bytes of shared memory for the values of a block's lanes.
constexpr int bytes_of_lanes = 4096;

template <class... Variables> constexpr int bytes_of_values = (0 + ... + own_room<Variables>);

// Variables that differ in their results alone: all warps execute the same instructions.
template <class First, class... Others>
constexpr bool are_alike = is_value<First> && std::is_empty<decltype(First::combine)>::value &&
                           (std::is_same<First, Others>::value && ...);

// Whether warps share the variables: so many are worth it, more have no registers for what is collected of all together,
// and there is room for a lane of every warp at least.
template <class... Variables>
constexpr bool have_warps = sizeof...(Variables) >= 4 && sizeof...(Variables) <= 8 && are_alike<Variables...> &&
                            bytes_of_values<Variables...> * most_warps <= bytes_of_lanes;

// Where the values of each variable begin that so many lanes have put there.
struct room_of_lanes {
  int count;
  template <class Variable> __device__ size_t operator()(const Variable &) const {
    return ((size_t)count * own_room<Variable> + 15) / 16 * 16;
  }
};

struct ask_lane {
  int count, distance;
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    v.other = shuffle_down(all_lanes, REX_COPIED(typename Variable::type, v.value), distance, count, v.is_there);
  }
};
struct join_lane {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    if (v.is_there) v.combine(v.value, v.other);
  }
};

// The first `count` threads put their values, or what lanes make of them, into the room; all threads of the block call it.
// Returns how many of each variable lie there, side by side.
template <class... Variables> REX_DEVICE int put_lanes(unsigned char *room, int count, Variables &...variables) {
  const int warps = (count + REX_WARP - 1) >> lane_bits;
  const int warp = thread_in_block() >> lane_bits, lane = thread_in_block() & (REX_WARP - 1);
  const int here = threads_of_warp(warp, count), in_last = threads_of_warp(warps - 1, count);
  int kept = REX_WARP;
#pragma unroll 1
  for (; warps * kept * bytes_of_values<Variables...> > bytes_of_lanes; kept /= 2) {
    const int lanes = here < kept ? here : kept;
    for_each_value(0, no_room(), ask_lane{lanes > 0 ? lanes : 1, kept / 2}, variables...);
    for_each_value(0, no_room(), join_lane(), variables...);
  }
  const int put = (warps - 1) * kept + (in_last < kept ? in_last : kept);
  if (lane < kept && lane < here)
    for_each_value(0, room_of_lanes{put}, leave_value<int>{room, warp * kept + lane}, variables...);
  return put;
}

// Lane 0 of a warp gets so many values combined that lie side by side. The lanes take them in turn.
template <class T, class Combine>
REX_DEVICE void gather(T &value, const unsigned char *from, int count, Combine combine) {
  const int thread = thread_in_block(), lane = thread & (REX_WARP - 1);
  const int lanes = threads_of_warp(thread >> lane_bits, threads_in_block());
  if (lane < count) get(value, from + lane * sizeof(T));
#pragma unroll 4
  for (int next = lane + lanes; next < count; next += lanes) {
    T other = REX_COPIED(T, value);
    get(other, from + next * sizeof(T));
    combine(value, other);
  }
  reduce_warp(all_lanes, value, count < lanes ? count : lanes, combine);
}

// A warp for each variable joins so many values of it, and puts the outcome to where blocks leave theirs, or `is_last`, to
// the result. The original, which may lie in the host's memory, is on its way meanwhile.
template <class First, class... Others>
REX_DEVICE void join_values(const unsigned char *room, int count, unsigned char *left, bool is_last, First &first,
                            Others &...others) {
  const int warps = (threads_in_block() + REX_WARP - 1) >> lane_bits;
  const bool is_first = (thread_in_block() & (REX_WARP - 1)) == 0;
  const size_t size = sizeof first.value, apart = (count * size + 15) / 16 * 16;
  const size_t left_apart = (gridDim.x * size + 15) / 16 * 16;
#pragma unroll 1
  for (int number = thread_in_block() >> lane_bits; number < 1 + (int)sizeof...(Others); number += warps) {
    auto *result = first.result;
    int other = 0;
    ((result = ++other == number ? others.result : result), ...);
    unsigned char *place = reinterpret_cast<unsigned char *>(result);
    if (!is_last) place = left + number * left_apart + blockIdx.x * size;
    using T = typename First::type;
    T value = REX_COPIED(T, first.value), original = REX_COPIED(T, value);
    if (is_first && is_last) get(original, place);
    gather(value, room + number * apart, count, first.combine);
    if (!is_first) continue; // a combination of the user's may write to what values refer to: nobody else executes it
    if (is_last) {
      first.combine(original, value);
      value = original;
    }
    put(place, value);
  }
}

// What blocks have left of all variables: the caller's share, those of a block together, so that none waits for another.
struct ask_block {
  const unsigned char *left;
  unsigned block;
  template <class Variable> __device__ void operator()(Variable &v, size_t at) const {
    get(v.other, left + at + block * sizeof v.value);
    v.is_there = true;
  }
};
template <class Room, class... Variables>
REX_DEVICE void collect_together(const unsigned char *left, Room room, Variables &...variables) {
  const unsigned thread = (unsigned)thread_in_block(), threads = (unsigned)threads_in_block();
  if (thread < gridDim.x) for_each_value(0, room, take_value<unsigned>{left, thread}, variables...);
#pragma unroll 1
  for (unsigned block = thread + threads; block < gridDim.x; block += threads) {
    for_each_value(0, room, ask_block{left, block}, variables...);
    for_each_value(0, no_room(), join_lane(), variables...);
  }
}

} // namespace rex_detail

#endif

#endif
