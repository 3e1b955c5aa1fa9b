// SPDX-License-Identifier: Apache-2.0
/* The rules of rex_geometry.h as a table: for a machine and a trip count the threads and blocks of each kind of loop, with
   the rules that decide. C99 and C++11. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

/* instead of register_cubin.cpp */
struct rex_offload_state rex_offload;
static int registrations;
void rex_offload_wait(void) {
  registrations++;
  rex_offload.registration = 2;
}

enum { EACH, TILED, REDUCES, BY_TEAM };
static const struct row {
  int kind, units, limit, loop;
  int64_t tripcount;
  int threads, blocks;
  const char *rules;
} rows[] = {
    {REX_ON_GPU, 132, 256, EACH, 1 << 26, 256, 1 << 18, "1 4"},
    {REX_ON_GPU, 132, 128, EACH, 1 << 26, 128, 1 << 19, "1 4"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 256, 256, 132, "1 4"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 256 + 1, 64, 529, "3: an even share of one block and a bit"},
    {REX_ON_GPU, 132, 256, EACH, 73728, 128, 576, "3: five blocks, not three of twice their width"},
    {REX_ON_GPU, 132, 128, EACH, 73728, 128, 576, "3: too little would be won"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 256 * 2, 256, 264, "1 4: even as it is"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 256 * 8 + 1, 256, 1057, "1 4: many blocks"},
    {REX_ON_GPU, 132, 96, EACH, 132 * 96 + 1, 96, 133, "1 4: a half that is no whole number of warps"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 128, 128, 132, "3: as many blocks as multiprocessors"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 128 + 1, 64, 265, "3: whole warps, an even share"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 33, 32, 137, "3: rather more blocks than wide ones"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 32, 32, 132, "3"},
    {REX_ON_GPU, 132, 256, EACH, 16384, 128, 128, "3: one block of four warps, not one or two of three"},
    {REX_ON_GPU, 132, 256, EACH, 132 * 96 + 32, 128, 100, "3: the same where one multiprocessor would get two blocks"},
    {REX_ON_GPU, 132, 128, EACH, 132 * 96, 96, 132, "3: an even share"},
    {REX_ON_GPU, 132, 256, EACH, 1000, 8, 125, "3: a part of a warp"},
    {REX_ON_GPU, 132, 256, EACH, 33, 1, 33, "3"},
    {REX_ON_GPU, 1, 256, EACH, 33, 32, 2, "2 3: whole warps"},
    {REX_ON_GPU, 1, 256, EACH, 255, 256, 1, "2 3: whole warps, in one block"},
    {REX_ON_GPU, 1, 256, EACH, 257, 64, 5, "3: an even share"},
    {REX_ON_GPU, 1, 50, EACH, 64, 50, 2, "2: a limit that is no whole number of warps"},
    {REX_ON_GPU, 1, 1, EACH, 1000, 1, 1000, "2"},
    {REX_ON_GPU, 132, 256, EACH, 1, 1, 1, "2"},
    {REX_ON_GPU, 132, 256, EACH, 0, 1, 1, "2: an empty loop is launched all the same"},
    {REX_ON_GPU, 132, 256, EACH, -5, 1, 1, "2"},
    {REX_ON_GPU, 132, 32, EACH, INT64_MAX - 1, 32, INT32_MAX, "4: no more than a grid can have"},
    {REX_ON_GPU, 132, 256, EACH, INT64_MAX, 256, 132 * 8, "7"},
    {REX_ON_GPU, 132, 256, TILED, 1 << 26, 256, 1 << 16, "5: a quarter"},
    {REX_ON_GPU, 132, 256, TILED, (1 << 26) + 1, 256, (1 << 16) + 1, "5"},
    {REX_ON_GPU, 132, 256, TILED, 132 * 8 * 256 * 4, 256, 132 * 8, "5: what fills the GPU"},
    {REX_ON_GPU, 132, 256, TILED, 132 * 8 * 256 * 2, 256, 132 * 8, "5: two iterations for a thread, none idle"},
    {REX_ON_GPU, 132, 256, TILED, 132 * 8 * 256, 256, 132 * 8, "5: one for a thread"},
    {REX_ON_GPU, 132, 256, TILED, 100000, 256, 391, "5: one for a thread"},
    {REX_ON_GPU, 132, 256, TILED, 1000, 8, 125, "3 5"},
    {REX_ON_GPU, 132, 128, TILED, 132 * 16 * 128 * 2, 128, 132 * 16, "1 5: more blocks where they are narrower"},
    {REX_ON_GPU, 132, 256, TILED, 0, 1, 1, "5"},
    {REX_ON_GPU, 132, 256, TILED, INT64_MAX, 256, 132 * 8, "7"},
    {REX_ON_GPU, 132, 256, REDUCES, 1 << 30, 256, 132 * 8, "6"},
    {REX_ON_GPU, 132, 256, REDUCES, 132 * 512, 256, 264, "6"},
    {REX_ON_GPU, 132, 256, REDUCES, 1000, 32, 32, "3: down to one warp"},
    {REX_ON_GPU, 132, 256, REDUCES, 132 * 128 + 1, 160, 106, "3: whole warps"},
    {REX_ON_GPU, 1, 256, REDUCES, 33, 64, 1, "2: no more than iterations, in whole warps"},
    {REX_ON_GPU, 132, 256, REDUCES, 0, 32, 1, "2"},
    {REX_ON_GPU, 132, 256, BY_TEAM, 270000, 256, 270000, "8"},
    {REX_ON_GPU, 132, 256, BY_TEAM, 3, 1, 3, "8"},
    {REX_ON_GPU, 132, 256, BY_TEAM, INT64_MAX, 256, 132 * 8, "7 8"},
    {REX_ON_CPU_DEVICE, 8, 256, EACH, 1000000, 1, 8, "11"},
    {REX_ON_CPU_DEVICE, 8, 256, EACH, 3, 1, 3, "11"},
    {REX_ON_CPU_DEVICE, 8, 256, EACH, INT64_MAX, 1, 8, "7 11"},
    {REX_ON_CPU_DEVICE, 8, 256, TILED, 1000000, 1, 8, "11"},
    {REX_ON_CPU_DEVICE, 8, 256, REDUCES, 1000000, 1, 8, "11"},
    {REX_ON_CPU_DEVICE, 8, 256, BY_TEAM, 1000000, 1, 32, "11"},
};

