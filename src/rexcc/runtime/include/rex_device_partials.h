// SPDX-License-Identifier: Apache-2.0
//
// Reductions by all threads of all teams, finished in the launch: every block leaves its partial results in memory that
// the launch brings along (rex_partials.h on the host), and the last block to do so combines those of all blocks, in the
// order of their numbers, with the original value. So the result depends on the geometry and on nothing else, one pair of
// barriers serves any number of variables, and the original is read and written once.
//
//   rex_reduce(partials, rex_into_<op>(&result, value), ..., rex_into_with(&result, value, combine))
//       by all threads of all blocks, at the kernel's end
//   rex_reduce_blocks(partials, ...)
//       the same, where only the value of each block's first thread counts
//
// <op> and combine are those of rex_device_reduce.h.
#ifndef REX_DEVICE_PARTIALS_H
#define REX_DEVICE_PARTIALS_H

#include "rex_device_reduce.h"

// What the launch brings along. The partial results follow, those of a variable in the order of the blocks.
struct rex_partials {
  unsigned arrived; // blocks that have left theirs; 0 between two launches
  unsigned unused[15];
};
static_assert(sizeof(rex_partials) == 64, "as rex_partials.h has it");

namespace rex_detail {

// One variable: where its original is, the caller's value, and how two values are combined into the first.
template <class T, class Combine> struct into {
  using type = T;
  T *result;
  T &value;
  Combine combine;
};

REX_DEVICE size_t partial_bytes(size_t blocks, size_t size) { return (blocks * size + 15) / 16 * 16; }

// Calls each(variable, where) for every variable whose values can be moved as bytes; `where` grows by the room that one
// takes.
template <class Room, class Each> REX_DEVICE void for_each_into(size_t, Room, Each) {}
template <class Room, class Each, class T, class Combine, class... Others>
REX_DEVICE void for_each_into(size_t where, Room room, Each each, into<T, Combine> &variable, Others &...others) {
  if constexpr (moves_as_bytes<T>) {
    each(variable, where);
    where += room(sizeof(T));
  }
  for_each_into(where, room, each, others...);
}

// What the compiler may rely on: without that it moves the bytes one by one.
template <class T> constexpr int known_alignment = alignof(T) < 16 ? alignof(T) : 16;

template <class T> REX_DEVICE void put(unsigned char *place, T &value) {
  __builtin_memcpy(__builtin_assume_aligned(place, known_alignment<T>), static_cast<void *>(&value), sizeof(T));
}
template <class T> REX_DEVICE void get(T &value, const unsigned char *place) {
  __builtin_memcpy(static_cast<void *>(&value), __builtin_assume_aligned(place, known_alignment<T>), sizeof(T));
}

// Classes with a copy constructor or destructor of their own are combined where they lie, a thread at a time.
template <class T, class Combine> REX_DEVICE void reduce_object(into<T, Combine> &variable) {
  if constexpr (!moves_as_bytes<T>) combine_alone(variable.result, variable.value, variable.combine);
}

#ifdef __CUDACC__

// The room of a block has a value of every variable for each warp, as long as that is not too much.
constexpr int most_room = 1024;
template <class T> constexpr int own_room = moves_as_bytes<T> ? (int)sizeof(T) : 0;

// Thread 0 gets the values of the block's first `count` threads combined.
template <class... Variables> REX_DEVICE void reduce_threads(int count, Variables &...variables) {
  constexpr int room_size = (own_room<typename Variables::type> + ... + 0);
  if constexpr (room_size > most_room && sizeof...(Variables) > 1) {
    ((reduce_threads(count, variables), __syncthreads()), ...);
    return;
  }
  int thread = thread_in_block(), warp = thread / 32, warps = (count + 31) / 32;
  int in_my_warp = warp == warps - 1 ? count - warp * 32 : 32;
  auto nothing = [](size_t) { return (size_t)0; };
  auto of_warps = [](size_t size) { return 32 * size; };
  if (thread < count)
    for_each_into(0, nothing, [&](auto &v, size_t) { reduce_warp(v.value, in_my_warp, v.combine); }, variables...);
  if (warps == 1) return;
  unsigned char *room = room_for_warps<room_size>();
  if (thread < count && thread % 32 == 0)
    for_each_into(0, of_warps, [&](auto &v, size_t at) { put(room + at + warp * sizeof v.value, v.value); }, variables...);
  __syncthreads();
  if (thread < warps)
    for_each_into(
        0, of_warps,
        [&](auto &v, size_t at) {
          get(v.value, room + at + thread * sizeof v.value);
          reduce_warp(v.value, warps, v.combine);
        },
        variables...);
}

// Whether the caller's block is the last of all to come here. What other blocks wrote before is seen then.
REX_DEVICE bool is_last_block(rex_partials *partials) {
  static __shared__ bool is_last;
  if (thread_in_block() == 0) {
    __threadfence();
    is_last = atomicInc(&partials->arrived, gridDim.x - 1) == gridDim.x - 1; // and is 0 again
  }
  __syncthreads();
  if (is_last) __threadfence();
  return is_last;
}

// The values of a variable that blocks have left: the caller's share of them, in order.
template <class T, class Combine> REX_DEVICE void collect(into<T, Combine> &variable, const unsigned char *left) {
  int thread = thread_in_block(), threads = threads_in_block();
  get(variable.value, left + thread * sizeof(T));
  for (unsigned block = thread + threads; block < gridDim.x; block += threads) {
    T other = variable.value;
    get(other, left + block * sizeof(T));
    variable.combine(variable.value, other);
  }
}

template <class... Variables> REX_DEVICE void finish(Variables &...variables) {
  auto nothing = [](size_t) { return (size_t)0; };
  if (thread_in_block() == 0)
    for_each_into(0, nothing, [](auto &v, size_t) { v.combine(*v.result, v.value); }, variables...);
}

// Thread 0 has the block's values.
template <class... Variables> REX_DEVICE void reduce_partials(rex_partials *partials, Variables &...variables) {
  if (gridDim.x == 1) return finish(variables...);
  unsigned char *left = reinterpret_cast<unsigned char *>(partials + 1);
  auto of_blocks = [](size_t size) { return partial_bytes(gridDim.x, size); };
  if (thread_in_block() == 0)
    for_each_into(
        0, of_blocks, [&](auto &v, size_t at) { put(left + at + blockIdx.x * sizeof v.value, v.value); }, variables...);
  if (!is_last_block(partials)) return;
  int blocks = (int)gridDim.x, threads = threads_in_block(), count = blocks < threads ? blocks : threads;
  if (thread_in_block() < count)
    for_each_into(0, of_blocks, [&](auto &v, size_t at) { collect(v, left + at); }, variables...);
  reduce_threads(count, variables...);
  finish(variables...);
}

#else

// The threads of a team follow one another on one core, or meet as fibers there. `joined`: how many have been here.
template <class... Variables>
REX_DEVICE void reduce_partials(rex_partials *partials, unsigned threads, Variables &...variables) {
  static __shared__ unsigned joined;
  unsigned char *left = reinterpret_cast<unsigned char *>(partials + 1);
  auto of_blocks = [](size_t size) { return partial_bytes(gridDim.x, size); };
  auto join = [&](auto &v, size_t at) {
    unsigned char *mine = left + at + blockIdx.x * sizeof v.value;
    if (joined > 0) {
      auto before = v.value;
      get(before, mine);
      v.combine(before, v.value);
      put(mine, before);
    } else {
      put(mine, v.value);
    }
  };
  for_each_into(0, of_blocks, join, variables...);
  if (++joined < threads) return;
  joined = 0;
  if (__atomic_add_fetch(&partials->arrived, 1, __ATOMIC_ACQ_REL) < gridDim.x) return;
  partials->arrived = 0;
  auto finish = [&](auto &v, size_t at) {
    for (unsigned block = 0; block < gridDim.x; block++) {
      get(v.value, left + at + block * sizeof v.value);
      v.combine(*v.result, v.value);
    }
  };
  for_each_into(0, of_blocks, finish, variables...);
}

#endif

} // namespace rex_detail

template <class T, class Combine>
REX_DEVICE rex_detail::into<T, Combine> rex_into_with(T *result, rex_detail::same<T> &value, Combine combine) {
  return {result, value, combine};
}

#define REX_INTO(name)                                                                                                 \
  template <class T>                                                                                                   \
  REX_DEVICE rex_detail::into<T, rex_detail::name##_operator> rex_into_##name(T *result, rex_detail::same<T> &value) { \
    return {result, value, {}};                                                                                        \
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

template <class... Variables> REX_DEVICE void rex_reduce(rex_partials *partials, Variables... variables) {
  (rex_detail::reduce_object(variables), ...);
#ifdef __CUDACC__
  rex_detail::reduce_threads(rex_detail::threads_in_block(), variables...);
  rex_detail::reduce_partials(partials, variables...);
#else
  rex_detail::reduce_partials(partials, blockDim.x, variables...);
#endif
}

#endif
