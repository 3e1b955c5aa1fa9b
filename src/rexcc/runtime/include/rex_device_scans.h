// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums by all threads of all teams (lowering/loops/team_scans.py). The iterations are chunks of REX_SCAN_PARTS
// times as many as a block has threads. A block takes the next chunk, makes the sums of its iterations, tells the others
// what they come to, and finds out what all chunks before have come to:
//
//   const long long chunks = rex_scan_chunks(trips);
//   for (long long chunk = rex_next_chunk(partials, -1); chunk < chunks; chunk = rex_next_chunk(partials, chunk)) {
//     T sums[REX_SCAN_PARTS];   // what the thread's iterations contribute, one in each part of the chunk
//     rex_scan_teams_inclusive_<op>(sums, result, partials, place, chunk, chunks)   (… exclusive, … _with, and combine)
//   }
//   rex_end_scans(partials, bytes);
//
// `result` is the original, with its value before the loop, and gets the last sum. `place` is where the memory of the
// variable begins in what the launch brings along, which is all zeros between two launches.
//
// Chunks are taken in their order, so those before a block's own are finished or other blocks are at work on them: it
// waits for nothing that has not begun. The sums of the chunks before are combined one by one from the left, whichever of
// them a block finds ready. So they are the same in every run, also where an operator rounds.
//
// On the CPU device one team has all chunks, and each has as many iterations as the team has threads.
#ifndef REX_DEVICE_SCANS_H
#define REX_DEVICE_SCANS_H

#include "rex_device_partials.h"

#ifdef __CUDACC__
#define REX_SCAN_PARTS 8 // as rex_kmp.h has it
#else
#define REX_SCAN_PARTS 1
#endif

REX_DEVICE long long rex_scan_chunks(long long trips) {
  const long long iterations = (long long)blockDim.x * REX_SCAN_PARTS;
  return trips / iterations + (trips % iterations != 0);
}

// Bytes of a variable's memory: the chunks' states, their own sums, and those with all before (rex_scan_bytes in rex_kmp.h).
REX_DEVICE size_t rex_scan_room(long long chunks, size_t size) {
  return (size_t)((chunks * 4 + 15) / 16 * 16 + 2 * ((chunks * (long long)size + 15) / 16 * 16));
}

// The number of the next chunk, by all threads of the block; `last` is that of the one before.
REX_DEVICE long long rex_next_chunk(rex_partials *partials, long long last) {
#ifdef __CUDACC__
  static __shared__ unsigned taken;
  (void)last;
  __syncthreads(); // all have the number of the last one, and its sums
  if (threadIdx.x == 0) taken = atomicAdd(&partials->taken, 1u);
  __syncthreads();
  return taken;
#else
  (void)partials;
  __syncthreads();
  return last + 1;
#endif
}

namespace rex_detail {

#ifdef __CUDACC__

enum chunk_state : unsigned { not_begun, has_own, has_total };

template <class T> struct chunk_memory {
  volatile unsigned *states;
  unsigned char *own, *totals;
  __device__ chunk_memory(rex_partials *partials, size_t place, long long chunks) {
    unsigned char *first = left_by_blocks(partials) + place;
    states = reinterpret_cast<volatile unsigned *>(first);
    own = first + (chunks * 4 + 15) / 16 * 16;
    totals = own + (chunks * (long long)sizeof(T) + 15) / 16 * 16;
  }
};

template <class T> REX_DEVICE T shuffle_from(T value, int lane) {
  constexpr int count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, static_cast<void *>(&value), sizeof(T));
  for (int i = 0; i < count; i++) words[i] = __shfl_sync(all_lanes, words[i], lane);
  __builtin_memcpy(static_cast<void *>(&value), words, sizeof(T));
  return value;
}

// Says what a chunk comes to. What is written here is seen by whoever sees the state.
template <class T>
REX_DEVICE void tell(volatile unsigned *states, unsigned char *values, long long chunk, T &value, chunk_state state) {
  put(values + chunk * sizeof(T), value);
  acquire_and_release();
  states[chunk] = state;
}

// The nearest chunk before that knows its total, when all between have told what they come to. By a whole warp.
REX_DEVICE long long nearest_total(volatile unsigned *states, long long chunk) {
  const int lane = (int)threadIdx.x % REX_WARP;
  for (long long first = chunk - 1;; first -= REX_WARP) {
    unsigned totals, between;
    do {
      const unsigned state = first >= lane ? states[first - lane] : (unsigned)has_total;
      totals = __ballot_sync(~0u, state == has_total);
      between = ~__ballot_sync(~0u, state != not_begun) & (totals ? (totals & (0u - totals)) - 1 : ~0u);
    } while (between != 0);
    if (totals != 0) return first - (__ffs((int)totals) - 1);
  }
}

// What all chunks before come to, with the original, for all lanes of a warp.
template <class T, class Combine>
REX_DEVICE void combine_before(T &before, const chunk_memory<T> &memory, long long chunk, Combine combine) {
  const int lane = (int)threadIdx.x % REX_WARP;
  const long long found = nearest_total(memory.states, chunk);
  acquire_and_release();
  __syncwarp(); // lanes have seen states for each other
  get(before, memory.totals + found * sizeof(T));
  for (long long first = found + 1; first < chunk; first += REX_WARP) {
    const int count = chunk - first < REX_WARP ? (int)(chunk - first) : REX_WARP;
    T own = before;
    if (lane < count) get(own, memory.own + (first + lane) * sizeof(T));
    for (int i = 0; i < count; i++) {
      T next = shuffle_from(own, i);
      combine(before, next);
    }
  }
}

