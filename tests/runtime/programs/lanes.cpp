// SPDX-License-Identifier: Apache-2.0
//
// Teams that are so many lanes of a warp: their numbers, barriers, loops and reductions, in blocks of one team and more.
#include "shown_lanes.h"

#include <stdio.h>

#include <vector>

struct results {
  std::vector<long long> sums, firsts, counts, meets;
  long long total;
  double most;
  int teams;
};

// What a kernel's text looks like: it says block where it means team.
template <int width> static void kernel(int n, const int *start, const int *value, rex_partials *partials, results &r,
                                        std::vector<std::vector<int>> &room) {
  REX_TEAMS_OF_LANES(width)
  long long total = 0;
  double most = 0;
  r.teams = omp_get_num_teams();
  for (long long i = blockIdx.x; i < n; i += gridDim.x) {
    long long sum = i;
    double largest = -1;
    {
      long long *original = &sum;
      long long sum = rex_identity_add<long long>();
      double *greatest = &largest;
      double largest = rex_identity_max<double>();
      rex_each(start[i] + (long long)threadIdx.x, start[i + 1], [&](long long k) {
        sum += value[k];
        largest = value[k] > largest ? value[k] : largest;
      });
      rex_reduce_for_all(rex_into_add(original, sum), rex_into_max(greatest, largest));
    }
    std::vector<int> &own = room[(size_t)omp_get_team_num()];
    own[threadIdx.x] = (int)(sum % 1000) + (int)threadIdx.x; // every thread has the sum
    __syncthreads();
    long long met = 0;
    for (unsigned t = 0; t < blockDim.x; t++) met += own[(threadIdx.x + t) % blockDim.x];
    __syncthreads();
    rex_reduce_add(&r.meets[(size_t)i], met);
    if (threadIdx.x == 0) {
      r.sums[(size_t)i] = sum;
      r.firsts[(size_t)i] = omp_get_team_num();
    }
    total += sum;
    most = largest > most ? largest : most;
    rex_each_of_neighbours<2, width>(
        threadIdx.x, start[i + 1] - start[i], [](long long) { return false; },
        [&](long long, auto) { __atomic_add_fetch(&r.counts[(size_t)i], 1, __ATOMIC_RELAXED); });
  }
  rex_reduce_blocks(partials, rex_into_add(&r.total, total), rex_into_max(&r.most, most));
}

static int failures;
static void expect(bool good, const char *what, int width, int blocks, int several, int n) {
  if (good) return;
  printf("%s: %d lanes, %d blocks of %d teams, %d iterations\n", what, width, blocks, several, n);
  failures++;
}

template <int width> static void check(int blocks, int several, int n) {
  std::vector<int> start(1, 0), value;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i * 37 % 101; k++) value.push_back((i * 31 + k * 7) % 997);
    start.push_back((int)value.size());
  }
  std::vector<rex_partials> memory(200);
  const int teams = blocks * several;
  const size_t rows = (size_t)n;
  results r = {std::vector<long long>(rows), std::vector<long long>(rows), std::vector<long long>(rows),
               std::vector<long long>(rows), 5, 7, 0};
  std::vector<std::vector<int>> room((size_t)teams, std::vector<int>((size_t)width));
  rex_geometry geometry = {blocks, several * width};
  rex_run_teams_synchronised(&geometry,
                             [&] { kernel<width>(n, start.data(), value.data(), memory.data(), r, room); });
  long long total = 5;
  double most = 7;
  bool same = true, by_teams = true, meet = true, all = true;
  for (int i = 0; i < n; i++) {
    long long sum = i;
    for (int k = start[(size_t)i]; k < start[(size_t)i + 1]; k++) {
      sum += value[(size_t)k];
      most = value[(size_t)k] > most ? value[(size_t)k] : most;
    }
    total += sum;
    same = same && r.sums[(size_t)i] == sum;
    by_teams = by_teams && r.firsts[(size_t)i] == i % teams;
    meet = meet && r.meets[(size_t)i] == width * (width * (sum % 1000) + width * (width - 1) / 2);
    all = all && r.counts[(size_t)i] == start[(size_t)i + 1] - start[(size_t)i];
  }
  expect(same, "sums", width, blocks, several, n);
  expect(by_teams && r.teams == teams, "teams", width, blocks, several, n);
  expect(meet, "barriers", width, blocks, several, n);
  expect(all, "neighbours", width, blocks, several, n);
  expect(r.total == total && r.most == most && memory[0].arrived == 0, "all teams", width, blocks, several, n);
}

