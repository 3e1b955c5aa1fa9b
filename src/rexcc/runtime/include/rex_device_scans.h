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
// waits for nothing that has not begun. What chunks come to is combined in groups of 32, and the groups from the left,
// whichever of the totals a block finds ready. So the sums are the same in every run, also where an operator rounds.
//
// On the CPU device one team has all chunks, and each has as many iterations as the team has threads.
#ifndef REX_DEVICE_SCANS_H
#define REX_DEVICE_SCANS_H

#include "rex_device_partials.h"

#ifdef __CUDACC__
#define REX_SCAN_PARTS 8 // as rex_geometry.h has it
#else
#define REX_SCAN_PARTS 1
#endif

REX_DEVICE long long rex_scan_chunks(long long trips) {
  const long long iterations = (long long)blockDim.x * REX_SCAN_PARTS;
  return trips / iterations + (trips % iterations != 0);
}

// Bytes of a variable's memory: what chunks come to, what groups of them come to, and the totals before groups
// (rex_scan_bytes in rex_kmp.h).
REX_DEVICE size_t rex_scan_room(long long chunks, size_t size) {
  const size_t values = (size_t)(chunks + 2 * (chunks / 32 + 1));
  return (values * ((size + 3) / 4 * 8) + 15) / 16 * 16;
}

#ifdef __CUDACC__
namespace rex_detail {

// The number of the chunk that a block has taken.
REX_DEVICE unsigned &taken_chunk() {
  static __shared__ unsigned taken;
  return taken;
}

} // namespace rex_detail
#endif

// The number of the next chunk, by all threads of the block; `last` is that of the one before, whose scan has taken it.
REX_DEVICE long long rex_next_chunk(rex_partials *partials, long long last) {
#ifdef __CUDACC__
  if (last >= 0) return rex_detail::taken_chunk();
  if (threadIdx.x == 0) rex_detail::taken_chunk() = atomicAdd(&partials->taken, 1u);
  __syncthreads();
  return rex_detail::taken_chunk();
#else
  (void)partials;
  __syncthreads();
  return last + 1;
#endif
}

namespace rex_detail {

#ifdef __CUDACC__

// Values that blocks leave for others, each once in a launch. Every 32 bits of one have a mark beside them, in one word:
// who sees all marks has the value, whatever else it has seen of the other block.
template <class T> struct values_left {
  static constexpr int words = (sizeof(T) + 3) / 4;
  volatile unsigned long long *first;

  __device__ void leave(long long number, T &value) const {
    unsigned parts[words] = {};
    __builtin_memcpy(parts, static_cast<void *>(__builtin_addressof(value)), sizeof(T));
    for (int i = 0; i < words; i++) first[number * words + i] = parts[i] | 1ull << 32;
  }

  // Whether a value is there, which is got then.
  __device__ bool find(long long number, T &value) const {
    unsigned parts[words];
    bool is_there = true;
    for (int i = 0; i < words; i++) {
      const unsigned long long word = first[number * words + i];
      parts[i] = (unsigned)word;
      is_there &= word >> 32 != 0;
    }
    __builtin_memcpy(static_cast<void *>(__builtin_addressof(value)), parts, sizeof(T));
    return is_there;
  }
};

// What is known of chunks, of groups of 32, and of all before a group.
template <class T> struct chunk_memory {
  values_left<T> chunks, groups, totals;
  __device__ chunk_memory(rex_partials *partials, size_t place, long long count) {
    chunks.first = reinterpret_cast<unsigned long long *>(left_by_blocks(partials) + place);
    groups.first = chunks.first + count * values_left<T>::words;
    totals.first = groups.first + (count / REX_WARP + 1) * values_left<T>::words;
  }
};

template <class T> REX_DEVICE T shuffle_from(T value, int lane) {
  constexpr int count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, static_cast<void *>(__builtin_addressof(value)), sizeof(T));
  for (int i = 0; i < count; i++) words[i] = __shfl_sync(all_lanes, words[i], lane);
  __builtin_memcpy(static_cast<void *>(__builtin_addressof(value)), words, sizeof(T));
  return REX_COPIED(T, value);
}

// The sums of the lanes up to each, in their order.
template <class T, class Combine> REX_DEVICE void scan_warp(T &sum, Combine combine) {
  const int lane = (int)threadIdx.x % REX_WARP;
  for (int distance = 1; distance < REX_WARP; distance *= 2) {
    T &&before = shuffle_up(all_lanes, REX_COPIED(T, sum), distance);
    if (lane < distance) continue;
    combine(before, sum);
    sum = before;
  }
}

