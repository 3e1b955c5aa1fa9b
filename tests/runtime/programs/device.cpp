// SPDX-License-Identifier: Apache-2.0
/* The device headers as plain C++: teams, fibers and the pool without libomptarget. The system's headers come after
   ours, as in generated files, and C's words are switched on. */
#define REX_SOURCE_IS_C
#include "rex_nvidia.h"

#include "device_checks.h"

#include <atomic>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <omp.h>
#include <string>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static int failures;
#define CHECK(condition) (condition) ? (void)0 : (void)(printf("line %d: %s\n", __LINE__, #condition), failures++)

_Static_assert(sizeof(_Bool) == 1, "C's words");

// No atomic is that wide.
static void test_wide_reduction() {
  long double wide = 1;
  rex_reduce_add(&wide, 2.5L);
  rex_reduce_max(&wide, 3.0L);
  CHECK(wide == 3.5L);
}

static rex_literal bytes_of(long long divisor) { return rex_divisor_bytes(divisor); }

// Indices of collapsed loops, by the host's divisors and without; the last iteration of a nest on few threads.
static void test_nests() {
  const long long ends[] = {0, 1, 2, 100, 65535, 65536, 1 << 30, 0x7ffffffe, 0x7fffffff, 0x80000000ll, 0xffffffffll, 1ll << 40};
  for (long long n : {1ll, 2ll, 3ll, 7ll, 255ll, 256ll, 1000003ll, 0x7fffffffll})
    for (long long k : ends) {
      const rex_divisor none = {0, 0, 0}, made = k <= INT32_MAX ? rex_unpack<rex_divisor>(bytes_of(n)) : none;
      long long quotient = -1, remainder = -1;
      rex_divmod(k, n, made, &quotient, &remainder);
      CHECK(quotient == k / n && remainder == k % n);
      rex_divmod(k, n, none, &quotient, &remainder);
      CHECK(quotient == k / n && remainder == k % n);
      rex_divmod(k, n, &quotient, &remainder);
      CHECK(quotient == k / n && remainder == k % n);
      unsigned above = 0, rest = 0;
      if (k > 1 << 30) continue;
      rex_divmod((unsigned)k, (unsigned)n, made, &above, &rest);
      CHECK(above == k / n && rest == k % n);
      rex_divmod((unsigned)k, (unsigned)n, &above, &rest);
      CHECK(above == k / n && rest == k % n);
    }
  for (int d : {1, -1, 2, -2, 3, -7, 641, INT32_MAX, -INT32_MAX, INT32_MIN})
    for (int n : {0, 1, -1, 5, -5, 6, -6, 7, -7, 8, -8, 123456789, -123456789, INT32_MAX, -INT32_MAX, d == -1 ? 0 : INT32_MIN})
      CHECK(rex_quotient(n, rex_unpack<rex_divisor>(bytes_of(d))) == n / d &&
            rex_remainder(n, d, rex_unpack<rex_divisor>(bytes_of(d))) == n % d);
  for (unsigned d : {1u, 2u, 3u, 7u, 641u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu})
    for (unsigned n : {0u, 1u, 6u, 7u, 8u, 123456789u, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu}) {
      const rex_divisor by = rex_unpack<rex_divisor>((rex_literal)rex_unsigned_divisor_bytes(d));
      CHECK(rex_unsigned_quotient(n, by) == n / d && rex_unsigned_remainder(n, d, by) == n % d);
    }
  CHECK(rex_next(5ll, 8ll, 100ll) == 13 && rex_next(5ll, 8ll, 1ll << 40) == 13 && rex_next(5u, 8u, 100u) == 13);
}

// OpenMP's routines in every thread of several teams, and locks between them.
static void test_omp_routines() {
  rex_geometry geometry = {6, 5};
  std::vector<int> seen(30);
  omp_lock_t lock;
  omp_init_lock(&lock);
  int locked = 0, wrong = 0;
  unsigned critical = 0;
  rex_run_teams(&geometry, [&] {
    rex_team_begin(true);
    seen[omp_get_team_num() * 5 + omp_get_thread_num()]++;
    if (omp_get_num_teams() != 6 || omp_get_num_threads() != 5 || !omp_in_parallel() || omp_get_level() != 1 ||
        omp_is_initial_device() || omp_get_team_size(1) != 5 || omp_get_ancestor_thread_num(1) != (int)threadIdx.x ||
        omp_get_initial_device() == omp_get_device_num() || omp_get_wtime() <= 0)
      rex_atomic_add(&wrong, 1);
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
    REX_CRITICAL(critical) locked++;
    rex_parallel alone(1);
    rex_barrier();
  });
  CHECK(seen == std::vector<int>(30, 1) && locked == 60 && wrong == 0);
  rex_run_teams(nullptr, [&] {
    rex_team_begin(true);
    rex_barrier();
    rex_barrier(1);
    wrong += omp_get_num_teams() != 1 || omp_get_num_threads() != 1 || omp_in_parallel() || omp_get_level() != 1;
  });
  CHECK(wrong == 0);
}

