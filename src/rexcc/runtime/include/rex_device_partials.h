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

#include "rex_device_elements.h"
#include "rex_device_into.h"
#include "rex_device_joins.h"

// What the launch brings along. The partial results follow, those of a variable in the order of the blocks.
struct rex_partials {
  unsigned arrived; // blocks that have left theirs; 0 between two launches
  unsigned taken;   // chunks of a scan that blocks have taken (rex_device_scans.h); 0 as well
  unsigned unused[14];
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

#ifdef REX_HAS_WARPS

// What the block wrote is seen before what the caller writes next, and the other way round. Cheaper than __threadfence(),
// which orders all threads' fences as well.
REX_DEVICE void acquire_and_release() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
  __threadfence();
#endif
}

// Whether the caller's block is the last of all to come here. What other blocks wrote before is seen then.
REX_DEVICE bool is_last_block(rex_partials *partials) {
  static __shared__ bool is_last;
  if (thread_in_block() == 0) {
    acquire_and_release();
    is_last = atomicInc(&partials->arrived, gridDim.x - 1) == gridDim.x - 1; // and is 0 again
    if (is_last) acquire_and_release();
  }
  __syncthreads();
  return is_last;
}

// What blocks have left of all values: the caller's share of it. Light ones are loaded several at a time.
template <int at_once> struct collect_more {
  const unsigned char *left;
  unsigned block, threads;
  template <class Variable> __device__ void operator()(Variable &v, size_t at) const {
    using T = typename Variable::type;
    T others[] = {REX_COPIED(T, v.value), REX_COPIED(T, v.value), REX_COPIED(T, v.value), REX_COPIED(T, v.value)};
#pragma unroll
    for (unsigned i = 0; i < at_once; i++)
      if (block + i * threads < gridDim.x) get(others[i], left + at + (block + i * threads) * sizeof v.value);
#pragma unroll
    for (unsigned i = 0; i < at_once; i++)
      if (block + i * threads < gridDim.x) v.combine(v.value, others[i]);
  }
};
template <class... Variables> REX_DEVICE void collect_values(const unsigned char *left, Variables &...variables) {
  constexpr int at_once = are_light<Variables...> ? 4 : 1;
  unsigned thread = (unsigned)thread_in_block(), threads = (unsigned)threads_in_block();
  if (thread < gridDim.x) for_each_value(0, room_of_blocks(), take_value<unsigned>{left, thread}, variables...);
  for (unsigned block = thread + threads; block < gridDim.x; block += at_once * threads)
    for_each_value(0, room_of_blocks(), collect_more<at_once>{left, block, threads}, variables...);
}

// Where a block leaves an element of a row: threads or lanes that load side by side find theirs side by side.
template <class Row> REX_DEVICE size_t place_of_element(const Row &row, unsigned block, long long e) {
  const bool alone = row.count >= threads_in_block();
  const size_t number = alone ? (size_t)block * row.count + e : (size_t)e * gridDim.x + block;
  return number * sizeof(typename Row::type);
}

// The same of a row; a thread or, where there are few elements, a warp takes an element and finishes it.
template <class Row> REX_DEVICE void collect_row(Row &row, const unsigned char *left) {
  using T = typename Row::type;
  int thread = thread_in_block(), threads = threads_in_block();
  int warp = thread / REX_WARP, warps = (threads + REX_WARP - 1) / REX_WARP;
  bool alone = row.count >= threads;
  int lanes = alone ? 1 : warp == warps - 1 ? threads - warp * REX_WARP : REX_WARP, lane = alone ? 0 : thread % REX_WARP;
  int count = lanes < (int)gridDim.x ? lanes : (int)gridDim.x;
  for (long long e = alone ? thread : warp; e < row.count; e += alone ? threads : warps) {
    if (lane >= count) continue;
    T value = REX_COPIED(T, row.values[e]), other = REX_COPIED(T, value), original = REX_COPIED(T, value);
    if (lane == 0) get(original, reinterpret_cast<unsigned char *>(row.result + e)); // on its way meanwhile
    get(value, left + place_of_element(row, lane, e));
#pragma unroll 8
    for (unsigned block = lane + lanes; block < gridDim.x; block += lanes) {
      get(other, left + place_of_element(row, block, e));
      row.combine(value, other);
    }
    if (count > 1) reduce_warp(first_lanes(count), value, count, row.combine);
    if (lane != 0) continue;
    row.combine(original, value);
    put(reinterpret_cast<unsigned char *>(row.result + e), original);
  }
}

