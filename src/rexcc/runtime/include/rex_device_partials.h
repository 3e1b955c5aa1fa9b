// SPDX-License-Identifier: Apache-2.0
//
// Reductions by all threads of all blocks, finished in the launch: every block leaves its partial results in memory that
// the launch brings along (rex_partials.h on the host), and the last block to do so combines those of all blocks, in the
// order of their numbers, with the original value. So the result depends on the geometry and on nothing else, and the
// original is read and written once.
//
//   rex_reduce(partials, rex_into_..., ...)         at the kernel's end, by all threads
//   rex_reduce_blocks(partials, rex_into_..., ...)  the same, where only the value of each block's first thread counts
//   rex_leave(n, rex_into_<op>(results, value), ...)  by all threads: results[blockIdx.x] is the block's, for the host to
//                                                     combine all n of them; what has no block gets the identity
//
// rex_into_... is in rex_device_into.h.
#ifndef REX_DEVICE_PARTIALS_H
#define REX_DEVICE_PARTIALS_H

#include "rex_device_into.h"

// What the launch brings along. The partial results follow, those of a variable in the order of the blocks.
struct rex_partials {
  unsigned arrived; // blocks that have left theirs; 0 between two launches
  unsigned unused[15];
};
static_assert(sizeof(rex_partials) == 64, "as rex_partials.h has it");

namespace rex_detail {

struct room_of_blocks {
  template <class Variable> __device__ size_t operator()(const Variable &variable) const {
    size_t count = 1;
    if constexpr (Variable::is_row) count = (size_t)variable.count;
    return (gridDim.x * count * sizeof(typename Variable::type) + 15) / 16 * 16;
  }
};

REX_DEVICE unsigned char *left_by_blocks(rex_partials *partials) {
  return reinterpret_cast<unsigned char *>(partials + 1);
}

#ifdef __CUDACC__

// Whether the caller's block is the last of all to come here. What other blocks wrote before is seen then.
REX_DEVICE bool is_last_block(rex_partials *partials) {
  static __shared__ bool is_last;
  if (thread_in_block() == 0) {
    __threadfence();
    is_last = atomicInc(&partials->arrived, gridDim.x - 1) == gridDim.x - 1; // and is 0 again
  }
  __syncthreads();
  if (!is_last) return false;
  __threadfence();
  return true;
}

// What blocks have left of a variable: the caller's share of it.
template <class Variable> REX_DEVICE void collect_value(Variable &variable, const unsigned char *left) {
  constexpr size_t size = sizeof variable.value;
  int thread = thread_in_block(), threads = threads_in_block();
  get(variable.value, left + thread * size);
  for (unsigned block = thread + threads; block < gridDim.x; block += threads) {
    typename Variable::type other = variable.value;
    get(other, left + block * size);
    variable.combine(variable.value, other);
  }
}

// The same of a row; a thread or, where there are few elements, a warp takes an element and finishes it.
template <class T, class Combine> REX_DEVICE void collect_row(into_row<T, Combine> &row, const unsigned char *left) {
  int thread = thread_in_block(), threads = threads_in_block(), warp = thread / 32, warps = (threads + 31) / 32;
  bool alone = row.count >= threads;
  int lanes = alone ? 1 : warp == warps - 1 ? threads - warp * 32 : 32, lane = alone ? 0 : thread % 32;
  int count = lanes < (int)gridDim.x ? lanes : (int)gridDim.x;
  for (long long e = alone ? thread : warp; e < row.count; e += alone ? threads : warps) {
    if (lane >= count) continue;
    T value = row.values[e], other = value;
    get(value, left + ((size_t)lane * row.count + e) * sizeof(T));
    for (unsigned block = lane + lanes; block < gridDim.x; block += lanes) {
      get(other, left + ((size_t)block * row.count + e) * sizeof(T));
      row.combine(value, other);
    }
    if (count > 1) reduce_warp(value, count, row.combine);
    if (lane == 0) row.combine(row.result[e], value);
  }
}

// Thread 0 has the block's values, and has to have the last word on them.
template <class... Variables> REX_DEVICE void finish_values(Variables &...variables) {
  if (thread_in_block() == 0)
    for_each_value(0, no_room(), [](auto &v, size_t) { v.combine(*v.result, v.value); }, variables...);
}

// Calls store(e, value) in some thread for each element, with the block's value.
template <bool of_first, class Row, class Store> REX_DEVICE void each_element(Row &row, Store store) {
  if constexpr (!of_first) return reduce_row(row, block_team(), store);
  __syncthreads(); // all see what the team has made of its elements
  for (long long e = thread_in_block(); e < row.count; e += threads_in_block()) store(e, row.values[e]);
}

// `of_first`: what the first thread has is the block's already.
template <bool of_first, class... Variables>
REX_DEVICE void reduce_partials(rex_partials *partials, Variables &...variables) {
  constexpr bool has_rows = (is_row<Variables> || ...);
  unsigned char *left = left_by_blocks(partials);
  if (gridDim.x == 1) {
    auto finish = [](auto &row, size_t) {
      each_element<of_first>(row, [&](long long e, auto &value) { row.combine(row.result[e], value); });
    };
    for_each_row(0, no_room(), finish, variables...);
    return finish_values(variables...);
  }
  auto leave = [&](auto &v, size_t at) { put(left + at + blockIdx.x * sizeof v.value, v.value); };
  if (thread_in_block() == 0) for_each_value(0, room_of_blocks(), leave, variables...);
  auto leave_row = [&](auto &row, size_t at) {
    each_element<of_first>(row, [&](long long e, auto &value) {
      put(left + at + ((size_t)blockIdx.x * row.count + e) * sizeof value, value);
    });
  };
  for_each_row(0, room_of_blocks(), leave_row, variables...);
  if (has_rows) __syncthreads();
  if (!is_last_block(partials)) return;
  int blocks = (int)gridDim.x, threads = threads_in_block(), count = blocks < threads ? blocks : threads;
  if (thread_in_block() < count)
    for_each_value(0, room_of_blocks(), [&](auto &v, size_t at) { collect_value(v, left + at); }, variables...);
  for_each_row(0, room_of_blocks(), [&](auto &row, size_t at) { collect_row(row, left + at); }, variables...);
  reduce_values(count, block_team(), variables...);
  finish_values(variables...);
}

#else

// The threads of a team follow one another on one core, or meet as fibers there. Whether the caller is the last of
// `threads`, and whether it is the first.
REX_DEVICE bool is_last_thread(unsigned threads, bool &is_first) {
  static __shared__ unsigned arrived;
  is_first = arrived == 0;
  if (++arrived < threads) return false;
  arrived = 0;
  return true;
}

template <class T, class Combine> REX_DEVICE void join_left(bool is_first, unsigned char *mine, T &value, Combine combine) {
  if (is_first) return put(mine, value);
  T before = value;
  get(before, mine);
  combine(before, value);
  put(mine, before);
}

template <bool of_first, class... Variables>
REX_DEVICE void reduce_partials(rex_partials *partials, Variables &...variables) {
  if (of_first && threadIdx.x != 0) return;
  unsigned char *left = left_by_blocks(partials);
  bool is_first, is_last = is_last_thread(of_first ? 1 : blockDim.x, is_first);
  auto leave = [&](auto &v, size_t at) {
    join_left(is_first, left + at + blockIdx.x * sizeof v.value, v.value, v.combine);
  };
  auto leave_row = [&](auto &row, size_t at) {
    for (long long e = 0; e < row.count; e++)
      join_left(is_first, left + at + ((size_t)blockIdx.x * row.count + e) * sizeof *row.values, row.values[e], row.combine);
  };
  for_each_value(0, room_of_blocks(), leave, variables...);
  for_each_row(0, room_of_blocks(), leave_row, variables...);
  if (!is_last || __atomic_add_fetch(&partials->arrived, 1, __ATOMIC_ACQ_REL) < gridDim.x) return;
  partials->arrived = 0;
  auto finish = [&](auto &v, size_t at) {
    for (unsigned block = 0; block < gridDim.x; block++) {
      get(v.value, left + at + block * sizeof v.value);
      v.combine(*v.result, v.value);
    }
  };
  auto finish_row = [&](auto &row, size_t at) {
    for (unsigned block = 0; block < gridDim.x; block++)
      for (long long e = 0; e < row.count; e++) {
        get(row.values[e], left + at + ((size_t)block * row.count + e) * sizeof *row.values);
        row.combine(row.result[e], row.values[e]);
      }
  };
  for_each_value(0, room_of_blocks(), finish, variables...);
  for_each_row(0, room_of_blocks(), finish_row, variables...);
}

#endif

// A value of the block becomes each thread's own, to work with.
template <class T, class Combine> REX_DEVICE auto own_copy(into<T, Combine> &of) {
  if constexpr (moves_as_bytes<T>) return into_copy<T, Combine>{of.result, of.value, of.combine};
  else return of;
}

template <class T, class Combine> REX_DEVICE into_row<T, Combine> own_copy(into_row<T, Combine> &of) { return of; }

template <class... Variables> REX_DEVICE void reduce_copies(rex_partials *partials, Variables... variables) {
  reduce_partials<true>(partials, variables...);
}

} // namespace rex_detail

