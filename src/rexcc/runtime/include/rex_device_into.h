// SPDX-License-Identifier: Apache-2.0
//
// Several variables reduced at once: one pair of barriers serves all of them.
//
//   rex_into_<op>(&result, value), rex_into_with(&result, value, combine)      one variable, and how it is combined
//   rex_into_<op>(result, values, n), rex_into_with(result, values, n, combine)  n elements, each on its own
//
//   rex_reduce_block(rex_into_..., ...)     by all threads of the block
//   rex_reduce_for_all(rex_into_..., ...)   the same where each thread has results of its own: all get the same bits, and
//                                           behind it all threads have met; for numbers and operators of the language
//   rex_reduce_for_all_straight(rex_into_..., ...)  the same by straight code where the block is whole warps
//   rex_reduce_team(n, rex_into_..., ...)   by its first n threads; n == 0: by the caller's team
//   rex_reduce(partials, ...)               by all threads of all blocks (rex_device_partials.h)
//
// <op> and combine are those of rex_device_reduce.h.
#ifndef REX_DEVICE_INTO_H
#define REX_DEVICE_INTO_H

#include "rex_device_reduce.h"

namespace rex_detail {

// The original of a variable, the caller's value, and how two values are combined into the first.
template <class T, class Combine> struct into {
  using type = T;
  static constexpr bool is_row = false;
  T *result;
  T &value;
  Combine combine;
};

// The same with a value of its own, and room for the original's and for another lane's.
template <class T, class Combine> struct into_copy {
  using type = T;
  static constexpr bool is_row = false;
  T *result;
  T value;
  Combine combine;
  T original, other;
  bool is_there;
};

// The same for elements.
template <class T, class Combine> struct into_row {
  using type = T;
  static constexpr bool is_row = true;
  T *result, *values;
  long long count;
  Combine combine;
};

template <class Variable> constexpr bool is_value = !Variable::is_row && moves_as_bytes<typename Variable::type>;
template <class Variable> constexpr bool is_row = Variable::is_row && moves_as_bytes<typename Variable::type>;

// Calls each(variable, where) for every variable with one value, or every row, that can be moved as bytes; `where` grows
// by the room of each variable before.
template <class Room, class Each> REX_DEVICE void for_each_value(size_t, Room, Each) {}
template <class Room, class Each, class Variable, class... Others>
REX_DEVICE void for_each_value(size_t where, Room room, Each each, Variable &variable, Others &...others) {
  if constexpr (is_value<Variable>) each(variable, where);
  for_each_value(where + room(variable), room, each, others...);
}
template <class Room, class Each> REX_DEVICE void for_each_row(size_t, Room, Each) {}
template <class Room, class Each, class Variable, class... Others>
REX_DEVICE void for_each_row(size_t where, Room room, Each each, Variable &variable, Others &...others) {
  if constexpr (is_row<Variable>) each(variable, where);
  for_each_row(where + room(variable), room, each, others...);
}
struct no_room {
  template <class Variable> __device__ size_t operator()(const Variable &) const { return 0; }
};

// What the compiler may rely on: without that it moves the bytes one by one.
template <class T> constexpr int known_alignment = alignof(T) < 16 ? alignof(T) : 16;

template <class T> REX_DEVICE void put(unsigned char *place, T &value) {
  __builtin_memcpy(__builtin_assume_aligned(place, known_alignment<T>), (void *)__builtin_addressof(value), sizeof(T));
}
template <class T> REX_DEVICE void get(T &value, const unsigned char *place) {
  __builtin_memcpy((void *)__builtin_addressof(value), __builtin_assume_aligned(place, known_alignment<T>), sizeof(T));
}

// *result = combine(*result, value) by one thread of a block, where other blocks may do the same.
template <class T, class Combine> REX_DEVICE void join_result(T *result, T &value, Combine combine) {
  if constexpr (std::is_base_of<predeclared, Combine>::value) {
#ifdef REX_HAS_WARPS
    if (is_shared(result)) return Combine::combine(*result, value);
#endif
    Combine::combine_atomically(result, value);
  } else {
    combine_alone(result, value, combine);
  }
}

// Classes with a copy constructor or destructor of their own are combined where they lie, a thread at a time.
template <class Variable> REX_DEVICE void join_objects(Variable &variable) {
  if constexpr (!moves_as_bytes<typename Variable::type>) {
    if constexpr (Variable::is_row)
      for (long long e = 0; e < variable.count; e++)
        combine_alone(variable.result + e, variable.values[e], variable.combine);
    else combine_alone(variable.result, variable.value, variable.combine);
  }
}

// What is done with every variable, as classes: programs in C++11 have no lambdas for values of any type.
struct join_value {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    join_result(v.result, v.value, v.combine);
  }
};
template <class Number> struct leave_value { // puts the value at a number's place
  unsigned char *room;
  Number number;
  template <class Variable> __device__ void operator()(Variable &v, size_t at) const {
    put(room + at + number * sizeof v.value, v.value);
  }
};
template <class Number> struct take_value { // gets the value from a number's place
  const unsigned char *room;
  Number number;
  template <class Variable> __device__ void operator()(Variable &v, size_t at) const {
    get(v.value, room + at + number * sizeof v.value);
  }
};