/* Kernels of which a multiprocessor has room for an unknown number of warps, for 64, for 24 and 5 blocks, and for 5. */
static struct rex_kernel unknown, light = {64, 13}, heavy = {24, 13}, wide = {64, 5}, huge = {5, 1};

static int blocks_of(const struct row *row, int threads) {
  if (row->loop == TILED) return rex_tiled_blocks(-1, row->tripcount, threads, 4);
  if (row->loop == REDUCES) return rex_default_blocks_reduction(-1, row->tripcount, threads, &unknown, 1);
  if (row->loop == BY_TEAM) return rex_team_per_iteration(-1, row->tripcount);
  return rex_default_blocks(-1, row->tripcount, threads);
}

static int failures;
static void expect(int found, int wanted, const char *what) {
  if (found != wanted) printf("%s: %d, not %d\n", what, found, wanted), failures++;
}

// Of few teams of 8 multiprocessors: those of kernels with one form and with two, and what the launch relies on.
static int few(__INT64_TYPE__ tripcount, __INT64_TYPE__ teams) {
  return rex_threads_of_few_teams(-1, tripcount, teams, 256, 1024, 2048);
}
static int few_of_two(__INT64_TYPE__ tripcount, __INT64_TYPE__ teams, int limit, int most) {
  return rex_threads_of_few_teams(-1, tripcount, teams, limit, most, 1024);
}
static int of_iterations(__INT64_TYPE__ tripcount, int threads, int light) {
  return rex_teams_of_iterations(-1, tripcount, threads, light);
}
// Teams of so many lanes: the blocks that have several of them, and the threads of these.
static int several(int teams, int lanes, int exact) {
  const int threads = rex_threads_of_several_teams(-1, &teams, lanes, exact);
  return teams * 10000 + threads;
}
static int of_lanes(__INT64_TYPE__ tripcount, int lanes, int light) {
  return rex_teams_of_lanes(-1, tripcount, lanes, light);
}
static void expect_teams_of_lanes(void) {
  const struct rex_offload_state before = rex_offload;
  expect(of_lanes(100, 32, 0) + of_lanes(0, 32, 0) + of_lanes(-1, 32, 1), 100 + 1 + 1, "22");
  expect(of_lanes(1 << 20, 32, 0) + of_lanes(1 << 20, 32, 1), 8 * 64 * 4 + 8 * 64 * 2, "17 22: by what the GPU holds");
  expect(of_lanes(1 << 20, 8, 0) + of_lanes(INT64_MAX, 32, 0), 8 * 256 * 4 + 8 * 64, "17 22");
  expect(several(2048, 32, 0) + several(2045, 32, 0), 256 * 10000 + 256 + 256 * 10000 + 256, "22: eight teams of a warp");
  expect(several(255, 32, 0) + several(128, 32, 0), 64 * 10000 + 128 + 32 * 10000 + 128, "22: four blocks each");
  expect(several(31, 32, 0) + several(0, 32, 0), 31 * 10000 + 32 + 32, "22: few teams are blocks");
  expect(several(2048, 32, 1) + several(2044, 32, 1), 256 * 10000 + 256 + 511 * 10000 + 128, "22: as many as asked for");
  expect(several(2047, 32, 1) + several(4096, 8, 0), 2047 * 10000 + 32 + 128 * 10000 + 256, "22");
  rex_offload.most_teams = 2042;
  expect(of_lanes(1 << 20, 32, 0) + several(2042, 32, 0), 2042 + 1021 * 10000 + 64, "4 22: of the run");
  rex_offload.most_teams = 0, rex_offload.most_threads = 64;
  expect(several(2048, 32, 0), 1024 * 10000 + 64, "4 22");
  rex_offload = before, rex_offload.kind = REX_ON_CPU_DEVICE;
  expect(of_lanes(1 << 20, 32, 0) - of_iterations(1 << 20, 32, 0), 0, "11 22");
  expect(several(2048, 32, 0), 2048 * 10000 + 32, "11 22");
  rex_offload = before;
}
static int few_iterations(__INT64_TYPE__ teams, __INT64_TYPE__ each) {
  const int threads = rex_light_threads(-1, teams, each, rex_limit_of_few_iterations(teams, each, 256, 1024, 2048));
  expect(threads <= 256 || rex_teams_of_iterations(-1, teams, threads, 1) == teams, 1, "10 21");
  return threads;
}
static void expect_few_iterations(void) {
  expect(few_iterations(8, 1 << 20) + few_iterations(9, 1 << 20) + few_iterations(16, 1 << 20), 3072, "21: all at once");
  expect(few_iterations(17, 1 << 20) + few_iterations(4096, 1 << 20), 256 + 256, "21: teams fill the GPU");
  expect(few_iterations(8, 16 * 1024 - 1) + few_iterations(8, 16 * 1024), 256 + 1024, "21: enough for each thread");
  expect(few_iterations(1, 100), 128, "21: whole warps");
  expect(few_iterations(0, 1 << 20) + few_iterations(INT64_MAX, 1 << 20) + few_iterations(8, 0), 256 + 256 + 32, "21");
}
static void expect_few_teams(void) {
  expect(few(1 << 20, 8) + few(1 << 20, 16) + few(1 << 20, 17), 1024 + 1024 + 512, "21: all blocks at once");
  expect(few(1 << 20, 32) + few(1 << 20, 33) + few(1 << 20, 4096), 512 + 256 + 256, "21: all blocks at once");
  expect(few(8 * 256, 8) + few(8 * 256 + 1, 8) + few(8 * 512 + 1, 8), 256 + 288 + 544, "21: no more than iterations");
  expect(few(40, 8) + few(0, 8) + few(-5, 1) + few(INT64_MAX, 1), 5 + 1 + 1 + 1024, "3 7 21");
  expect(few(1 << 20, 0) + few(1 << 20, -3) + few(INT64_MAX, INT64_MAX), 256 + 256 + 1, "21: no teams, or many");
  expect(few_of_two(1 << 20, 8, 256, 1024) + few_of_two(1 << 20, 9, 256, 1024), 1024 + 512, "21: twice the registers");
  expect(few_of_two(1 << 20, 16, 128, 512) + few_of_two(1 << 20, 17, 128, 512), 512 + 256, "21: narrow ones");
  expect(few_of_two(1 << 20, 33, 128, 512) + few_of_two(1 << 20, 1, 128, 512), 128 + 512, "21");
  expect(few_of_two(1 << 20, 1, 256, 256) + few_of_two(1 << 20, 1, 128, 200), 256 + 128, "21: none wider");
  expect(rex_warps_of_few_teams(-1, 1000, 3, 256, 1024, 2048), 256, "21: too few iterations to join more results");
  expect(rex_warps_of_few_teams(-1, 1000 * 16, 3, 256, 1024, 2048), 512, "21: enough for twice as many");
  expect(rex_warps_of_few_teams(-1, 16 << 20, 3, 256, 1024, 2048), 1024, "21: enough for all");
  expect(rex_warps_of_few_teams(-1, 9, 3, 256, 1024, 2048), 32, "21: whole warps");
  for (int limit = 128; limit <= 256; limit *= 2)
    for (int teams = 1; teams < 200; teams++)
      for (__INT64_TYPE__ each = 1; each < 1 << 12; each += each / 3 + 1) {
        const int threads = few_of_two(each * teams, teams, limit, 1024);
        expect(threads > 0 && threads <= 1024 && (threads <= limit || rex_is_small_grid(teams, threads)), 1, "10 21");
        expect(few(each * teams, teams) >= rex_threads_of_teams(-1, each * teams, teams, 256), 1, "21: none narrower");
      }
}

