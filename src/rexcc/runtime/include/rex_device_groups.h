// SPDX-License-Identifier: Apache-2.0
//
// Groups: neighbouring threads that execute an iteration together and share its inner loop
// (lowering/loops/groups.py). On the CPU device a group is one thread.
#ifndef REX_DEVICE_GROUPS_H
#define REX_DEVICE_GROUPS_H

#include "rex_device_core.h"

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

// The addresses of objects, from the first byte to the one behind the last.
struct rex_range { const char *first, *last; };

template <class T> REX_DEVICE rex_range rex_element(const T &object) {
  return {(const char *)&object, (const char *)(&object + 1)};
}

template <class... Others> REX_DEVICE rex_range rex_hull(rex_range one, Others... others) {
  ((one = {one.first < others.first ? one.first : others.first, one.last > others.last ? one.last : others.last}), ...);
  return one;
}

// What an expression's addresses lie between, if an index goes from one value to another: it is linear in the index.
template <class At> REX_DEVICE rex_range rex_span(long long from, long long to, At at) { return rex_hull(at(from), at(to)); }

// Whether one range overlaps none of the others.
template <class... Others> REX_DEVICE bool rex_apart(rex_range one, Others... others) {
  return ((one.last <= others.first || others.last <= one.first) && ...);
}

#endif