template <class... Variables> REX_DEVICE void rex_reduce(rex_partials *partials, Variables... variables) {
  (rex_detail::join_objects(variables), ...);
#ifdef __CUDACC__
  rex_detail::reduce_values(rex_detail::threads_in_block(), rex_detail::block_team(), variables...);
#endif
  rex_detail::reduce_partials<false>(partials, variables...);
}

template <class... Variables> REX_DEVICE void rex_reduce_blocks(rex_partials *partials, Variables... variables) {
  if (threadIdx.x == 0) (rex_detail::join_objects(variables), ...);
  rex_detail::reduce_copies(partials, rex_detail::own_copy(variables)...);
}

template <class... Variables> REX_DEVICE void rex_leave(int count, Variables... variables) {
#ifdef __CUDACC__
  rex_detail::reduce_values(rex_detail::threads_in_block(), rex_detail::block_team(), variables...);
  if (rex_detail::thread_in_block() != 0) return;
  bool is_first = true;
#else
  bool is_first;
  rex_detail::is_last_thread(blockDim.x, is_first);
#endif
  auto leave = [&](auto &v, size_t) {
    if (!is_first) return v.combine(v.result[blockIdx.x], v.value);
    v.result[blockIdx.x] = v.value;
    using T = std::remove_reference_t<decltype(v.value)>;
    for (int b = (int)(blockIdx.x + gridDim.x); b < count; b += (int)gridDim.x) v.result[b] = v.combine.template none<T>();
  };
  rex_detail::for_each_value(0, rex_detail::no_room(), leave, variables...);
}

#endif
