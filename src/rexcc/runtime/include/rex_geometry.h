// SPDX-License-Identifier: Apache-2.0
//
// The geometry of a launch: teams (blocks) and threads, from the trip count and the number of multiprocessors. Only what
// the user left open is chosen here; his num_teams, num_threads and thread_limit stand in the launch as he wrote them. Part
// of rex_kmp.h. The rules, with the numbers that the code quotes (tests/runtime/programs/geometry.c is their table):
//
//   1  A block has `limit` threads: 256, or 128 where loops, not all of them short, are nested two deep in an iteration that
//      reduces nothing (see lowering/model/geometry.py). The kernel is compiled for that number (__launch_bounds__), which
//      bounds its registers.
//   2  Never more threads than iterations, in whole warps.
//   3  Where there would be fewer such blocks than multiprocessors, they are narrower: whole warps, or a part of one, so that
//      every multiprocessor has its share of the iterations. Where the program decides how many teams there are, blocks are
//      as wide as their share needs, also where it named more threads and nothing can tell how many there are. Threads that
//      reduce, or execute iterations in groups, stay whole warps. Where multiprocessors have few blocks each, one more or
//      less makes a difference: blocks are a half or a quarter as wide if the one that has most has an eighth less to do
//      then, but not narrower than two warps.
//   4  A loop has a thread for each iteration: the hardware shares blocks out better than any loop does. Kernels rely on it
//      (lowering/loops/single_iteration.py), so libomptarget is kept from limiting what is asked for: OMP_TEAMS_THREAD_LIMIT counts in
//      rule 1, as a power of two and a warp at least, and LLVM's own OMP_TEAM_LIMIT not at all. OMP_NUM_TEAMS counts
//      where kernels do not rely on it: so do those that ask for the number of teams, or a team's.
//   5  Where threads take several iterations side by side (lowering/loops/tiles.py), the grid is smaller by the tile, but not so
//      small that multiprocessors are idle: rather fewer iterations for a thread than fewer threads. Half of the threads that
//      fill them do for a nest, whose threads take tiles as soon as there are more iterations than that, in all its loops but
//      the tiled one 32 at least, so that a warp's do not lie apart in memory (docs/decisions/087-tiles-of-nests.md).
//   6  A reduction ends with work for each block, so it has no more blocks than the GPU has room for at once, by the
//      kernel's registers and shared memory, and no more than 8 a multiprocessor. Where several values are joined, each
//      block more costs more: there are no more than 2 a multiprocessor before threads have so many iterations that
//      dividing them further is worth it, as the compiler says (docs/decisions/025-reduction-grids.md).
//   7  A loop whose trip count is not known before the launch has so many blocks, too.
//   8  A loop whose iterations are a team's work each has a block for each iteration, or as many as rule 17 says.
//   9  A loop whose iterations groups of neighbouring threads execute has a thread for each member of a group. A group is
//      as wide as a block, narrower where the inner loop has fewer iterations or more than a quarter of it would be idle,
//      and several blocks wide where there are too few groups to fill the GPU.
//  10  A kernel may have a second form with twice the registers, for grids that have no more than half of the GPU's threads
//      (docs/decisions/057-kernels-for-small-grids.md).
//  11  The CPU device has a team for each core, with one thread; where iterations are a team's work each it has four, which
//      spread more evenly. Parallels inside a team have at most 8 threads, which share a core.
//  12  Threads of a team whose loop does little have four iterations each (lowering/constructs/light_loops.py), where blocks
//      that are narrower by that still fill the GPU: not narrower than two warps, and an eighth of their share idle at most.
//  13  Where threads execute the inner loops of eight iterations together (lowering/loops/jam.py), the grid is that of the
//      tiles, if they give each multiprocessor some warps: loads of a tile are under way together, so few threads do.
//  14  A nest of short iterations has a kernel with numbers of 32 bits, for up to 2^30 iterations, and one for more
//      (docs/decisions/082-numbers-of-nests.md).
//  15  A team whose threads the program asks for has no more of them than iterations in its longest loop, in whole warps,
//      where nothing can tell (lowering/generic/spare_threads.py).
//  16  Teams with loops whose iterations only the GPU can count are narrower where there are many of them: as long as
//      their threads fill the GPU twice, but not narrower than two warps. The GPU takes a block of 64 threads as fast as
//      one of 256, and its threads wait for fewer others (docs/decisions/094-teams-of-short-loops.md).
//  17  Teams that have an iteration each are no more than twice those that the GPU holds at once where their loops do little,
//      others no more than four times with two warps or one and eight times with more, and take several iterations each:
//      to start a block takes longer than an iteration with little to do (docs/decisions/094-teams-of-short-loops.md).
//  18  Blocks with sums of their own (rex_device_bins.h) are fewer than a reduction's where that gives their threads enough
//      additions to such sums, but not fewer than multiprocessors: additions to memory take longer than an idle GPU.
//  19  Groups that fold loops in front of the one that they share (lowering/loops/folds.py) are no wider than a warp, whose
//      threads hand each other their terms. Where that loop has fewer than 64 iterations, each thread executes all of them.
//  20  Where only the run knows how many threads a block has, loops with loops inside have a kernel that relies on rule 4 for
//      launches with 256 threads or fewer, as any kernel can have so many, and up to 2^30 iterations, for which there are
//      enough blocks; all others have one whose threads come around (lowering/loops/threads_of_run.py).
//  21  Where the program asks for few teams and leaves their threads open, blocks are twice as wide as rule 1 says, or four
//      times and so on, as long as there are iterations for their threads, many for threads that join results, and all blocks
//      find room on the GPU at once, or on half of it where the kernel for them has more registers. So are those of teams
//      that have an iteration each, where these are few and share a light loop: 1,024 threads (docs/decisions/121-few-teams-have-wide-blocks.md).
//  22  Teams of a warp, or of a part of one, are several in a block, up to 256 threads, as a multiprocessor has room for 32
//      blocks. Where there are few, each multiprocessor gets some blocks; where the program says how many teams there are,
//      blocks have equally many (docs/decisions/130-teams-of-a-warp.md).
//  23  Teams that go step by step, with short loops again and again, are as wide as these need where there are more teams than
//      find room at once: the first thread's code between the steps is executed by all, and each thread waits at each step.
//      A loop that is executed once has 32 iterations a thread then at most (lowering/generic/steps.py).
#ifndef REX_GEOMETRY_H
#define REX_GEOMETRY_H

