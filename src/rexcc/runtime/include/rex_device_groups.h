// SPDX-License-Identifier: Apache-2.0
//
// Groups: neighbouring threads that execute an iteration together and share its inner loop
// (lowering/loops/groups.py), or make a sum in it together (lowering/constructs/group_sums.py). On the CPU device a group is
// one thread.
#ifndef REX_DEVICE_GROUPS_H
#define REX_DEVICE_GROUPS_H

#include "rex_device_core.h"
#include "rex_device_reduce.h"

// Tests have groups on the CPU device too, across its blocks of one thread.
#if defined(__CUDACC__) || defined(REX_GROUPS_ON_CPU)
#define REX_HAS_GROUPS
#endif

// The threads of a group: as many as the host wants, and a power of two that divides the threads of all blocks.
REX_DEVICE int rex_width(int wanted) {
#ifdef REX_HAS_GROUPS
  unsigned in_block = blockDim.x & -blockDim.x, blocks = in_block == blockDim.x ? gridDim.x & -gridDim.x : 1;
  unsigned long long divides = (unsigned long long)in_block * blocks;
  return (unsigned long long)wanted < divides ? wanted : (int)divides;
#else
  return 1;
#endif
}

// The same of a group that lies in a warp, whose threads hand each other what they have computed and wait for each
// other. On the CPU device it is one thread, where tests have groups, too.
REX_DEVICE int rex_width_in_block(int wanted) {
#ifdef REX_HAS_WARPS
  const int width = rex_width(wanted);
  const unsigned in_block = blockDim.x & -blockDim.x;
  const int within = in_block < (unsigned)width ? (int)in_block : width;
  return within < REX_WARP ? within : REX_WARP;
#else
  (void)wanted;
  return 1;
#endif
}

// The running thread's number in its group, from that among all.
REX_DEVICE int rex_member(unsigned thread, int width) { return (int)(thread & (unsigned)(width - 1)); }

// How many groups so many threads are, or which one a thread is in.
REX_DEVICE long long rex_groups(long long threads, int width) {
#ifdef REX_HAS_GROUPS
  return threads >> (31 - __builtin_clz(width));
#else
  return threads;
#endif
}

// The threads that share the inner loop: all of a group, or one where iterations of the loop may depend on each other.
template <class Compare> REX_DEVICE int rex_sharing(int width, Compare is_apart) {
  return width > 1 && is_apart() ? width : 1;
}

// The addresses of objects, from the first byte to the one behind the last. Where a stride is known, the objects have so
// many bytes, and lie a multiple of it from one of them: what is between them is not meant.
struct rex_range {
  const char *first, *last, *one;
  long long bytes, stride;
};

template <class T> REX_DEVICE rex_range rex_element(const T &object) {
  const T *at = __builtin_addressof(object);
  return {(const char *)at, (const char *)(at + 1), nullptr, 0, 0};
}

// The same of an object that the device may have, at an address: one that it has not lies nowhere.
template <class T> REX_DEVICE rex_range rex_element_there(const void *device) {
  return {(const char *)device, (const char *)((size_t)device + (device ? sizeof(T) : 0)), nullptr, 0, 0};
}

template <class... Others> REX_DEVICE rex_range rex_hull(rex_range one, Others... others) {
  ((one = {one.first < others.first ? one.first : others.first, one.last > others.last ? one.last : others.last}), ...);
  return one;
}

// What an expression's addresses lie between, if an index goes from one value to another: it is linear in the index.
template <class At> REX_DEVICE rex_range rex_span(long long from, long long to, At at) { return rex_hull(at(from), at(to)); }

// The same of an index that goes on by a step, as that of a loop over every other element.
template <class At> REX_DEVICE rex_range rex_span_of_steps(long long from, long long to, long long step, At at) {
  rex_range all = rex_span(from, to, at);
  if ((step < 0 ? from - to : to - from) < (step < 0 ? -step : step)) return all;
  const rex_range one = at(from);
  const long long far = at(from + step).first - one.first;
  all.one = one.first, all.bytes = one.last - one.first, all.stride = far < 0 ? -far : far;
  return all;
}

namespace rex_detail {

// Whether the objects of two ranges take turns: those of one lie in what is between those of the other.
REX_DEVICE bool take_turns(const rex_range &a, const rex_range &b) {
  if (a.stride == 0 || a.stride != b.stride) return false;
  long long behind = (b.one - a.one) % a.stride;
  if (behind < 0) behind += a.stride;
  return a.bytes <= behind && behind <= a.stride - b.bytes;
}

} // namespace rex_detail

// Whether one range overlaps none of the others.
template <class... Others> REX_DEVICE bool rex_apart(rex_range one, Others... others) {
  return ((one.last <= others.first || others.last <= one.first || rex_detail::take_turns(one, others)) && ...);
}

