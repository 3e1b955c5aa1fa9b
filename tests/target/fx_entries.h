/* How a fictitious device executes: it is this machine, started by the runtime's host plugin. A warp has 64 threads, which
   show each other values and meet; all threads of a block can wait, so they are fibers. */
#ifndef FX_ENTRIES_H
#define FX_ENTRIES_H

#define REX_HAS_WARPS
#include "rex_host_device.h"

static_assert(REX_WARP == 64 && REX_MOST_THREADS == 512, "the file that includes this says so");
static_assert(sizeof(rex_lanes) == 8 && rex_detail::lane_bits == 6, "a bit for each lane");

static thread_local unsigned fx_shown[REX_MOST_THREADS];

/* The value that a lane shows, once all lanes have shown theirs. */
static inline unsigned fx_look(rex_lanes lanes, unsigned value, unsigned at) {
  fx_shown[threadIdx.x] = value;
  __syncwarp(lanes);
  unsigned seen = fx_shown[at];
  __syncwarp(lanes);
  return seen;
}
static inline unsigned __shfl_down_sync(rex_lanes lanes, unsigned value, int distance) {
  unsigned lane = threadIdx.x % REX_WARP;
  return fx_look(lanes, value, lane + distance < REX_WARP ? threadIdx.x + distance : threadIdx.x);
}
static inline unsigned __shfl_up_sync(rex_lanes lanes, unsigned value, int distance) {
  unsigned lane = threadIdx.x % REX_WARP;
  return fx_look(lanes, value, lane >= (unsigned)distance ? threadIdx.x - distance : threadIdx.x);
}
static inline unsigned atomicInc(unsigned *x, unsigned most) {
  unsigned old = __atomic_load_n(x, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(x, &old, old >= most ? 0 : old + 1, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

#define rex_run_teams rex_run_teams_synchronised

#endif