#include "rex_runtime.h"
#include "rex_tripcount.h"
#include "rex_warp.h"

#ifdef __cplusplus
extern "C" {
#endif

// What launches ask for is one function of a file, however many launches it has: inlined, it takes longer to compile than
// the launch itself, and its call takes no time beside one. Without optimisation nothing is inlined, and unused functions
// stay where they are not `inline`.
#ifdef __OPTIMIZE__
#define REX_ASKED static __attribute__((__noinline__, __unused__))
#else
#define REX_ASKED static __inline__
#endif

static __inline__ __INT64_TYPE__ rex_min(__INT64_TYPE__ a, __INT64_TYPE__ b) { return a < b ? a : b; }
static __inline__ __INT64_TYPE__ rex_max(__INT64_TYPE__ a, __INT64_TYPE__ b) { return a > b ? a : b; }

static __inline__ __INT64_TYPE__ rex_ceiling(__INT64_TYPE__ a, __INT64_TYPE__ b) { return a <= 0 ? 0 : (a - 1) / b + 1; }

// Quotient and remainder of what a region may never come to: 0 where they have no value (lowering/generic/known_counts.py).
static __inline__ __INT64_TYPE__ rex_safe_quotient(__INT64_TYPE__ a, __INT64_TYPE__ b) {
  if (b == -1) return (__INT64_TYPE__)(0 - (__UINT64_TYPE__)a);
  return b ? a / b : 0;
}
static __inline__ __INT64_TYPE__ rex_safe_remainder(__INT64_TYPE__ a, __INT64_TYPE__ b) { return b && b != -1 ? a % b : 0; }

// Blocks of 256 threads that fill a multiprocessor, and those whose results are joined however few iterations there are (6).
#define REX_BLOCKS_OF_A_UNIT 8
#define REX_JOINED_OF_A_UNIT 2

// Iterations of a thread, for which joining the results of more threads is worth it (21).
#define REX_WORTH_JOINING 16

// Threads of the narrowest block that is made for an even share (3).
#define REX_NARROWEST_EVEN 64

// Iterations of a loop that a thread takes side by side in tiles of a nest, and blocks of 256 threads that are enough for a
// multiprocessor then (5). Tests have tiles on the CPU device, too.
#define REX_ROWS 4
#ifdef REX_TILE
#define REX_ROWS_ON_CPU REX_TILE
#else
#define REX_ROWS_ON_CPU 1
#endif
#define REX_BLOCKS_OF_ROWS 4

// Threads of the widest block, which are half of those of a multiprocessor, or more.
#define REX_MOST_OF_A_BLOCK 1024

#define REX_WIDEST_GROUP (1 << 16)

// Iterations from which on threads fold loops (19).
#define REX_FEWEST_FOLDED 64

// Iterations of a tile from which on its inner loops are executed together, and threads of a multiprocessor then (13).
#define REX_JAMMED 8
#define REX_THREADS_OF_TILES 192

// On the CPU device (11): threads of a team in parallels inside of it, those of a team that has but one loop to share, and
// the cores that there are teams for. With --check threads are not executed side by side, and they are so many that their
// number seldom divides the distance of two iterations.
#ifdef REX_CHECK
#define REX_CPU_THREADS 13
#define REX_CPU_THREADS_OF_LOOP 13
#define REX_CPU_UNITS(cores) 61
#else
#define REX_CPU_THREADS 8
#define REX_CPU_THREADS_OF_LOOP 1
#define REX_CPU_UNITS(cores) (cores)
#endif

// Multiprocessors, or the cores of the CPU device.
static __inline__ int rex_units(const struct rex_offload_state *state) {
  return state->kind == REX_ON_CPU_DEVICE ? REX_CPU_UNITS(state->units) : state->units;
}

// Threads in whole warps for so many iterations, at most `limit` (1, 2).
static __inline__ int rex_whole_warps(__INT64_TYPE__ tripcount, int limit) {
  if (tripcount >= limit) return limit;
  return (int)rex_min(rex_max(rex_ceiling(tripcount, REX_WARP), 1) * REX_WARP, limit);
}

// What OMP_TEAMS_THREAD_LIMIT leaves of a limit (4).
static __inline__ int rex_limit_of_run(const struct rex_offload_state *state, int limit) {
  const int most = state->kind == REX_ON_GPU ? (int)rex_max(state->most_threads, REX_WARP) : state->most_threads;
  return state->most_threads > 0 ? (int)rex_min(limit, most) : limit;
}

// What OMP_NUM_TEAMS leaves of teams, where the kernel takes any number of them (4).
static __inline__ __INT64_TYPE__ rex_limit_teams(__INT64_TYPE__ teams) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  return state->most_teams > 0 ? rex_min(teams, state->most_teams) : teams;
}