// The total before a group, from the nearest one that is known: the groups in between are combined from the left. By a
// whole warp; `total` has some value.
template <class T, class Combine>
REX_DEVICE void total_before(T &total, const chunk_memory<T> &memory, long long group, Combine combine) {
  const int lane = (int)threadIdx.x % REX_WARP;
  T sum = REX_COPIED(T, total), known = REX_COPIED(T, total);
  for (;;) {
    const bool has_total = lane <= group && memory.totals.find(group - lane, known);
    const bool has_sum = lane < group && memory.groups.find(group - 1 - lane, sum);
    const unsigned totals = __ballot_sync(~0u, has_total), sums = __ballot_sync(~0u, has_sum);
    const int nearest = __ffs((int)totals) - 1;
    const unsigned between = nearest < 0 ? ~0u : (1u << nearest) - 1;
    if ((sums & between) != between || nearest < 0) continue;
    total = shuffle_from(REX_COPIED(T, known), nearest);
    for (int i = nearest - 1; i >= 0; i--) {
      T &&next = shuffle_from(REX_COPIED(T, sum), i);
      combine(total, next);
    }
    return;
  }
}

// What all chunks before one come to, with the original: the total before its group, and those of the group, which one
// after another of them has left. By a whole warp; `own` is what the chunk comes to.
template <class T, class Combine>
REX_DEVICE T all_before(T own, T *result, const chunk_memory<T> &memory, long long chunk, long long chunks, Combine combine) {
  const int lane = (int)threadIdx.x % REX_WARP, place = (int)(chunk % REX_WARP);
  const long long group = chunk / REX_WARP;
  const bool is_followed = place == REX_WARP - 1 && chunk < chunks - 1;
  if (lane == 0) memory.chunks.leave(chunk, own);
  T sum = REX_COPIED(T, own), total = REX_COPIED(T, own);
  while (lane < place && !memory.chunks.find(group * REX_WARP + lane, sum)) {}
  __syncwarp();
  scan_warp(sum, combine); // up to each chunk of the group
  if (is_followed && lane == place) memory.groups.leave(group, sum);
  if (chunk == 0) {
    total = *result;
    if (lane == 0) memory.totals.leave(0, total);
    __syncwarp(); // all have it before it changes
  } else total_before(total, memory, group, combine);
  T before = REX_COPIED(T, total);
  T &&of_group = shuffle_from(REX_COPIED(T, sum), place);
  T &&earlier = shuffle_from(REX_COPIED(T, sum), place == 0 ? 0 : place - 1);
  combine(total, of_group);
  if (is_followed && lane == 0) memory.totals.leave(group + 1, total);
  if (place > 0) combine(before, earlier);
  if (chunk == chunks - 1 && lane == 0) *result = total;
  return REX_COPIED(T, before);
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
    T sum = REX_COPIED(T, sums[part]);
    scan_warp(sum, combine);
    if (lane == REX_WARP - 1) put(room + (part * warps + warp) * sizeof(T), sum);
    if (!inclusive) sum = shuffle_up(all_lanes, REX_COPIED(T, sum), 1); // nothing is before the warp's first lane
    sums[part] = sum;
  }
  __syncthreads();
  if (place == 0 && warp == warps - 1 && lane == 0) taken_chunk() = atomicAdd(&partials->taken, 1u); // meanwhile
  if (warp == 0) {
    T own = REX_COPIED(T, sums[0]);
    for (int first = 0; first < count; first += REX_WARP) { // of the warps up to each
      T sum = REX_COPIED(T, own), earlier = REX_COPIED(T, own);
      if (first + lane < count) get(sum, room + (first + lane) * sizeof(T));
      scan_warp(sum, combine);
      if (first > 0) {
        combine(earlier, sum);
        sum = earlier;
      }
      if (first + lane < count) put(room + (first + lane) * sizeof(T), sum);
      own = shuffle_from(REX_COPIED(T, sum), (count - first < REX_WARP ? count - first : REX_WARP) - 1);
    }
    T &&before = all_before(REX_COPIED(T, own), result, memory, chunk, chunks, combine);
    if (lane == 0) put(before_chunk, before);
  }
  __syncthreads();
#pragma unroll
  for (int part = 0; part < REX_SCAN_PARTS; part++) {
    T value = REX_COPIED(T, sums[part]), earlier = REX_COPIED(T, value);
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
  T carry = REX_COPIED(T, *result);
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