// Calls store(e, value) in some thread for each element, with the block's value.
template <bool of_first, class Row, class Store> REX_DEVICE void each_element(Row &row, Store store) {
  if constexpr (!of_first) return reduce_row(row, block_team(), store);
  __syncthreads(); // all see what the team has made of its elements
  for (long long e = thread_in_block(); e < row.count; e += threads_in_block()) store(e, row.values[e]);
}

template <class Row> struct combine_element {
  Row &row;
  template <class T> __device__ void operator()(long long e, T &value) const { row.combine(row.result[e], value); }
};
template <class Row> struct put_element {
  Row &row;
  unsigned char *left;
  template <class T> __device__ void operator()(long long e, T &value) const {
    put(left + place_of_element(row, blockIdx.x, e), value);
  }
};
template <bool of_first> struct finish_row {
  template <class Row> __device__ void operator()(Row &row, size_t) const {
    each_element<of_first>(row, combine_element<Row>{row});
  }
};
template <bool of_first> struct leave_row {
  unsigned char *left;
  template <class Row> __device__ void operator()(Row &row, size_t at) const {
    each_element<of_first>(row, put_element<Row>{row, left + at});
  }
};
struct collect_rows {
  const unsigned char *left;
  template <class Row> __device__ void operator()(Row &row, size_t at) const { collect_row(row, left + at); }
};
struct ask_for_original {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    get(v.original, reinterpret_cast<unsigned char *>(v.result));
  }
};
struct finish_value {
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    v.combine(v.original, v.value);
    put(reinterpret_cast<unsigned char *>(v.result), v.original);
  }
};

// What the block has made of its elements goes to the results if it is the only one, else where the last block finds it.
template <bool of_first, class... Variables> REX_DEVICE void reduce_rows(unsigned char *left, Variables &...variables) {
  if (gridDim.x == 1) for_each_row(0, no_room(), finish_row<of_first>(), variables...);
  else for_each_row(0, room_of_blocks(), leave_row<of_first>{left}, variables...);
  if ((is_row<Variables> || ...)) __syncthreads();
}

// First the threads of a block join their values, a warp for each variable, then those of the last block what all have left:
// the same code, which is in the instruction cache by then. `of_first`: what the first thread has is the block's already.
template <bool of_first, class... Variables>
REX_DEVICE void reduce_by_warps(rex_partials *partials, unsigned char *left, Variables &...variables) {
  alignas(16) static __shared__ unsigned char room[bytes_of_lanes + 16 * sizeof...(Variables)];
  int blocks = (int)gridDim.x, threads = threads_in_block(), count = of_first ? 1 : threads;
  bool is_last = blocks == 1;
#pragma unroll 1
  for (;;) {
    const int put = put_lanes(room, count, variables...);
    __syncthreads();
    join_values(room, put, left, is_last, variables...);
    if (is_last) return;
    __syncthreads(); // all warps have left what they have joined
    if (!is_last_block(partials)) return;
    is_last = true;
    count = blocks < threads ? blocks : threads;
    collect_together(left, room_of_blocks(), variables...);
  }
}

// The same by the first warp, for few variables and for those of several types. The originals, which may lie in the host's
// memory, are on their way meanwhile.
template <bool of_first, class... Variables>
REX_DEVICE void reduce_in_turn(rex_partials *partials, unsigned char *left, Variables &...variables) {
  int blocks = (int)gridDim.x, threads = threads_in_block(), count = of_first ? 1 : threads;
  bool is_last = blocks == 1;
#pragma unroll 1
  for (;;) {
    if (is_last && thread_in_block() == 0) for_each_value(0, no_room(), ask_for_original(), variables...);
    if (count > 1) reduce_values(count, block_team(), variables...);
    if (is_last) break;
    if (thread_in_block() == 0)
      for_each_value(0, room_of_blocks(), leave_value<unsigned>{left, blockIdx.x}, variables...);
    if (!is_last_block(partials)) return;
    is_last = true;
    count = blocks < threads ? blocks : threads;
    collect_values(left, variables...);
    for_each_row(0, room_of_blocks(), collect_rows{left}, variables...);
  }
  if (thread_in_block() == 0) for_each_value(0, no_room(), finish_value(), variables...);
}

template <bool of_first, class... Variables>
REX_DEVICE void reduce_partials(rex_partials *partials, Variables &...variables) {
  unsigned char *left = left_by_blocks(partials);
  reduce_rows<of_first>(left, variables...);
  if constexpr (have_warps<Variables...>) reduce_by_warps<of_first>(partials, left, variables...);
  else reduce_in_turn<of_first>(partials, left, variables...);
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
  T before = REX_COPIED(T, value);
  get(before, mine);
  combine(before, value);
  put(mine, before);
}