#ifdef REX_HAS_WARPS

// The room of a block has a value of every variable for each warp, as long as that is not too much.
constexpr int most_room = 1024;
template <class Variable> constexpr int own_room = is_value<Variable> ? (int)sizeof(typename Variable::type) : 0;
struct room_of_warps {
  template <class Variable> __device__ size_t operator()(const Variable &) const { return most_warps * own_room<Variable>; }
};

// All steps of a warp as straight code, for what is light; else as a loop: as fast, with a quarter of the instructions, and
// what the cache does not have of them comes from memory (docs/decisions/029-team-reductions.md).
template <class... Variables> constexpr bool are_light = (own_room<Variables> + ... + 0) <= 8;

// Lane 0 of a warp gets the values of its first `count` lanes combined; `lanes` are those that call it. The variables go
// step by step together, so that none waits for another. `may_be_few`: steps over as many lanes or more are left out.
struct fold_lanes {
  rex_lanes lanes;
  int count, distance;
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    bool is_there;
    using T = typename Variable::type;
    T &&other = shuffle_down(lanes, REX_COPIED(T, v.value), distance, count, is_there);
    if (joins_lane<decltype(v.combine)>(is_there, distance)) v.combine(v.value, other);
  }
};
template <bool may_be_few, class... Variables>
REX_DEVICE void reduce_warps(rex_lanes lanes, int count, Variables &...variables) {
#pragma unroll(are_light<Variables...> ? lane_bits : 1)
  for (int distance = REX_WARP / 2; distance > 0; distance /= 2)
    if (!may_be_few || distance < count)
      for_each_value(0, no_room(), fold_lanes{lanes, count, distance}, variables...);
}

template <int room_size, class Team, class... Variables>
REX_DEVICE void reduce_together(int count, Team team, Variables &...variables) {
  int warp = thread_in_block() >> lane_bits, lane = thread_in_block() & (REX_WARP - 1);
  int warps = (count + REX_WARP - 1) >> lane_bits;
  int in_my_warp = threads_of_warp(warp, count);
  reduce_warps<false>(team.lanes(in_my_warp), in_my_warp, variables...);
  if (warps == 1) return;
  unsigned char *room = room_for_warps<room_size>();
  if (lane == 0) for_each_value(0, room_of_warps(), leave_value<int>{room, warp}, variables...);
  team.meet();
  if (warp > 0) return;
  if (lane < warps) for_each_value(0, room_of_warps(), take_value<int>{room, lane}, variables...);
  reduce_warps<true>(all_lanes, warps, variables...);
}

// Thread 0 gets the values of the team's first `count` threads combined.
template <class Team, class... Variables> REX_DEVICE void reduce_values(int count, Team team, Variables &...variables) {
  constexpr int room_size = (own_room<Variables> + ... + 0);
  if constexpr (room_size > most_room && sizeof...(Variables) > 1)
    ((reduce_values(count, team, variables), team.meet()), ...);
  else if constexpr (room_size > 0)
    reduce_together<room_size>(count, team, variables...);
}

