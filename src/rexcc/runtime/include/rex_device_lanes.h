// SPDX-License-Identifier: Apache-2.0
//
// Teams of a warp or a part of one: several are a block, for a multiprocessor has room for few blocks
// (docs/decisions/130-teams-of-a-warp.md).
//
//   REX_TEAMS_OF_LANES(width)   at a kernel's start: from here on its text means such a team where it says block, and all
//                               teams where it says grid; a power of two, at most REX_WARP
//   REX_TEAMS_OF_ROWS(ends, n)  the same where blocks are two warps and the loops of the teams' threads are rows with few
//                               iterations: row i from ends[i] to ends[i + 1], n rows in all; a block is two teams then
//
// Names of CUDA's and of device headers that a team's code has are those of variables and objects then, which whatever
// stands in the kernel's own text sees, and lambdas of it. The functions that it calls do not; so a kernel is one of
// these only where they cannot ask (lowering/generic/teams_of_lanes.py). On the CPU device a team is a block.
#ifndef REX_DEVICE_LANES_H
#define REX_DEVICE_LANES_H

#include "rex_device_omp.h"
#include "rex_device_partials.h"
#include "rex_device_team.h"

#ifdef REX_HAS_WARPS

namespace rex_detail {

struct place_of_lanes {
  unsigned x;
};

template <int width> struct lanes_team {
  static_assert(width > 1 && width <= REX_WARP && (width & (width - 1)) == 0, "a warp is whole teams");
  __device__ static unsigned thread() { return threadIdx.x % width; }
  __device__ static unsigned team() { return blockIdx.x * (blockDim.x / width) + threadIdx.x / width; }
  __device__ static unsigned teams() { return gridDim.x * (blockDim.x / width); }
  __device__ static rex_lanes lanes() {
    return width == REX_WARP ? all_lanes : first_lanes(width) << (threadIdx.x % REX_WARP / width * width);
  }
  __device__ static void meet() { __syncwarp(lanes()); }
};

template <int width> struct fold_team {
  int distance;
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    using T = typename Variable::type;
    constexpr int words = (sizeof(T) + 3) / 4;
    T other = v.value;
    unsigned word[words] = {};
    __builtin_memcpy(word, __builtin_addressof(other), sizeof other);
    for (int i = 0; i < words; i++) word[i] = __shfl_down_sync(lanes_team<width>::lanes(), word[i], distance);
    __builtin_memcpy(__builtin_addressof(other), word, sizeof other);
    if ((int)lanes_team<width>::thread() < distance) v.combine(v.value, other);
  }
};
template <int width> struct share_team {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    const int first = (int)(threadIdx.x % REX_WARP / width * width);
    constexpr int words = (sizeof v.value + 3) / 4;
    unsigned word[words] = {};
    __builtin_memcpy(word, __builtin_addressof(v.value), sizeof v.value);
    for (int i = 0; i < words; i++) word[i] = __shfl_sync(lanes_team<width>::lanes(), word[i], first);
    __builtin_memcpy(__builtin_addressof(v.value), word, sizeof v.value);
  }
};

// The first lane of a team gets the values of all combined.
template <int width, class... Variables> REX_DEVICE void fold_lanes_of_team(Variables &...variables) {
  static_assert((is_value<Variables> && ...), "numbers, by operators of the language");
  if constexpr (width == REX_WARP) {
    reduce_warps<false>(all_lanes, REX_WARP, variables...);
  } else {
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2)
      for_each_value(0, no_room(), fold_team<width>{distance}, variables...);
  }
}

template <int width, class... Variables> REX_DEVICE void reduce_lanes_for_all(Variables... variables) {
  fold_lanes_of_team<width>(variables...);
  for_each_value(0, no_room(), share_team<width>(), variables...);
  for_each_value(0, no_room(), join_own(), variables...);
}

template <int width, class Operator, class T> REX_DEVICE void reduce_lanes(T *result, same<T> value) {
  into<T, Operator> variable = {result, value, {}};
  fold_lanes_of_team<width>(variable);
  if (lanes_team<width>::thread() == 0) join_result(result, value, Operator());
}
template <int width, class Operator, class T> REX_DEVICE void reduce_lanes(volatile T *result, same<T> value) {
  reduce_lanes<width, Operator>(const_cast<T *>(result), value);
}