struct leave_of_thread {
  bool is_first;
  unsigned char *left;
  template <class Variable> void operator()(Variable &v, size_t at) const {
    join_left(is_first, left + at + blockIdx.x * sizeof v.value, v.value, v.combine);
  }
};
struct leave_row_of_thread {
  bool is_first;
  unsigned char *left;
  template <class Row> void operator()(Row &row, size_t at) const {
    for (long long e = 0; e < row.count; e++)
      join_left(is_first, left + at + ((size_t)blockIdx.x * row.count + e) * sizeof *row.values, row.values[e], row.combine);
  }
};
struct finish_value {
  unsigned char *left;
  template <class Variable> void operator()(Variable &v, size_t at) const {
    for (unsigned block = 0; block < gridDim.x; block++) {
      get(v.value, left + at + block * sizeof v.value);
      v.combine(*v.result, v.value);
    }
  }
};
struct finish_row {
  unsigned char *left;
  template <class Row> void operator()(Row &row, size_t at) const {
    for (unsigned block = 0; block < gridDim.x; block++)
      for (long long e = 0; e < row.count; e++) {
        get(row.values[e], left + at + ((size_t)block * row.count + e) * sizeof *row.values);
        row.combine(row.result[e], row.values[e]);
      }
  }
};

template <bool of_first, class... Variables>
REX_DEVICE void reduce_partials(rex_partials *partials, Variables &...variables) {
  if (of_first && threadIdx.x != 0) return;
  unsigned char *left = left_by_blocks(partials);
  bool is_first, is_last = is_last_thread(of_first ? 1 : blockDim.x, is_first);
  for_each_value(0, room_of_blocks(), leave_of_thread{is_first, left}, variables...);
  for_each_row(0, room_of_blocks(), leave_row_of_thread{is_first, left}, variables...);
  if (!is_last || __atomic_add_fetch(&partials->arrived, 1, __ATOMIC_ACQ_REL) < gridDim.x) return;
  partials->arrived = 0;
  for_each_value(0, room_of_blocks(), finish_value{left}, variables...);
  for_each_row(0, room_of_blocks(), finish_row{left}, variables...);
}

#endif

// A value becomes a copy to work with.
template <class T, class Combine>
using copy_of = typename std::conditional<moves_as_bytes<T>, into_copy<T, Combine>, into<T, Combine>>::type;
template <class T, class Combine> REX_DEVICE copy_of<T, Combine> own_copy(into<T, Combine> &of) {
  if constexpr (moves_as_bytes<T>)
    return into_copy<T, Combine>{of.result,  REX_COPIED(T, of.value), of.combine, REX_COPIED(T, of.value),
                                 REX_COPIED(T, of.value), false};
  else return of;
}

template <class T, class Combine> REX_DEVICE into_row<T, Combine> own_copy(into_row<T, Combine> &of) { return of; }

template <bool of_first, class... Variables>
REX_DEVICE void reduce_copies(rex_partials *partials, Variables... variables) {
  reduce_partials<of_first>(partials, variables...);
}

} // namespace rex_detail

template <class... Variables> REX_DEVICE void rex_reduce(rex_partials *partials, Variables... variables) {
  (rex_detail::join_objects(variables), ...);
  rex_detail::reduce_copies<false>(partials, rex_detail::own_copy(variables)...);
}

template <class... Variables> REX_DEVICE void rex_reduce_blocks(rex_partials *partials, Variables... variables) {
  if (threadIdx.x == 0) (rex_detail::join_objects(variables), ...);
  rex_detail::reduce_copies<true>(partials, rex_detail::own_copy(variables)...);
}

namespace rex_detail {

struct leave_result {
  bool is_first;
  int count;
  template <class Variable> __device__ void operator()(Variable &v, size_t) const {
    if (!is_first) return v.combine(v.result[blockIdx.x], v.value);
    v.result[blockIdx.x] = v.value;
    using T = typename std::remove_reference<decltype(v.value)>::type;
    for (int b = (int)(blockIdx.x + gridDim.x); b < count; b += (int)gridDim.x) v.result[b] = v.combine.template none<T>();
  }
};

} // namespace rex_detail

template <class... Variables> REX_DEVICE void rex_leave(int count, Variables... variables) {
#ifdef REX_HAS_WARPS
  rex_detail::reduce_values(rex_detail::threads_in_block(), rex_detail::block_team(), variables...);
  if (rex_detail::thread_in_block() != 0) return;
  bool is_first = true;
#else
  bool is_first;
  rex_detail::is_last_thread(blockDim.x, is_first);
#endif
  rex_detail::for_each_value(0, rex_detail::no_room(), rex_detail::leave_result{is_first, count}, variables...);
}

#endif
