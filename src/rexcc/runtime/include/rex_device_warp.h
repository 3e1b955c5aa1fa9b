// SPDX-License-Identifier: Apache-2.0
//
// Warps in device code. A target whose lanes show each other their values (__shfl_down_sync, __shfl_up_sync) and meet
// (__syncwarp) has REX_HAS_WARPS: blocks fold values by them then.
#ifndef REX_DEVICE_WARP_H
#define REX_DEVICE_WARP_H

#include "rex_warp.h"

#ifdef __CUDACC__
#define REX_HAS_WARPS
#endif

// A set of lanes, a bit for each.
#if REX_WARP > 32
typedef unsigned long long rex_lanes;
#else
typedef unsigned rex_lanes;
#endif

namespace rex_detail {

constexpr rex_lanes all_lanes = ~(rex_lanes)0 >> (8 * (int)sizeof(rex_lanes) - REX_WARP);

constexpr int halvings(int count) { return count > 1 ? 1 + halvings(count / 2) : 0; }
constexpr int lane_bits = halvings(REX_WARP); // of a thread's number
constexpr int most_warps = REX_MOST_THREADS / REX_WARP; // of a block
static_assert(1 << lane_bits == REX_WARP && most_warps <= REX_WARP, "a power of two, and a warp can fold those of a block");

} // namespace rex_detail

#endif