// Teams that share rows: two in a block of two warps where rows are short.
static void rows_kernel(int n, const int *start, const int *value, rex_partials *partials, results &r,
                        std::vector<std::vector<int>> &room) {
  REX_TEAMS_OF_ROWS(start, n)
  long long total = 0;
  double most = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) r.teams = (int)(gridDim.x * 1000 + blockDim.x);
  for (long long i = blockIdx.x; i < n; i += gridDim.x) {
    long long sum = i;
    {
      long long *original = &sum;
      long long sum = rex_identity_add<long long>();
      for (long long k = start[i] + (long long)threadIdx.x; k < start[i + 1]; k += blockDim.x) sum += value[k];
      rex_reduce_for_all(rex_into_add(original, sum));
    }
    std::vector<int> &own = room[blockIdx.x];
    own[threadIdx.x] = (int)(sum % 1000) + (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      r.sums[(size_t)i] = sum;
      for (unsigned t = 0; t < blockDim.x; t++) r.meets[(size_t)i] += own[t];
    }
    __syncthreads();
    rex_each((long long)threadIdx.x, start[i + 1] - start[i],
             [&](long long) { __atomic_add_fetch(&r.counts[(size_t)i], 1, __ATOMIC_RELAXED); });
    total += sum;
    most = (double)sum > most ? (double)sum : most;
  }
  rex_reduce_blocks(partials, rex_into_add(&r.total, total), rex_into_max(&r.most, most));
}

static void check_rows(int blocks, int threads, int n, int length) {
  std::vector<int> start(1, 3), value(3, 0);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i * 37 % (2 * length + 1); k++) value.push_back((i * 31 + k * 7) % 997);
    start.push_back((int)value.size());
  }
  const bool is_short = threads == 64 && n > 0 && start[(size_t)n] - start[0] <= 64 * n;
  const int teams = is_short ? 2 * blocks : blocks, width = is_short ? 32 : threads;
  std::vector<rex_partials> memory(200);
  const size_t rows = (size_t)n;
  results r = {std::vector<long long>(rows), std::vector<long long>(rows), std::vector<long long>(rows),
               std::vector<long long>(rows), 5, 7, 0};
  std::vector<std::vector<int>> room((size_t)teams, std::vector<int>((size_t)width));
  rex_geometry geometry = {blocks, threads};
  rex_run_teams_synchronised(&geometry, [&] { rows_kernel(n, start.data(), value.data(), memory.data(), r, room); });
  long long total = 5;
  double most = 7;
  bool same = r.teams == teams * 1000 + width, meet = true, all = true;
  for (int i = 0; i < n; i++) {
    long long sum = i;
    for (int k = start[(size_t)i]; k < start[(size_t)i + 1]; k++) sum += value[(size_t)k];
    total += sum;
    most = (double)sum > most ? (double)sum : most;
    same = same && r.sums[(size_t)i] == sum;
    meet = meet && r.meets[(size_t)i] == width * (sum % 1000) + width * (width - 1) / 2;
    all = all && r.counts[(size_t)i] == start[(size_t)i + 1] - start[(size_t)i];
  }
  expect(same, "rows", width, blocks, threads, n);
  expect(meet, "barriers of rows", width, blocks, threads, n);
  expect(all, "loops of rows", width, blocks, threads, n);
  expect(r.total == total && r.most == most && memory[0].arrived == 0, "all rows", width, blocks, threads, n);
}

int main() {
  for (int blocks : {1, 3})
    for (int threads : {32, 64, 96, 256})
      for (int n : {0, 1, 2, 65})
        for (int length : {3, 60, 70, 300}) check_rows(blocks, threads, n, length);

  for (int blocks : {1, 3})
    for (int several : {1, 2, 8})
      for (int n : {0, 1, 5, 64}) {
        check<32>(blocks, several, n);
        check<16>(blocks, several, n);
        check<8>(blocks, several, n);
        check<4>(blocks, several, n);
      }
  if (failures == 0) printf("all right\n");
  return failures != 0;
}