// A GPU's way to make a barrier of a part of a warp: two threads meet at words that hold anything, again and again.
static void test_meetings() {
  for (unsigned seed : {0u, 1u, 2u, 7u, 0x7fffffffu, 0xfffffffdu, 0xfffffffeu, 0xffffffffu})
    for (unsigned echo : {seed - 1, seed, seed + 1, seed + 2, seed + 3}) {
      unsigned words[] = {seed, echo};
      int calls = 0, answers = 0, wrong = 0;
      std::thread answerer([&] {
        for (int i = 1; i <= 300; i++) {
          rex_atomic_write(&answers, i);
          rex_detail::meet_as_answerer(&words[0], &words[1]);
          int seen = rex_atomic_read(&calls);
          if (seen < i || seen > i + 1) rex_atomic_add(&wrong, 1);
        }
      });
      for (int i = 1; i <= 300; i++) {
        rex_atomic_write(&calls, i);
        rex_detail::meet_as_caller(&words[0], &words[1]);
        int seen = rex_atomic_read(&answers);
        if (seen < i || seen > i + 1) rex_atomic_add(&wrong, 1);
      }
      answerer.join();
      CHECK(wrong == 0);
    }
}

// Barriers of some lanes: each set of lanes meets on its own.
static void test_sets_of_lanes() {
  rex_geometry geometry = {2, 48};
  std::atomic<int> wrong(0);
  rex_run_teams_synchronised(&geometry, [&] {
    __shared__ int rounds[48];
    unsigned lane = threadIdx.x % 32, set = lane % 3;
    unsigned lanes = 0x49249249u << set;
    for (int round = 1; round < 4 + (int)set; round++) {
      rounds[threadIdx.x] = round;
      __syncwarp(lanes);
      for (unsigned other = threadIdx.x - lane + set; other < 48 && other / 32 == threadIdx.x / 32; other += 3)
        wrong += rounds[other] != round;
      __syncwarp(lanes);
    }
  });
  CHECK(wrong == 0);
}

static void test_largest_team() {
  rex_geometry geometry = {1, 5000};
  int sum = 0;
  rex_run_teams_synchronised(&geometry, [&] {
    __syncthreads();
    sum += (int)blockDim.x;
  });
  CHECK(sum == 1024 * 1024);
}

// A warp barrier holds a warp only, and leaves team barriers of others alone.
static void test_barriers() {
  rex_geometry geometry = {4, 70};
  std::atomic<int> wrong(0), teams(0);
  rex_run_teams_synchronised(&geometry, [&] {
    __shared__ int arrived[3], all;
    int warp = (int)threadIdx.x / 32, lanes = warp == 2 ? 6 : 32;
    if (threadIdx.x == 0) all = arrived[0] = arrived[1] = arrived[2] = 0;
    __syncthreads();
    for (int round = 1; round <= warp + 1; round++) {
      arrived[warp]++;
      __syncwarp();
      wrong += arrived[warp] != round * lanes;
      __syncwarp();
    }
    if (threadIdx.x % 7 == 3) return;
    all++;
    __syncthreads();
    wrong += all != 60;
    if (threadIdx.x == 0) teams++;
  });
  CHECK(wrong == 0 && teams == 4);
}

// Deep stacks and state that a call preserves survive the switches between fibers.
static double recurse(int depth) {
  double mine = depth * 1.5, below = 0;
  __syncthreads();
  if (depth > 0) below = recurse(depth - 1);
  return mine + below;
}
static void test_fibers() {
  rex_geometry geometry = {2, 300};
  std::vector<double> results(600);
  rex_run_teams_synchronised(&geometry, [&] { results[blockIdx.x * 300 + threadIdx.x] = recurse(40); });
  CHECK(results == std::vector<double>(600, 40 * 41 / 2 * 1.5));
}

static int count_teams(int teams) {
  rex_geometry geometry = {teams, 1};
  int count = 0;
  rex_run_teams(&geometry, [&] { rex_atomic_add(&count, 1); });
  return count;
}

// Launches of several host threads at a time, and in a child process, which has lost the pool's threads.
static void test_pool() {
  std::atomic<int> wrong(0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&] {
      for (int launch = 1; launch < 200; launch++) wrong += count_teams(launch) != launch;
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0 && count_teams(100000) == 100000);
  pid_t child = fork();
  if (child == 0) _exit(count_teams(1000) == 1000 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

int main() {
  Findings findings = device_checks();
  if (findings.failures > 0) printf("device_checks.h:%d: wrong\n", findings.first_wrong_line);
  failures += findings.failures;
  test_wide_reduction();
  test_nests();
  test_omp_routines();
  test_barriers();
  test_meetings();
  test_sets_of_lanes();
  test_largest_team();
  test_fibers();
  test_pool();
  printf("%d failures\n", failures);
  return failures != 0;
}