// Threads that have a share of the iterations each: whole warps, or a part of one (3).
static __inline__ int rex_threads_of_share(__INT64_TYPE__ share, int limit) {
  return share < REX_WARP ? (int)rex_min(rex_max(share, 1), limit) : rex_whole_warps(share, limit);
}

// Threads of a team when the user named none, of so many teams whatever their threads (1 to 3, 11).
REX_ASKED int rex_threads_of_teams(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device; // all devices of a run are of one kind
  if (state->kind != REX_ON_GPU) return (int)rex_min(limit, REX_CPU_THREADS_OF_LOOP);
  return rex_threads_of_share(rex_ceiling(tripcount, rex_max(teams, 1)), rex_limit_of_run(state, limit));
}

// The same when the user named them, too: no more than have an iteration (3, 11).
REX_ASKED int rex_used_threads(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int threads) {
  (void)device;
  if (rex_offload_ready_state()->kind != REX_ON_GPU || threads <= 0) return threads;
  return rex_threads_of_share(rex_ceiling(tripcount, rex_max(teams, 1)), threads);
}

// Iterations of the multiprocessor that has most.
static __inline__ __INT64_TYPE__ rex_largest_share(__INT64_TYPE__ tripcount, int threads, int units) {
  return rex_ceiling(rex_ceiling(tripcount, threads), units) * threads;
}