// Of reductions on 8 multiprocessors.
static int reduced(__INT64_TYPE__ tripcount, int threads, const struct rex_kernel *kernel, int least) {
  return rex_default_blocks_reduction(-1, tripcount, threads, kernel, least);
}
static void expect_reductions(void) {
  const struct rex_kernel *const kernels[] = {&unknown, &light, &heavy, &wide, &huge};
  expect(reduced(1 << 20, 256, &light, 1) + reduced(1 << 20, 256, &unknown, 1), 64 + 64, "6: what fills the GPU");
  expect(reduced(1 << 20, 256, &heavy, 1) + reduced(1 << 20, 256, &wide, 1), 8 * 3 + 8 * 5, "6: what finds room");
  expect(reduced(1 << 20, 224, &heavy, 1) + reduced(1 << 20, 128, &heavy, 1), 8 * 3 + 8 * 6, "6: narrower ones");
  expect(reduced(1 << 20, 1024, &light, 1) + reduced(1 << 20, 1024, &heavy, 1), 8 * 2 + 8, "6: wide ones");
  expect(reduced(1 << 20, 256, &huge, 1) + reduced(1 << 20, 96, &huge, 1), 8 + 8, "6: one at least");
  expect(reduced(INT64_MAX, 256, &heavy, 32) + reduced(0, 256, &heavy, 32), 8 * 3 + 1, "6 7");
  expect(reduced(5000, 256, &light, 32) + reduced(4096, 256, &light, 32), 16 + 16, "6: few blocks join several values");
  expect(reduced(20 * 256, 256, &light, 1) + reduced(3 * 256, 256, &light, 32), 20 + 3, "6: no more than iterations");
  expect(reduced(16 * 256 * 32, 256, &light, 32), 16, "6: threads with enough iterations each");
  expect(reduced(40 * 256 * 32, 256, &light, 32) + reduced(1 << 24, 256, &light, 32), 40 + 64, "6: and more");
  expect(reduced(40 * 256 * 4, 256, &light, 4) + reduced(40 * 256 * 4, 256, &heavy, 4), 40 + 24, "6: long ones");
  for (size_t kernel = 0; kernel < sizeof kernels / sizeof kernels[0]; kernel++)
    for (int threads = 32; threads <= 1024; threads += 32)
      for (int least = 1; least <= 32; least *= 2) {
        const int room = (int)rex_blocks_at_once(kernels[kernel], threads);
        int before = 1;
        for (__INT64_TYPE__ trips = 1; trips < 1 << 26; trips += trips / 3 + 1) {
          const int blocks = reduced(trips, threads, kernels[kernel], least);
          expect(blocks >= before && blocks <= 8 * room && blocks <= 64, 1, "6: never more than find room, nor fewer for more");
          expect(blocks <= rex_ceiling(trips, threads), 1, "6: no block without iterations");
          expect(blocks <= 16 || (blocks - 1) * least <= trips / threads, 1, "6: more than few have enough iterations");
          expect(blocks >= rex_min(rex_min(rex_ceiling(trips, threads), 16), 8 * room), 1, "6: few at least");
          before = blocks;
        }
      }
}

