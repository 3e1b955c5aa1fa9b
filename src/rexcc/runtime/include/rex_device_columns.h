// SPDX-License-Identifier: Apache-2.0
//
// Arrays of an iteration whose elements only the run finds (lowering/loops/looked_up_arrays.py):
//
//   __shared__ rex_columns<int, 8, 256> memory;   of a block of 256 threads
//   rex_column<int, 8, 256> h(memory);            int h[8];
//
// Elements of all threads with one index lie side by side, a word for each thread, so that the lanes of a warp are in a bank
// of their own each, whatever their indices are. Elements smaller than a word may have `together` of them in one.
// On the CPU device, which has no banks, a thread has the array as it is written, but in tests.
#ifndef REX_DEVICE_COLUMNS_H
#define REX_DEVICE_COLUMNS_H

#include "rex_device_core.h"

#if defined(REX_HAS_WARPS) || defined(REX_COLUMNS_ON_CPU)

template <class T, int count, int threads, int together = 1> struct rex_columns {
  static constexpr int apart = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1; // two threads' elements
  static constexpr int row = (threads + REX_WARP - 1) / REX_WARP * REX_WARP * apart;
  static_assert(together == 1 || together == apart, "one element of a word, or as many as it has");
  alignas(sizeof(T) < 4 ? 4 : sizeof(T)) T elements[(count + together - 1) / together * row];
};

template <class T, int count, int threads, int together = 1> struct rex_column {
  using Columns = rex_columns<T, count, threads, together>;
  T *own;
  __device__ explicit rex_column(Columns &of) : own(of.elements + threadIdx.x * Columns::apart) {}
  __device__ T &operator[](int at) const {
    if (together == 1) return own[at * Columns::row];
    return own[(at & ~(together - 1)) * (Columns::row / together) + (at & (together - 1))];
  }
};

#else

template <class T, int count, int threads, int together = 1> struct rex_columns {};

template <class T, int count, int threads, int together = 1> struct rex_column {
  T own[count];
  explicit rex_column(rex_columns<T, count, threads, together> &) {}
  T &operator[](long long at) { return own[at]; }
};

#endif

#endif