// At most `limit` threads, narrower where multiprocessors have few blocks and share them more evenly then (3).
static __inline__ int rex_even_threads(__INT64_TYPE__ tripcount, int limit, int units) {
  int width = limit, narrower;
  if (tripcount / units >= REX_BLOCKS_OF_A_UNIT * (__INT64_TYPE__)limit) return limit;
  for (narrower = limit / 2; narrower >= REX_NARROWEST_EVEN && narrower % REX_WARP == 0; narrower /= 2)
    if (8 * rex_largest_share(tripcount, narrower, units) <= 7 * rex_largest_share(tripcount, width, units))
      width = narrower;
  return width;
}

// A multiprocessor's share as whole warps: rather more blocks than wide ones, but not so that some multiprocessors get two
// blocks with an eighth more to do than one that is a warp wider has (3).
static __inline__ __INT64_TYPE__ rex_even_share(__INT64_TYPE__ tripcount, __INT64_TYPE__ share, int limit, int units) {
  const __INT64_TYPE__ narrow = share / REX_WARP * REX_WARP, wide = narrow + REX_WARP;
  if (share < REX_WARP) return share;
  if (share == narrow || wide > limit) return narrow;
  return 8 * rex_largest_share(tripcount, (int)wide, units) <= 7 * rex_largest_share(tripcount, (int)narrow, units) ? wide : narrow;
}

// The same where teams are as many as iterations need: rather more than wide ones (3).
REX_ASKED int rex_default_threads(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  if (state->kind == REX_ON_GPU) limit = rex_even_threads(tripcount, limit, (int)rex_max(rex_units(state), 1));
  __INT64_TYPE__ share = rex_ceiling(tripcount, rex_max(rex_units(rex_offload_ready_state()), 1));
  return rex_threads_of_teams(device, rex_even_share(tripcount, share, limit, (int)rex_max(rex_units(state), 1)), 1, limit);
}

// The same in whole warps, of so many teams or of as many as iterations need (2, 3, 11).
REX_ASKED int rex_warps_of_teams(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  if (state->kind != REX_ON_GPU) return 1;
  return rex_whole_warps(rex_ceiling(tripcount, rex_max(teams, 1)), rex_limit_of_run(state, limit));
}

REX_ASKED int rex_default_warps(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int limit) {
  return rex_warps_of_teams(device, tripcount, rex_units(rex_offload_ready_state()), limit);
}

// The most threads of a block of so many teams: `limit`, or up to `most` where these leave threads of the GPU idle, of which
// a multiprocessor has room for `room` (21).
static __inline__ int rex_limit_of_few_teams(__INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int limit, int most, int room) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const __INT64_TYPE__ full = (__INT64_TYPE__)rex_units(state) * room;
  if (state->kind != REX_ON_GPU || teams <= 0) return limit;
  for (; 2 * limit <= most && rex_ceiling(tripcount, teams) > limit && full / teams >= 2 * limit; limit *= 2)
    ;
  return limit;
}

// The same of teams that have an iteration each, whose threads share a loop of so many: `limit` or `most` (21).
REX_ASKED int rex_limit_of_few_iterations(__INT64_TYPE__ teams, __INT64_TYPE__ tripcount, int limit, int most, int room) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const __INT64_TYPE__ full = (__INT64_TYPE__)rex_units(state) * room;
  if (state->kind != REX_ON_GPU || teams <= 0 || tripcount / REX_WORTH_JOINING < most) return limit;
  return full / teams >= most ? most : limit;
}

// Threads where the program decides how many teams there are, which may be few, but not their threads (3, 21).
static __inline__ int rex_threads_of_few_teams(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int limit,
                                               int most, int room) {
  return rex_threads_of_teams(device, tripcount, teams, rex_limit_of_few_teams(tripcount, teams, limit, most, room));
}
static __inline__ int rex_warps_of_few_teams(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int limit,
                                             int most, int room) {
  const __INT64_TYPE__ joined = tripcount / REX_WORTH_JOINING;
  return rex_warps_of_teams(device, tripcount, teams, rex_limit_of_few_teams(joined, teams, limit, most, room));
}