int main(void) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    rex_offload.kind = rows[i].kind;
    rex_offload.units = rows[i].units;
    int threads = rows[i].loop == REDUCES ? rex_default_warps(-1, rows[i].tripcount, rows[i].limit)
                                          : rex_default_threads(-1, rows[i].tripcount, rows[i].limit);
    expect(threads, rows[i].threads, rows[i].rules);
    expect(blocks_of(&rows[i], threads), rows[i].blocks, rows[i].rules);
  }
  expect(registrations, 1, "the first question registers");
  rex_offload.kind = REX_ON_GPU;
  expect(rex_parallel_threads(-1, 33, 256), 64, "2: one team has the whole loop");
  expect(rex_threads_of_one_team(-1, 1000, 256) + rex_threads_of_one_team(-1, 33, 256), 320, "1 2");
  expect(rex_parallel_threads(-1, 1000, 256) + rex_team_threads(-1, 256), 512, "1");
  expect(rex_threads_of_teams(-1, 1000, 4, 256), 256, "3: teams of the program's have a thread for each iteration");
  expect(rex_threads_of_teams(-1, 1000, 8, 256), 128, "3: or as many whole warps as they need");
  expect(rex_threads_of_teams(-1, 1000, 3, 256) + rex_threads_of_teams(-1, 1000, 4000, 256), 256 + 1, "1 2 3");
  expect(rex_threads_of_teams(-1, INT64_MAX, 7, 128) + rex_threads_of_teams(-1, 0, 0, 256), 128 + 1, "1 2 7");
  expect(rex_warps_of_teams(-1, 1000, 4000, 256) + rex_warps_of_teams(-1, 1000, 8, 256), 32 + 128, "3: whole warps");
  expect(rex_used_threads(-1, 1016, 1016, 1024), 1, "3: the program's threads, but no idle ones");
  expect(rex_used_threads(-1, 1016, 100, 1024) + rex_used_threads(-1, 1016, 20, 1024), 11 + 64, "3");
  expect(rex_needed_threads(16, 1024) + rex_needed_threads(0, 1024) + rex_needed_threads(33, 50), 32 + 32 + 50, "15");
  const __INT64_TYPE__ least = -__INT64_MAX__ - 1;
  expect(rex_safe_quotient(7, 2) + rex_safe_quotient(-7, 2) + rex_safe_quotient(7, 0) + rex_safe_quotient(9, -1), -9, "15");
  expect(rex_safe_quotient(least, -1) == least, 1, "15");
  expect(rex_safe_remainder(7, 4) + rex_safe_remainder(-7, 4) + rex_safe_remainder(7, 0) + rex_safe_remainder(least, -1), 0,
         "15");
  expect(rex_needed_threads(300, 256) + rex_needed_threads(300, 1024) + rex_needed_threads(9, 0), 256 + 320 + 0, "15");
  expect(rex_used_threads(-1, 1 << 20, 100, 96) + rex_used_threads(-1, 9, 3, 0), 96 + 0, "3");
  expect(rex_light_threads(-1, 1 << 20, 256, 256) + rex_light_threads(-1, 1 << 20, 512, 256), 64 + 128, "12: a quarter");
  expect(rex_light_threads(-1, 1 << 20, 4096, 256) + rex_light_threads(-1, 1 << 20, 128, 256), 256 + 128, "12: two warps");
  expect(rex_light_threads(-1, 1 << 20, 300, 256), 256, "12: a quarter of them has three iterations");
  expect(rex_light_threads(-1, 256, 256, 256) + rex_light_threads(-1, 255, 256, 256), 64 + 256, "12: what fills the GPU");
  expect(rex_light_threads(-1, INT64_MAX, 0, 256) + rex_light_threads(-1, 0, 512, 256), 32 + 256, "12");
  expect(rex_threads_of_many_teams(-1, 512, 256) + rex_threads_of_many_teams(-1, 511, 256), 64 + 128, "16");
  expect(rex_threads_of_many_teams(-1, 256, 256) + rex_threads_of_many_teams(-1, 255, 256), 128 + 256, "16");
  expect(rex_threads_of_many_teams(-1, 0, 256) + rex_threads_of_many_teams(-1, INT64_MAX, 256), 256 + 256, "16 7");
  expect(rex_threads_of_many_teams(-1, 1 << 20, 100) + rex_threads_of_many_teams(-1, 1 << 20, 32), 100 + 32, "16");
  expect(rex_threads_of_steps(-1, 1 << 20, 25, 600, 256) + rex_threads_of_steps(-1, 1 << 20, 33, 0, 256), 32 + 64, "23");
  expect(rex_threads_of_steps(-1, 64, 1, 1, 256) + rex_threads_of_steps(-1, 65, 1, 1, 256), 256 + 128, "23: more than fit");
  expect(rex_threads_of_steps(-1, 129, 1, 1, 256) + rex_threads_of_steps(-1, 257, 1, 1, 256), 64 + 32, "23: more than fit");
  expect(rex_threads_of_steps(-1, 1 << 20, 9, 2049, 256) + rex_threads_of_steps(-1, 1 << 20, 9, 9000, 256), 128 + 256, "23: once");
  expect(rex_threads_of_steps(-1, 1 << 20, 129, 0, 256) + rex_threads_of_steps(-1, INT64_MAX, 9, 9, 256), 256 + 256, "23");
  expect(rex_threads_of_steps(-1, 1 << 20, 9, 9, 32) + rex_threads_of_steps(-1, 0, 9, 9, 96), 32 + 96, "23");
  expect(of_iterations(1024, 64, 0) + of_iterations(1 << 20, 64, 0) + of_iterations(1 << 20, 32, 0), 3 * 1024, "17: four times");
  expect(of_iterations(1 << 20, 128, 0) + of_iterations(1 << 20, 256, 0) + of_iterations(500, 256, 0), 1024 + 512 + 500, "17: eight");
  expect(of_iterations(1 << 20, 32, 1) + of_iterations(1 << 20, 64, 1) + of_iterations(1 << 20, 256, 1), 512 + 512 + 128, "17: twice");
  expect(of_iterations(1 << 20, 1024, 0) + of_iterations(1 << 20, 4096, 0) + of_iterations(1 << 20, 0, 0), 128 + 64 + 1024, "17");
  expect(of_iterations(0, 64, 0) + of_iterations(-3, 256, 1) + of_iterations(INT64_MAX, 64, 0), 1 + 1 + 64, "17 7");
  expect(rex_default_teams(-1), 8, "a team for each multiprocessor");
  expect(rex_tiled_blocks(-1, 1 << 20, 1000, 1), 1049, "4: threads of the user's, no tile");
  expect(rex_tiled_blocks(-1, 1 << 20, 256, 8), 512, "13: the tiles' grid");
  expect(rex_tiled_blocks(-1, 8 * 1536, 256, 8) + rex_tiled_blocks(-1, 8192, 256, 8), 6 + 32, "13: few tiles");
  expect(rex_nest_blocks(-1, 1 << 20, 256, 4) + rex_nest_blocks(-1, 20000, 256, 4), 1024 + 32, "5: a tile each, enough blocks");
  expect(rex_nest_blocks(-1, 3000, 96, 4) + rex_nest_blocks(-1, 1 << 20, 1024, 4), 32 + 256, "5: no more than iterations");
  expect(rex_nest_blocks(-1, 1 << 20, 256, 1) + rex_nest_blocks(-1, 1 << 20, 256, 8), 4096 + 512, "4 13: other tiles");
  expect(rex_nest_blocks(-1, INT64_MAX, 256, 4) + rex_nest_blocks(-1, 0, 256, 4), 32 + 1, "5 7");
  expect(rex_tile_rows(8193, 32, 8192) + rex_tile_rows(8192, 32, 8192) + rex_tile_rows(1 << 20, 31, 8192), 4 + 1 + 1, "5");
  expect(rex_strip_bits(0) + rex_strip_bits(1) + rex_strip_bits(3) + rex_strip_bits(15) + rex_strip_bits(99), 0 + 0 + 1 + 3 + 4, "5");
  expect((int)rex_strips(33) + (int)rex_strips(32) + (int)rex_strips(15) + (int)rex_strips(1), 3 + 2 + 2 + 1, "5: strips of a row");
  expect((int)rex_tiling(9 * 1000, 9, 1000, 256), 3000 << 3 | 4, "5: tiles and their rows");
  expect((int)rex_tiling(9 * 31, 9, 31, 256) + (int)rex_tiling(0, -3, 1000, 256), (9 * 31 << 3 | 1) + 1, "5: single iterations, none");
  expect((int)rex_strip_tiling(2 * 9 * 33, 2, 9, 33, 64), 2 * 3 * 48 << 3 | 4, "5: tiles in strips, the last one as wide");
  expect(rex_tiling(1ll << 40, 1 << 20, 1 << 20, 256) == (1ull << 41 | 4), 1, "5: many tiles");
  expect(rex_group_width(-1, 1 << 20, 1000, 256), 256, "9: a block");
  expect(rex_group_width(-1, 1 << 20, 100, 256), 64, "9: a quarter is idle");
  expect(rex_group_width(-1, 1 << 20, 33, 256) + rex_group_width(-1, 1 << 20, 1, 256), 8 + 1, "9: few iterations");
  expect(rex_group_width(-1, 1 << 20, 0, 256) + rex_group_width(-1, 0, 64, 256), 1 + 64, "9: no iterations");
  expect(rex_group_width(-1, 4, 1 << 30, 256), 4096, "9: few groups"); // 8 multiprocessors have 16384 threads
  expect(rex_group_width(-1, 1, 1 << 30, 256), 16384, "9: one group");
  expect(rex_group_width(-1, INT64_MAX, REX_WARP, 256), 32, "9: counts that are not known");
  expect(rex_group_width(-1, 1 << 20, rex_folded(63), 256) + rex_group_width(-1, 4, rex_folded(0), 256), 2, "19: short");
  expect(rex_group_width(-1, 1, rex_folded(64), 256) + rex_group_width(-1, 4, rex_folded(1 << 30), 32), 64, "19: warps");
  expect(rex_is_small_grid(8, 1024) + rex_is_small_grid(32, 256) + rex_is_small_grid(0, 0), 3, "10");
  expect(rex_is_small_grid(9, 1024) + rex_is_small_grid(33, 256) + rex_is_small_grid(INT32_MAX, 1024), 0, "10");
  const int wanted[][2] = {{8 * 2048 - 1, 64}, {8 * 2048, 8}, {50 * 2048, 50}, {64 * 2048, 64}, {1 << 30, 64}}; // 8 units
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    expect(rex_blocks_with_bins(-1, wanted[i][0], 256, 1), wanted[i][1], "6 18");
  expect(rex_blocks_with_bins(-1, INT64_MAX, 256, 1) + rex_blocks_with_bins(-1, 0, 32, 8), 64 + 1, "7 18");
  expect(rex_blocks_with_bins(-1, 16 * 256, 256, 8) + rex_blocks_with_bins(-1, 16 * 512, 256, 4), 16 + 16, "18: loops");
  expect(rex_is_wide(1 << 30) + rex_is_wide(-1), 0, "14");
  expect(rex_may_come_around(1 << 30, 1) + rex_may_come_around(0, 256) + rex_may_come_around(-1, 32), 0, "20");
  expect(rex_may_come_around((1 << 30) + 1, 256) + rex_may_come_around(8, 257) + rex_may_come_around(8, 1025), 3, "20");
  expect(rex_may_come_around(8, 0) + rex_may_come_around(8, -1) + rex_may_come_around(INT64_MAX, 64), 3, "20");
  expect(rex_is_wide((1 << 30) + 1) + rex_is_wide(1ll << 32) + rex_is_wide(INT64_MAX), 3, "14");
  expect_teams_of_lanes();
  expect_few_teams();
  expect_few_iterations();
  expect_reductions();
  rex_offload.most_teams = 5, rex_offload.most_threads = 64;
  expect(few(1 << 20, 8) + few_of_two(1 << 20, 8, 256, 1024) + few(9, 9), 64 + 64 + 1, "4 21");
  expect(rex_default_teams(-1) + (int)rex_limit_teams(4), 5 + 4, "4: OMP_NUM_TEAMS");
  expect(rex_team_per_iteration(-1, 100) + rex_team_per_iteration(-1, 3), 5 + 3, "4 8");
  expect(rex_default_blocks(-1, INT64_MAX, 256) + rex_default_blocks(-1, 1 << 20, 256), 5 + 4096, "4 7");
  expect(rex_default_blocks_reduction(-1, 1 << 20, 256, &light, 1) + rex_blocks_of_chunks(100, 3), 5 + 5, "4 6");
  expect(rex_team_threads(-1, 256) + rex_parallel_threads(-1, 1000, 256), 64 + 64, "4: OMP_TEAMS_THREAD_LIMIT");
  expect(rex_light_threads(-1, 1 << 20, 256, 256) + rex_parallel_threads(-1, 20, 256), 64 + 32, "4 12");
  rex_offload.kind = REX_ON_CPU_DEVICE;
  rex_offload.most_threads = 2;
  expect(rex_default_teams(-1) + rex_team_threads(-1, 256) + rex_parallel_threads(-1, 9, 256), 5 + 2 + 2, "4 11");
  rex_offload.most_teams = 0, rex_offload.most_threads = 0;
  expect(rex_is_small_grid(1, 1), 0, "10 11");
  expect(rex_nest_blocks(-1, 1 << 20, 1, 4) + rex_tile_rows(1 << 20, 64, 8), 8 + 1, "5 11");
  expect(rex_parallel_threads(-1, 33, 256) + rex_parallel_threads(-1, 3, 256) + rex_parallel_threads(-1, 0, 256), 12, "11");
  expect(rex_team_threads(-1, 256) + rex_team_threads(-1, 4), 12, "11");
  expect(rex_light_threads(-1, 1 << 20, 256, 256) + rex_threads_of_many_teams(-1, 1 << 20, 256), 8 + 8, "11");
  expect(rex_threads_of_steps(-1, 1 << 20, 9, 9, 8), 8, "11");
  expect(of_iterations(1 << 20, 8, 1) - rex_team_per_iteration(-1, 1 << 20), 0, "11");
  expect(rex_threads_of_teams(-1, 1000, 4, 256) + rex_used_threads(-1, 10, 4, 256), 1 + 256, "11");
  expect(rex_threads_of_one_team(-1, 1000, 256) + rex_group_width(-1, 100, 100, 256), 2, "11");
  expect(few(1 << 20, 1) + few(0, 0) + rex_warps_of_few_teams(-1, 1 << 20, 1, 256, 1024, 2048), 3, "11 21");
  expect(rex_limit_of_few_iterations(1, 1 << 20, 256, 1024, 2048), 256, "11 21");
  printf("%d failures\n", failures);
  return failures != 0;
}