// Only the value of each team's first thread counts.
template <int width, class T, class Combine> REX_DEVICE into_copy<T, Combine> of_first_lane(into<T, Combine> &of) {
  static_assert(std::is_base_of<predeclared, Combine>::value, "an operator of the language");
  into_copy<T, Combine> copy = own_copy(of);
  if (lanes_team<width>::thread() != 0) copy.value = Combine::template none<T>();
  return copy;
}
template <int width, class... Variables>
REX_DEVICE void reduce_teams_of_lanes(rex_partials *partials, Variables... variables) {
  reduce_copies<false>(partials, of_first_lane<width>(variables)...);
}

// What is called by the names of functions of a block. They are classes: programs in C++11 have no lambdas for values of any
// type.
template <int width> struct meet_lanes {
  __device__ void operator()() const { lanes_team<width>::meet(); }
};
template <int width> struct number_of_team {
  __device__ int operator()() const { return (int)lanes_team<width>::team(); }
};
template <int width> struct number_of_teams {
  __device__ int operator()() const { return (int)lanes_team<width>::teams(); }
};
template <int width> struct each_of_lanes {
  template <class F> __device__ void operator()(long long i, long long bound, F f) const {
    four_at_a_time(i, bound, width, f);
  }
};
template <int width> struct each_late_of_lanes {
  template <class F> __device__ void operator()(long long i, long long bound, F f) const {
    four_stored_late(i, bound, width, f);
  }
};
template <int width> struct reduce_for_all_lanes {
  template <class... Variables> __device__ void operator()(Variables... variables) const {
    reduce_lanes_for_all<width>(variables...);
  }
};
template <int width> struct reduce_teams {
  template <class... Variables> __device__ void operator()(rex_partials *partials, Variables... variables) const {
    reduce_teams_of_lanes<width>(partials, variables...);
  }
};
template <int width, class Operator> struct reduce_by_lanes {
  template <class Result, class T> __device__ void operator()(Result *result, const T &value) const {
    reduce_lanes<width, Operator>(result, value);
  }
};

} // namespace rex_detail

#define REX_LANES_NAME(type, name) __attribute__((__unused__)) const rex_detail::type name = {};
#define REX_LANES_REDUCE(width, name)                                                                                  \
  __attribute__((__unused__)) const rex_detail::reduce_by_lanes<width, rex_detail::name##_operator> rex_reduce_##name = {};
#define REX_TEAMS_OF_LANES(width)                                                                                      \
  typedef rex_detail::lanes_team<width> __rex_lanes;                                                                   \
  __attribute__((__unused__)) const rex_detail::place_of_lanes threadIdx = {__rex_lanes::thread()};                    \
  __attribute__((__unused__)) const rex_detail::place_of_lanes blockDim = {width};                                     \
  __attribute__((__unused__)) const rex_detail::place_of_lanes blockIdx = {__rex_lanes::team()};                       \
  __attribute__((__unused__)) const rex_detail::place_of_lanes gridDim = {__rex_lanes::teams()};                       \
  REX_LANES_NAME(meet_lanes<width>, __syncthreads)                                                                     \
  REX_LANES_NAME(number_of_team<width>, omp_get_team_num)                                                              \
  REX_LANES_NAME(number_of_teams<width>, omp_get_num_teams)                                                            \
  REX_LANES_NAME(each_of_lanes<width>, rex_each)                                                                       \
  REX_LANES_NAME(each_late_of_lanes<width>, rex_each_late)                                                             \
  REX_LANES_NAME(reduce_for_all_lanes<width>, rex_reduce_for_all)                                                      \
  REX_LANES_NAME(reduce_for_all_lanes<width>, rex_reduce_for_all_straight)                                             \
  REX_LANES_NAME(reduce_teams<width>, rex_reduce_blocks)                                                               \
  REX_LANES_REDUCE(width, add)                                                                                         \
  REX_LANES_REDUCE(width, mul)                                                                                         \
  REX_LANES_REDUCE(width, and)                                                                                         \
  REX_LANES_REDUCE(width, or)                                                                                          \
  REX_LANES_REDUCE(width, xor)                                                                                         \
  REX_LANES_REDUCE(width, land)                                                                                        \
  REX_LANES_REDUCE(width, lor)                                                                                         \
  REX_LANES_REDUCE(width, min)                                                                                         \
  REX_LANES_REDUCE(width, max)