// Threads of the only team, which has the whole loop (1, 2, 11).
REX_ASKED int rex_threads_of_one_team(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int limit) {
  (void)device;
  if (rex_offload_ready_state()->kind != REX_ON_GPU) return (int)rex_min(limit, REX_CPU_THREADS_OF_LOOP);
  return rex_whole_warps(tripcount, limit);
}

// Threads of a team that runs parallel regions of its own when the user named none (1, 11).
REX_ASKED int rex_team_threads(__INT64_TYPE__ device, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  return rex_limit_of_run(state, state->kind == REX_ON_GPU ? limit : (int)rex_min(limit, REX_CPU_THREADS));
}

// The same for a parallel loop whose iterations the host does not know, of so many teams (16).
REX_ASKED int rex_threads_of_many_teams(__INT64_TYPE__ device, __INT64_TYPE__ teams, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const __INT64_TYPE__ enough = 2 * (__INT64_TYPE__)rex_units(state) * (REX_BLOCKS_OF_A_UNIT * 256);
  int width = rex_team_threads(device, limit);
  if (state->kind != REX_ON_GPU || teams == __INT64_MAX__) return width;
  while (width / 2 >= REX_NARROWEST_EVEN && width / 2 % REX_WARP == 0 && teams >= enough / (width / 2)) width /= 2;
  return width;
}

// The same where the longest loop that a team executes again and again has so many iterations, and the longest one that it
// executes once; `wide` are the threads that they would have otherwise (23).
REX_ASKED int rex_threads_of_steps(__INT64_TYPE__ device, __INT64_TYPE__ teams, __INT64_TYPE__ repeated,
                                   __INT64_TYPE__ once, int wide) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  if (state->kind != REX_ON_GPU || teams == __INT64_MAX__) return wide;
  while (wide / 2 % REX_WARP == 0 && wide / 2 >= REX_WARP && repeated <= wide / 2 && once <= 32 * (wide / 2) &&
         teams > (__INT64_TYPE__)rex_units(state) * (REX_BLOCKS_OF_A_UNIT * 256 / wide))
    wide /= 2;
  return wide;
}

// The same for a parallel loop with so many iterations, which one team shares (2, 11).
REX_ASKED int rex_parallel_threads(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  limit = rex_limit_of_run(state, state->kind == REX_ON_GPU ? limit : REX_CPU_THREADS);
  return state->kind == REX_ON_GPU ? rex_whole_warps(tripcount, limit) : (int)rex_max(1, rex_min(tripcount, limit));
}

// The same where the loop does little, of so many teams (12).
REX_ASKED int rex_light_threads(__INT64_TYPE__ device, __INT64_TYPE__ teams, __INT64_TYPE__ tripcount, int limit) {
  const int wide = rex_parallel_threads(device, tripcount, limit);
  const struct rex_offload_state *state = rex_offload_ready_state();
  const int narrow = (int)rex_max(rex_whole_warps(rex_ceiling(tripcount, 4), rex_limit_of_run(state, limit)), REX_NARROWEST_EVEN);
  if (state->kind != REX_ON_GPU || narrow >= wide || 8 * (4 * (__INT64_TYPE__)narrow - tripcount) > tripcount) return wide;
  return teams >= rex_ceiling((__INT64_TYPE__)rex_units(state) * (REX_BLOCKS_OF_A_UNIT * 256), narrow) ? narrow : wide;
}

// What a team needs of the threads that the program asks for, for a loop with so many iterations (15).
static __inline__ int rex_needed_threads(__INT64_TYPE__ tripcount, int threads) {
  return threads > 0 ? rex_whole_warps(tripcount, threads) : threads;
}

// Teams that fill the GPU, or all cores (6, 7, 11).
static __inline__ __INT64_TYPE__ rex_enough_blocks(const struct rex_offload_state *state) {
  return state->kind == REX_ON_GPU ? (__INT64_TYPE__)rex_units(state) * REX_BLOCKS_OF_A_UNIT : rex_units(state);
}

// Teams of a loop whose iterations are one team's work each, as many as there may be (7, 8, 11).
static __inline__ int rex_team_per_iteration(__INT64_TYPE__ device, __INT64_TYPE__ tripcount) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  if (tripcount <= 0) return 1;
  if (state->kind != REX_ON_GPU) return (int)rex_limit_teams(rex_min(tripcount, (__INT64_TYPE__)rex_units(state) * 4));
  return (int)rex_limit_teams(rex_min(tripcount, tripcount == __INT64_MAX__ ? rex_enough_blocks(state) : __INT32_MAX__));
}

