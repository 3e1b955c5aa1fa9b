// SPDX-License-Identifier: Apache-2.0
//
// Device headers for lanes that show each other values: those of a GPU, made of fibers here.
#ifndef SHOWN_LANES_H
#define SHOWN_LANES_H

#define REX_HAS_WARPS
static inline unsigned __shfl_down_sync(unsigned lanes, unsigned value, int distance);
static inline unsigned __shfl_up_sync(unsigned lanes, unsigned value, int distance);
static inline unsigned __shfl_sync(unsigned lanes, unsigned value, int lane);
static inline unsigned atomicInc(unsigned *x, unsigned most);
#include "rex_nvidia.h"

static thread_local unsigned shown[REX_MOST_THREADS];

// What another lane of the warp shows; the own value where there is none.
static unsigned shown_by(unsigned lanes, unsigned value, int lane) {
  const int first = (int)threadIdx.x / REX_WARP * REX_WARP;
  shown[threadIdx.x] = value;
  __syncwarp(lanes);
  const bool is_there = lane >= 0 && lane < REX_WARP && first + lane < (int)blockDim.x;
  const unsigned found = is_there ? shown[first + lane] : value;
  __syncwarp(lanes);
  return found;
}
static inline unsigned __shfl_down_sync(unsigned lanes, unsigned value, int distance) {
  return shown_by(lanes, value, (int)threadIdx.x % REX_WARP + distance);
}
static inline unsigned __shfl_up_sync(unsigned lanes, unsigned value, int distance) {
  return shown_by(lanes, value, (int)threadIdx.x % REX_WARP - distance);
}
static inline unsigned __shfl_sync(unsigned lanes, unsigned value, int lane) { return shown_by(lanes, value, lane); }
static inline unsigned atomicInc(unsigned *x, unsigned most) {
  unsigned old = __atomic_load_n(x, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(x, &old, old >= most ? 0 : old + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
  return old;
}

#endif