// The sums of the lanes up to each, in their order.
template <class T, class Combine> REX_DEVICE void scan_warp(T &sum, Combine combine) {
  const int lane = (int)threadIdx.x % REX_WARP;
  for (int distance = 1; distance < REX_WARP; distance *= 2) {
    T before = shuffle_up(all_lanes, sum, distance);
    if (lane < distance) continue;
    combine(before, sum);
    sum = before;
  }
}

// Blocks are whole warps. A part of a chunk has an iteration of each thread.
template <class T, class Combine>
REX_DEVICE void scan_chunk(T *sums, T *result, rex_partials *partials, size_t place, long long chunk, long long chunks,
                           Combine combine, bool inclusive) {
  alignas(16) static __shared__ unsigned char room[(REX_SCAN_PARTS * most_warps + 1) * sizeof(T)];
  const int lane = (int)threadIdx.x % REX_WARP, warp = (int)threadIdx.x / REX_WARP, warps = (int)blockDim.x / REX_WARP;
  const int count = REX_SCAN_PARTS * warps;
  unsigned char *before_chunk = room + REX_SCAN_PARTS * most_warps * sizeof(T);
  const chunk_memory<T> memory(partials, place, chunks);
  __syncthreads(); // the scan of another variable may have used the room
#pragma unroll
  for (int part = 0; part < REX_SCAN_PARTS; part++) {
    T sum = sums[part];
    scan_warp(sum, combine);
    if (lane == REX_WARP - 1) put(room + (part * warps + warp) * sizeof(T), sum);
    if (!inclusive) sum = shuffle_up(all_lanes, sum, 1); // the first lane has nothing before it in its warp
    sums[part] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    T own = sums[0];
    for (int first = 0; first < count; first += REX_WARP) { // of the warps up to each
      T sum = own, earlier = own;
      if (first + lane < count) get(sum, room + (first + lane) * sizeof(T));
      scan_warp(sum, combine);
      if (first > 0) {
        combine(earlier, sum);
        sum = earlier;
      }
      if (first + lane < count) put(room + (first + lane) * sizeof(T), sum);
      own = shuffle_from(sum, (count - first < REX_WARP ? count - first : REX_WARP) - 1);
    }
    T before = own;
    if (chunk == 0) before = *result;
    else {
      if (lane == 0) tell(memory.states, memory.own, chunk, own, has_own);
      combine_before(before, memory, chunk, combine);
    }
    if (lane == 0) {
      T total = before;
      combine(total, own);
      tell(memory.states, memory.totals, chunk, total, has_total);
      put(before_chunk, before);
      if (chunk == chunks - 1) *result = total;
    }
  }
  __syncthreads();
#pragma unroll
  for (int part = 0; part < REX_SCAN_PARTS; part++) {
    T value = sums[part], earlier = value;
    get(value, before_chunk);
    if (part + warp > 0) {
      get(earlier, room + (part * warps + warp - 1) * sizeof(T));
      combine(value, earlier);
    }
    if (inclusive || lane > 0) combine(value, sums[part]);
    sums[part] = value;
  }
}

#else

template <class T, class Combine>
REX_DEVICE void scan_chunk(T *sums, T *result, rex_partials *, size_t, long long, long long, Combine combine, bool inclusive) {
  T carry = *result;
  scan(sums[0], carry, combine, inclusive, block_team());
  if (threadIdx.x == 0) *result = carry;
}

#endif

} // namespace rex_detail

// The memory is all zeros again. By all threads of all blocks, when there are no more chunks.
REX_DEVICE void rex_end_scans(rex_partials *partials, size_t bytes) {
#ifdef __CUDACC__
  if (!rex_detail::is_last_block(partials)) return;
  uint4 *words = reinterpret_cast<uint4 *>(rex_detail::left_by_blocks(partials));
  for (size_t i = threadIdx.x; i < bytes / sizeof *words; i += blockDim.x) words[i] = make_uint4(0, 0, 0, 0);
  if (threadIdx.x == 0) partials->taken = 0;
#else
  (void)partials, (void)bytes;
#endif
}

#define REX_SCAN(kind, inclusive)                                                                                      \
  template <class T, class Combine>                                                                                    \
  REX_DEVICE void rex_scan_teams_##kind##_with(T *sums, T *result, Combine combine, rex_partials *partials, size_t at, \
                                               long long chunk, long long chunks) {                                    \
    rex_detail::scan_chunk(sums, result, partials, at, chunk, chunks, combine, inclusive);                             \
  }
REX_SCAN(inclusive, true)
REX_SCAN(exclusive, false)
#undef REX_SCAN

#define REX_SCAN_OF(kind, name)                                                                                        \
  template <class T>                                                                                                   \
  REX_DEVICE void rex_scan_teams_##kind##_##name(T *sums, T *result, rex_partials *partials, size_t at,                \
                                                 long long chunk, long long chunks) {                                  \
    rex_scan_teams_##kind##_with(                                                                                      \
        sums, result, [](T &a, T &b) { rex_detail::name##_operator::combine(a, b); }, partials, at, chunk, chunks);    \
  }
#define REX_SCAN(name) REX_SCAN_OF(inclusive, name) REX_SCAN_OF(exclusive, name)
REX_EACH_SCAN(REX_SCAN)
#undef REX_SCAN
#undef REX_SCAN_OF

#endif