// Those that are launched, of so many threads each; the loops that these share are `light` where they do little (17).
REX_ASKED int rex_teams_of_iterations(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads, int light) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const int teams = rex_team_per_iteration(device, tripcount);
  const int held = REX_BLOCKS_OF_A_UNIT * 256 / (int)rex_max(threads, REX_NARROWEST_EVEN);
  const int times = light ? 2 : threads <= REX_NARROWEST_EVEN ? 4 : 8;
  return state->kind != REX_ON_GPU ? teams : (int)rex_min(teams, (__INT64_TYPE__)rex_units(state) * rex_max(held, 1) * times);
}

// The same for teams of a warp or less, of which several are a block (17, 22).
REX_ASKED int rex_teams_of_lanes(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads, int light) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const __INT64_TYPE__ held = (__INT64_TYPE__)rex_units(state) * (REX_BLOCKS_OF_A_UNIT * 256 / threads);
  if (state->kind != REX_ON_GPU) return rex_teams_of_iterations(device, tripcount, threads, light);
  if (tripcount <= 0) return 1;
  return (int)rex_limit_teams(rex_min(tripcount, tripcount == __INT64_MAX__ ? held : held * (light ? 2 : 4)));
}

// The threads of their blocks, of which there are as many in the end as that leaves; `exact`: no team may be added (22).
REX_ASKED int rex_threads_of_several_teams(__INT64_TYPE__ device, int *teams, int threads, int exact) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  int several = state->kind == REX_ON_GPU ? rex_limit_of_run(state, 256) / threads : 1;
  (void)device;
  if (state->most_teams > 0) exact = 1;
  while (several > 1 && ((exact && *teams % several != 0) || *teams / several < 4 * rex_units(state))) several /= 2;
  if (several > 1) *teams = (int)rex_ceiling(*teams, several);
  return rex_max(several, 1) * threads;
}

// Threads of a group, a power of two: `inner` iterations are theirs together (9, 11).
REX_ASKED int rex_group_width(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, __INT64_TYPE__ inner, int limit) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  __INT64_TYPE__ full = (__INT64_TYPE__)rex_units(state) * (REX_BLOCKS_OF_A_UNIT * 256);
  int width = 1, wider;
  (void)device;
#ifndef REX_GROUPS_ON_CPU // tests have groups there too
  if (state->kind != REX_ON_GPU) return 1;
#endif
  for (wider = 2; wider <= rex_min(limit, inner); wider *= 2)
    if (rex_ceiling(inner, wider) * wider <= inner + inner / 3) width = wider;
  while (width >= limit && width < REX_WIDEST_GROUP && 2 * width <= inner && tripcount < full / width) width *= 2;
  return width;
}

// Iterations of an inner loop that a group shares which folds others, as a width goes by them (19).
static __inline__ __INT64_TYPE__ rex_folded(__INT64_TYPE__ inner) { return inner < REX_FEWEST_FOLDED ? 1 : REX_WARP; }

// Whether the threads of a grid are no more than half of the GPU's (10).
static __inline__ int rex_is_small_grid(__INT64_TYPE__ blocks, __INT64_TYPE__ threads) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  return state->kind == REX_ON_GPU && blocks * threads <= (__INT64_TYPE__)rex_units(state) * REX_MOST_OF_A_BLOCK;
}

// Whether a nest has more iterations than its kernel with numbers of 32 bits counts (14).
static __inline__ int rex_is_wide(__INT64_TYPE__ tripcount) { return tripcount > 1 << 30; }

// Whether threads of a loop whose number the program names in the run may have a second iteration (20).
static __inline__ int rex_may_come_around(__INT64_TYPE__ tripcount, int threads) {
  return rex_offload_ready_state()->kind == REX_ON_GPU && (threads < 1 || threads > 256 || rex_is_wide(tripcount));
}