// ---------------------------------------------------------------------------------------------------------------------
// Groups in a warp: the threads of a block are shared out to the iterations of a loop that has fewer of them.

// The threads of a group for so many iterations: a power of two that divides the threads of the block.
REX_DEVICE int rex_width_in_warp(long long iterations) {
#ifdef REX_HAS_WARPS
  unsigned divides = blockDim.x & -blockDim.x;
  int width = divides < REX_WARP ? (int)divides : REX_WARP;
  while (width > 1 && iterations * width > blockDim.x) width /= 2;
  return width;
#else
  return 1;
#endif
}

// f(i) for the member's part of the indices, four at a time as long as there are; a thread that is alone takes all in order.
template <class Index, class F>
REX_DEVICE void rex_each_of_group(int member, int width, Index lower, Index bound, F f) {
  if (width == 1) {
    for (Index i = lower; i < bound; i++) f(i);
    return;
  }
#ifdef REX_HAS_WARPS
  long long i = (long long)lower + member;
#pragma unroll 1
  for (; i < (long long)bound - 3 * width; i += 4 * width) {
#pragma unroll
    for (int k = 0; k < 4; k++) f((Index)(i + k * width));
  }
#pragma unroll 1
  for (; i < bound; i += width) f((Index)i);
#endif
}

// step(i, term(i)) for all indices in their order, in each thread of a group that lies in a warp: each computes the terms of
// its part of them (lowering/loops/folds.py). A thread that is alone, as on the CPU device, computes all; where tests have
// groups there, as long before the steps as a warp does.
template <class T, class Index, class Term, class Step>
REX_DEVICE void rex_in_order(int member, int width, long long lower, long long bound, Term term, Step step) {
#ifdef REX_HAS_WARPS
  if (width > 1) {
    const rex_lanes lanes = rex_detail::first_lanes(width) << (rex_detail::thread_in_block() % REX_WARP & ~(width - 1));
    T own = lower + member < bound ? term(lower + member) : T();
#pragma unroll 1
    for (long long first = lower; first < bound; first += width) {
      const long long next = first + width + member;
      const T later = next < bound ? term(next) : T();
      if (width == REX_WARP && bound - first >= REX_WARP) {
#pragma unroll
        for (int k = 0; k < REX_WARP; k++) step(first + k, __shfl_sync(lanes, own, k, REX_WARP));
      } else {
        const int count = bound - first < width ? (int)(bound - first) : width;
#pragma unroll 1
        for (int k = 0; k < count; k++) step(first + k, __shfl_sync(lanes, own, k, width));
      }
      own = later;
    }
    return;
  }
#elif defined(REX_HAS_GROUPS)
  T terms[REX_WARP];
  for (long long first = lower; first < bound; first += REX_WARP) {
    const int count = bound - first < REX_WARP ? (int)(bound - first) : REX_WARP;
    for (int k = 0; k < count; k++) terms[k] = term(first + k);
    for (int k = 0; k < count; k++) step(first + k, terms[k]);
  }
  return;
#endif
  for (Index i = (Index)lower; (long long)i < bound; i++) step(i, term(i)); // a type in which addresses are added up
}

// All threads of a group that lies in a warp have read what they need before any of them goes on.
REX_DEVICE void rex_wait_for_group(int width) {
#ifdef REX_HAS_WARPS
  const rex_lanes lanes = rex_detail::first_lanes(width) << (rex_detail::thread_in_block() % REX_WARP & ~(width - 1));
  if (width > 1) __syncwarp(lanes);
#endif
}

namespace rex_detail {

// Each of the group's threads gets the values of all of them combined.
template <class Operator, class T> REX_DEVICE void join_group(T &value, int width) {
#ifdef REX_HAS_WARPS
  rex_lanes lanes = first_lanes(width) << (thread_in_block() % REX_WARP & ~(width - 1));
#pragma unroll
  for (int distance = REX_WARP / 2; distance > 0; distance /= 2) {
    if (distance >= width) continue;
    T other = __shfl_xor_sync(lanes, value, distance);
    Operator::combine(value, other);
  }
#endif
}

} // namespace rex_detail

#define REX_JOIN_GROUP(name)                                                                                           \
  template <class T> REX_DEVICE void rex_join_group_##name(T &value, int width) {                                      \
    rex_detail::join_group<rex_detail::name##_operator>(value, width);                                                 \
  }
REX_JOIN_GROUP(add)
REX_JOIN_GROUP(mul)
REX_JOIN_GROUP(and)
REX_JOIN_GROUP(or)
REX_JOIN_GROUP(xor)
REX_JOIN_GROUP(land)
REX_JOIN_GROUP(lor)
REX_JOIN_GROUP(min)
REX_JOIN_GROUP(max)
#undef REX_JOIN_GROUP

#endif