// Calls store(e, value) in some thread for each element, with the values of all threads combined.
template <class T, class Combine, class Team, class Store>
REX_DEVICE void reduce_row(into_row<T, Combine> &row, Team team, Store store) {
  constexpr int in_round = sizeof(T) <= 8 ? 32 : sizeof(T) <= 128 ? 256 / sizeof(T) : 1;
  unsigned char *room = room_for_warps<in_round * sizeof(T)>();
  int thread = thread_in_block(), threads = team.threads();
  int warp = thread / REX_WARP, warps = (threads + REX_WARP - 1) / REX_WARP;
  int in_my_warp = warp == warps - 1 ? threads - warp * REX_WARP : REX_WARP;
  for (long long first = 0; first < row.count; first += in_round) {
    int here = row.count - first < in_round ? (int)(row.count - first) : in_round;
    team.meet(); // all have read what stood in the room
    for (int e = 0; e < here; e++) {
      T value = REX_COPIED(T, row.values[first + e]);
      reduce_warp(team.lanes(in_my_warp), value, in_my_warp, row.combine);
      if (thread % REX_WARP == 0) put(room + (warp * in_round + e) * sizeof(T), value);
    }
    team.meet();
    for (int e = thread; e < here; e += threads) {
      T value = REX_COPIED(T, row.values[first + e]), other = REX_COPIED(T, value);
      get(value, room + e * sizeof(T));
      for (int w = 1; w < warps; w++) {
        get(other, room + (w * in_round + e) * sizeof(T));
        row.combine(value, other);
      }
      store(first + e, value);
    }
  }
}

template <class Row> struct join_element {
  Row &row;
  template <class T> __device__ void operator()(long long e, T &value) const {
    join_result(row.result + e, value, row.combine);
  }
};
template <class Team> struct join_row {
  Team team;
  template <class Row> __device__ void operator()(Row &row, size_t) const { reduce_row(row, team, join_element<Row>{row}); }
};
template <class Team, class... Variables> REX_DEVICE void reduce_in_team(Team team, Variables &...variables) {
  reduce_values(team.threads(), team, variables...);
  if (thread_in_block() == 0) for_each_value(0, no_room(), join_value(), variables...);
  for_each_row(0, no_room(), join_row<Team>{team}, variables...);
  team.meet(); // the next reduction may use the same room
}

// All threads of the block get the values of all of them combined. Each warp joins what the warps have left, if every one
// has a lane for each of them, else the first warp does for all.
struct share_lane {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    constexpr int words = (sizeof v.value + 3) / 4;
    unsigned word[words] = {};
    __builtin_memcpy(word, __builtin_addressof(v.value), sizeof v.value);
    for (int i = 0; i < words; i++) word[i] = __shfl_sync(all_lanes, word[i], 0);
    __builtin_memcpy(__builtin_addressof(v.value), word, sizeof v.value);
  }
};

// The same in a block of whole warps, by straight code: steps over few warps are not left out, for a lane that has no other
// value there keeps its own.
template <class... Variables> REX_DEVICE void share_straight(int warp, int lane, int warps, Variables &...variables) {
  reduce_warps<false>(all_lanes, REX_WARP, variables...);
  unsigned char *room = room_for_warps<(own_room<Variables> + ... + 0)>();
  if (lane == 0) for_each_value(0, room_of_warps(), leave_value<int>{room, warp}, variables...);
  __syncthreads();
  if (lane < warps) for_each_value(0, room_of_warps(), take_value<int>{room, lane}, variables...);
  __syncthreads(); // the next reduction may use the same room
  constexpr int few = 8;
  if (warps > few)
#pragma unroll
    for (int distance = REX_WARP / 2; distance >= few; distance /= 2)
      for_each_value(0, no_room(), fold_lanes{all_lanes, warps, distance}, variables...);
#pragma unroll
  for (int distance = few / 2; distance > 0; distance /= 2)
    for_each_value(0, no_room(), fold_lanes{all_lanes, warps, distance}, variables...);
  for_each_value(0, no_room(), share_lane(), variables...);
}

// `straight`: such code is there for blocks of whole warps, where the values are light.
template <bool straight, class... Variables> REX_DEVICE void share_values(Variables &...variables) {
  int thread = thread_in_block(), threads = threads_in_block();
  int warp = thread >> lane_bits, lane = thread & (REX_WARP - 1), warps = (threads + REX_WARP - 1) >> lane_bits;
  if constexpr (straight && are_light<Variables...>)
    if (threads % REX_WARP == 0) return share_straight(warp, lane, warps, variables...);
  const bool are_whole = threads % REX_WARP == 0, joins = are_whole || warp == 0;
  reduce_warps<false>(all_lanes, threads_of_warp(warp, threads), variables...);
  unsigned char *room = room_for_warps<(own_room<Variables> + ... + 0)>();
  if (lane == 0) for_each_value(0, room_of_warps(), leave_value<int>{room, warp}, variables...);
  __syncthreads();
  if (joins && lane < warps) for_each_value(0, room_of_warps(), take_value<int>{room, lane}, variables...);
  if (are_whole) __syncthreads(); // the next reduction may use the same room
  if (joins) reduce_warps<true>(all_lanes, warps, variables...);
  if (are_whole) return for_each_value(0, no_room(), share_lane(), variables...);
  if (thread == 0) for_each_value(0, room_of_warps(), leave_value<int>{room, 0}, variables...);
  __syncthreads();
  for_each_value(0, room_of_warps(), take_value<int>{room, 0}, variables...);
  __syncthreads();
}
struct join_own {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const { v.combine(*v.result, v.value); }
};