// Tiles of a nest (5): how many iterations of its outermost loop are in one, of which `inner` are below each.
static __inline__ int rex_tile_rows(__INT64_TYPE__ tripcount, __INT64_TYPE__ inner, __INT64_TYPE__ threads) {
  const int rows = rex_offload_ready_state()->kind == REX_ON_GPU ? REX_ROWS : REX_ROWS_ON_CPU;
  return inner >= 32 && tripcount > threads ? rows : 1;
}

// What a kernel gets of them: how many they are, with their size in the lowest bits.
REX_ASKED __UINT64_TYPE__ rex_tiling(__INT64_TYPE__ tripcount, __INT64_TYPE__ outer, __INT64_TYPE__ inner,
                                             __INT64_TYPE__ threads) {
  const int rows = rex_tile_rows(tripcount, inner, threads);
  if (tripcount <= 0) return (__UINT64_TYPE__)rows;
  return (__UINT64_TYPE__)rex_ceiling(outer, rows) * (__UINT64_TYPE__)inner << 3 | (__UINT64_TYPE__)rows;
}

// The same of a nest in strips (lowering/loops/strips.py): of 16 iterations of a loop, or fewer where it has no more.
static __inline__ int rex_strip_rows(__INT64_TYPE__ tripcount, __INT64_TYPE__ threads) {
  return rex_tile_rows(tripcount, 32, threads);
}
static __inline__ int rex_strip_bits(__INT64_TYPE__ extent) {
  return extent >= 16 ? 4 : extent >= 8 ? 3 : extent >= 4 ? 2 : extent >= 2 ? 1 : 0;
}
static __inline__ __INT64_TYPE__ rex_strips(__INT64_TYPE__ extent) {
  return rex_ceiling(extent, (__INT64_TYPE__)1 << rex_strip_bits(extent));
}
REX_ASKED __UINT64_TYPE__ rex_strip_tiling(__INT64_TYPE__ tripcount, __INT64_TYPE__ others, __INT64_TYPE__ tiled,
                                                   __INT64_TYPE__ fastest, __INT64_TYPE__ threads) {
  const int rows = rex_strip_rows(tripcount, threads);
  if (tripcount <= 0) return (__UINT64_TYPE__)rows;
  const __UINT64_TYPE__ wide = (__UINT64_TYPE__)rex_strips(fastest) << rex_strip_bits(fastest);
  return (__UINT64_TYPE__)others * (__UINT64_TYPE__)rex_ceiling(tiled, rows) * wide << 3 | (__UINT64_TYPE__)rows;
}

// Teams when the user named none (4, 7, 11). A trip count of __INT64_MAX__ is one that is not known.
REX_ASKED int rex_default_blocks(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  if (tripcount <= 0) return 1;
  if (tripcount == __INT64_MAX__) return (int)rex_limit_teams(rex_enough_blocks(state));
  if (state->kind != REX_ON_GPU) return (int)rex_min(tripcount, rex_units(state));
  return (int)rex_min(rex_ceiling(tripcount, threads), __INT32_MAX__);
}

// Teams of a loop that they take by chunks: one for each, and one at least, for libomptarget would choose for none.
static __inline__ int rex_blocks_of_chunks(__INT64_TYPE__ tripcount, __INT64_TYPE__ chunk) {
  return (int)rex_limit_teams(rex_min(rex_max(rex_ceiling(tripcount, rex_max(chunk, 1)), 1), __INT32_MAX__));
}

// The same for a loop in tiles (5, 13).
REX_ASKED int rex_tiled_blocks(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads, int tile) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  int blocks = rex_default_blocks(device, tripcount, threads), tiled = (int)rex_ceiling(blocks, tile);
  if (state->kind != REX_ON_GPU) return blocks;
  if (tile >= REX_JAMMED) {
    const __INT64_TYPE__ wanted = (__INT64_TYPE__)rex_units(state) * REX_THREADS_OF_TILES;
    return (__INT64_TYPE__)tiled * threads < wanted ? blocks : tiled;
  }
  __INT64_TYPE__ full = (__INT64_TYPE__)rex_units(state) * (REX_BLOCKS_OF_A_UNIT * 256 / (__INT64_TYPE__)rex_max(threads, 1));
  return (int)rex_max(tiled, rex_min(blocks, rex_max(full, 1)));
}