namespace rex_detail {

// Teams that are blocks of two warps, or where rows are short each of these warps, as the whole grid decides alike. The
// program reads the ends of the rows, too, and nothing changes them while the kernel runs.
struct team_of_rows {
  bool is_warp;
  __device__ unsigned thread() const { return is_warp ? threadIdx.x % REX_WARP : threadIdx.x; }
  __device__ unsigned threads() const { return is_warp ? REX_WARP : blockDim.x; }
  __device__ unsigned team() const { return is_warp ? 2 * blockIdx.x + threadIdx.x / REX_WARP : blockIdx.x; }
  __device__ unsigned teams() const { return is_warp ? 2 * gridDim.x : gridDim.x; }
};
constexpr int most_of_short_row = 64; // on average
template <class Number> REX_DEVICE team_of_rows team_of(const Number *ends, long long rows) {
  if (blockDim.x != 2 * REX_WARP || rows <= 0) return {false};
  return {(long long)ends[rows] - (long long)ends[0] <= most_of_short_row * rows};
}

struct meet_for_rows {
  team_of_rows team;
  __device__ void operator()() const {
    if (team.is_warp) lanes_team<REX_WARP>::meet();
    else __syncthreads();
  }
};
struct each_of_row {
  team_of_rows team;
  template <class F> __device__ void operator()(long long i, long long bound, F f) const {
    four_at_a_time(i, bound, (int)team.threads(), f);
  }
};
struct each_late_of_row {
  team_of_rows team;
  template <class F> __device__ void operator()(long long i, long long bound, F f) const {
    four_stored_late(i, bound, (int)team.threads(), f);
  }
};
struct reduce_row_for_all {
  team_of_rows team;
  template <class... Variables> __device__ void operator()(Variables... variables) const {
    if (team.is_warp) reduce_lanes_for_all<REX_WARP>(variables...);
    else rex_reduce_for_all(variables...);
  }
};
template <class T, class Combine> REX_DEVICE into_copy<T, Combine> of_first_of_row(team_of_rows team, into<T, Combine> &of) {
  static_assert(std::is_base_of<predeclared, Combine>::value, "an operator of the language");
  into_copy<T, Combine> copy = own_copy(of);
  if (team.thread() != 0) copy.value = Combine::template none<T>();
  return copy;
}
struct reduce_teams_of_rows {
  team_of_rows team;
  template <class... Variables> __device__ void operator()(rex_partials *partials, Variables... variables) const {
    reduce_copies<false>(partials, of_first_of_row(team, variables)...);
  }
};

} // namespace rex_detail

#define REX_ROWS_NAME(type, name) __attribute__((__unused__)) const rex_detail::type name = {__rex_lanes};
#define REX_TEAMS_OF_ROWS(ends, rows)                                                                                  \
  const rex_detail::team_of_rows __rex_lanes = rex_detail::team_of(ends, rows);                                        \
  __attribute__((__unused__)) const rex_detail::place_of_lanes threadIdx = {__rex_lanes.thread()};                     \
  __attribute__((__unused__)) const rex_detail::place_of_lanes blockDim = {__rex_lanes.threads()};                     \
  __attribute__((__unused__)) const rex_detail::place_of_lanes blockIdx = {__rex_lanes.team()};                        \
  __attribute__((__unused__)) const rex_detail::place_of_lanes gridDim = {__rex_lanes.teams()};                        \
  REX_ROWS_NAME(meet_for_rows, __syncthreads)                                                                          \
  REX_ROWS_NAME(each_of_row, rex_each)                                                                                 \
  REX_ROWS_NAME(each_late_of_row, rex_each_late)                                                                       \
  REX_ROWS_NAME(reduce_row_for_all, rex_reduce_for_all)                                                                \
  REX_ROWS_NAME(reduce_row_for_all, rex_reduce_for_all_straight)                                                       \
  REX_ROWS_NAME(reduce_teams_of_rows, rex_reduce_blocks)
#else
#define REX_TEAMS_OF_LANES(width)
#define REX_TEAMS_OF_ROWS(ends, rows)
#endif

#endif