#endif

// Each thread adds its own to one result, which all get.
struct share_result {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    auto *room = room_of_block<typename Variable::type>();
    __syncthreads(); // all have taken what stood here
    if (threadIdx.x == 0) *room = *v.result;
    __syncthreads();
    join_result(room, v.value, v.combine);
    __syncthreads();
    *v.result = *room;
  }
};

// Each thread for itself.
struct join_row_alone {
  template <class Row> __device__ void operator()(Row &row, size_t) const {
    for (long long e = 0; e < row.count; e++) join_result(row.result + e, row.values[e], row.combine);
  }
};
template <class... Variables> REX_DEVICE void reduce_alone(Variables &...variables) {
  for_each_value(0, no_room(), join_value(), variables...);
  for_each_row(0, no_room(), join_row_alone(), variables...);
}

} // namespace rex_detail

template <class T, class Combine>
REX_DEVICE rex_detail::into<T, Combine> rex_into_with(T *result, rex_detail::same<T> &value, Combine combine) {
  return {result, value, combine};
}
template <class T, class Combine>
REX_DEVICE rex_detail::into_row<T, Combine> rex_into_with(T *result, rex_detail::same<T> *values, long long count,
                                                          Combine combine) {
  return {result, values, count, combine};
}

#define REX_INTO(name)                                                                                                 \
  template <class T>                                                                                                   \
  REX_DEVICE rex_detail::into<T, rex_detail::name##_operator> rex_into_##name(T *result, rex_detail::same<T> &value) { \
    return {result, value, {}};                                                                                        \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  REX_DEVICE rex_detail::into<T, rex_detail::name##_operator> rex_into_##name(                                         \
      volatile T *result, rex_detail::same<volatile T> &value) {                                                       \
    return {const_cast<T *>(result), const_cast<T &>(value), {}};                                                      \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  REX_DEVICE rex_detail::into_row<T, rex_detail::name##_operator> rex_into_##name(                                     \
      T *result, rex_detail::same<T> *values, long long count) {                                                       \
    return {result, values, count, {}};                                                                                \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  REX_DEVICE rex_detail::into_row<T, rex_detail::name##_operator> rex_into_##name(                                     \
      volatile T *result, rex_detail::same<volatile T> *values, long long count) {                                     \
    return {const_cast<T *>(result), const_cast<T *>(values), count, {}};                                              \
  }
REX_INTO(add)
REX_INTO(mul)
REX_INTO(and)
REX_INTO(or)
REX_INTO(xor)
REX_INTO(land)
REX_INTO(lor)
REX_INTO(min)
REX_INTO(max)
#undef REX_INTO

template <class... Variables> REX_DEVICE void rex_reduce_block(Variables... variables) {
  (rex_detail::join_objects(variables), ...);
#ifdef REX_HAS_WARPS
  rex_detail::reduce_in_team(rex_detail::block_team(), variables...);
#else
  rex_detail::reduce_alone(variables...);
#endif
}

template <class... Variables> REX_DEVICE void rex_reduce_for_all(Variables... variables) {
#ifdef REX_HAS_WARPS
  rex_detail::share_values<false>(variables...);
  rex_detail::for_each_value(0, rex_detail::no_room(), rex_detail::join_own(), variables...);
#else
  rex_detail::for_each_value(0, rex_detail::no_room(), rex_detail::share_result(), variables...);
#endif
}

template <class... Variables> REX_DEVICE void rex_reduce_for_all_straight(Variables... variables) {
#ifdef REX_HAS_WARPS
  rex_detail::share_values<true>(variables...);
  rex_detail::for_each_value(0, rex_detail::no_room(), rex_detail::join_own(), variables...);
#else
  rex_reduce_for_all(variables...);
#endif
}

// A team of one thread is any thread of the block, and others may be such teams at the same time.
template <class... Variables> REX_DEVICE void rex_reduce_team(int threads, Variables... variables) {
  (rex_detail::join_objects(variables), ...);
#ifdef REX_HAS_WARPS
  rex_detail::team_of team = {threads};
  if (team.threads() > 1) return rex_detail::reduce_in_team(team, variables...);
#endif
  rex_detail::reduce_alone(variables...);
}

#endif