// The same for a nest in tiles of rows or strips, whose tiles have no part that does nothing (5, 13).
REX_ASKED int rex_nest_blocks(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads, int tile) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  if (state->kind != REX_ON_GPU || tile != REX_ROWS) return rex_tiled_blocks(device, tripcount, threads, tile);
  const int blocks = rex_default_blocks(device, tripcount, threads);
  const __INT64_TYPE__ enough = rex_units(state) * (REX_BLOCKS_OF_ROWS * 256 / rex_max(threads, 1));
  return (int)rex_max(rex_ceiling(blocks, tile), rex_min(blocks, rex_max(enough, 1)));
}

// Blocks of a kernel for which a multiprocessor has room at once, of those that fill one (6).
static __inline__ __INT64_TYPE__ rex_blocks_at_once(const void *kernel, int threads) {
  const struct rex_kernel *room = (const struct rex_kernel *)kernel;
  if (room->warps == 0) return REX_BLOCKS_OF_A_UNIT;
  const __INT64_TYPE__ fit = rex_min(room->warps / rex_max(rex_ceiling(threads, REX_WARP), 1), room->blocks);
  return rex_max(rex_min(fit, REX_BLOCKS_OF_A_UNIT), 1);
}

// The same for a kernel that reduces (6). Where threads would have fewer than `least` iterations, there are few blocks.
REX_ASKED int rex_default_blocks_reduction(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads, const void *kernel,
                                           int least) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const __INT64_TYPE__ blocks = rex_min(rex_default_blocks(device, tripcount, threads), rex_enough_blocks(state));
  if (state->kind != REX_ON_GPU) return (int)rex_limit_teams(blocks);
  const __INT64_TYPE__ few = (__INT64_TYPE__)rex_units(state) * REX_JOINED_OF_A_UNIT;
  const __INT64_TYPE__ worth = rex_ceiling(tripcount, least * (__INT64_TYPE__)rex_max(threads, 1));
  const __INT64_TYPE__ room = rex_units(state) * rex_blocks_at_once(kernel, threads);
  return (int)rex_limit_teams(rex_min(rex_min(blocks, room), rex_max(few, worth)));
}

// The same for a kernel whose blocks have sums of their own, to which an iteration adds so many times (18).
REX_ASKED int rex_blocks_with_bins(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads, int additions) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  const int blocks = (int)rex_limit_teams(rex_min(rex_default_blocks(device, tripcount, threads), rex_enough_blocks(state)));
  const int least = rex_max(REX_BINS_LEAST / rex_max(additions, 1), 1);
  const __INT64_TYPE__ busy = tripcount / (least * (__INT64_TYPE__)rex_max(threads, 1));
  return state->kind == REX_ON_GPU && busy >= rex_units(state) ? (int)rex_min(blocks, busy) : blocks;
}

// Chunks of a loop with prefix sums, one at least: each has so many iterations of every thread (rex_device_scans.h).
#define REX_SCAN_PARTS_OF_CHUNK 8
static __inline__ __INT64_TYPE__ rex_scan_chunks(__INT64_TYPE__ tripcount, __INT64_TYPE__ threads) {
  return rex_max(rex_ceiling(tripcount, threads * REX_SCAN_PARTS_OF_CHUNK), 1);
}

// Threads and teams of such a loop (6). On the CPU device one team has all of it.
REX_ASKED int rex_scan_threads(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int limit) {
  if (rex_offload_ready_state()->kind != REX_ON_GPU) return rex_threads_of_one_team(device, tripcount, limit);
  return rex_default_warps(device, tripcount, limit);
}
REX_ASKED int rex_scan_blocks(__INT64_TYPE__ device, __INT64_TYPE__ tripcount, int threads) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  if (state->kind != REX_ON_GPU) return 1;
  return (int)rex_limit_teams(rex_min(rex_scan_chunks(tripcount, threads), rex_max(rex_enough_blocks(state), 1)));
}

// Teams of a `target teams` region without a distributed loop and without num_teams.
REX_ASKED int rex_default_teams(__INT64_TYPE__ device) {
  const struct rex_offload_state *state = rex_offload_ready_state();
  (void)device;
  return state->most_teams > 0 ? state->most_teams : rex_units(state);
}

#ifdef __cplusplus
}
#endif

#endif
