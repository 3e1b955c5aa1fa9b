// SPDX-License-Identifier: Apache-2.0
/* The threads of a block as OpenMP's teams: barriers, places, locks, values that one thread shares. One program for a
   GPU (nvcc) and for the CPU device (a C++ compiler). */
#include "rex_nvidia.h"

#include <stdio.h>

#ifdef __CUDACC__
#define LAUNCH(teams, threads, kernel, ...) kernel<<<teams, threads>>>(__VA_ARGS__), finish()
static void finish() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return;
  printf("%s\n", cudaGetErrorString(error));
  exit(1);
}
#else
#define LAUNCH(teams, threads, kernel, ...)                                                                            \
  do {                                                                                                                 \
    rex_geometry geometry = {teams, threads};                                                                          \
    rex_run_teams_synchronised(&geometry, [&] { kernel(__VA_ARGS__); });                                               \
  } while (0)
#define cudaMemcpyFromSymbol(to, from, size) memcpy(to, &from, size)
#endif

struct Findings {
  unsigned checks, failures, first_wrong_line;
};
static __device__ Findings findings;

__device__ static void note(bool good, unsigned line) {
  atomicAdd(&findings.checks, 1u);
  if (!good && atomicAdd(&findings.failures, 1u) == 0) findings.first_wrong_line = line;
}
#define CHECK(condition) note(condition, __LINE__)

// Threads reach barriers at different times.
__device__ static void dawdle(int round) {
  for (int i = ((int)threadIdx.x * 7 + round * 5) % 11; i > 8; i--) rex_pause();
}

// ---------------------------------------------------------------------------------------------------------------------
// Barriers.

static __shared__ int rounds_of[1024];

__device__ static void check_all_came(int threads, int round) {
  int me = (int)threadIdx.x;
  bool all = true;
  for (int step = 0; step < 8; step++) all = all && rounds_of[(me + step * (threads / 8 + 1)) % threads] == round;
  CHECK(all && rounds_of[threads - 1] == round && rounds_of[0] == round);
}

// A barrier for the first threads. Nothing has prepared the words that it uses: they hold what the seed says.
__global__ void barriers_of_first(int threads, int rounds, unsigned seed) {
#ifdef __CUDACC__
  if (threadIdx.x == 0) {
    rex_detail::meeting_number = seed;
    rex_detail::meeting_echo = ((seed + 1) | 1) + seed % 3 - 1;
  }
  __syncthreads();
#endif
  if ((int)threadIdx.x < threads)
    for (int round = 0; round < rounds; round++) {
      dawdle(round);
      rounds_of[threadIdx.x] = round + (int)seed;
      rex_barrier(threads);
      check_all_came(threads, round + (int)seed);
      rex_barrier(threads);
    }
  __syncthreads();
}

// The same, in teams that the run-time state knows, one after another.
__device__ static void orphaned_rounds(int round) {
  dawdle(round);
  if (omp_get_num_threads() == 1) return rex_barrier();
  rounds_of[omp_get_thread_num()] = round;
  rex_barrier();
  check_all_came(omp_get_num_threads(), round);
  rex_barrier();
}
__global__ void barriers_of_teams() {
  rex_team_begin(false);
  orphaned_rounds(-1);
  for (int i = 0; i < 40; i++) {
    int threads = rex_narrow(i % 8 == 0 ? 4000 : i * 37 % (int)blockDim.x + 1);
    if ((int)threadIdx.x < threads) {
      rex_parallel level(threads);
      orphaned_rounds(i);
      { // not all at a time
        rex_parallel inner(1);
        if (threadIdx.x % 3 == 1) orphaned_rounds(-2);
      }
      if (threadIdx.x % 2 == 0) { // two calls, one barrier
        dawdle(i + 3);
        orphaned_rounds(1000 + i);
      } else {
        orphaned_rounds(1000 + i);
      }
    }
    __syncthreads();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Places.

__device__ static void check_place(int thread, int threads, int level, int active) {
  CHECK(omp_get_thread_num() == thread && omp_get_num_threads() == threads);
  CHECK(omp_get_level() == level && omp_get_active_level() == active && omp_in_parallel() == active);
  CHECK(omp_get_ancestor_thread_num(level) == thread && omp_get_team_size(level) == threads);
  CHECK(omp_get_ancestor_thread_num(-1) == -1 && omp_get_team_size(level + 1) == -1);
  CHECK(omp_get_ancestor_thread_num(0) == 0 && omp_get_team_size(0) == 1);
  CHECK(omp_get_max_threads() == (level == 0 ? (int)blockDim.x : 1));
  CHECK(omp_get_thread_limit() == (int)blockDim.x && omp_get_max_active_levels() == 1);
}
__global__ void places(int threads) {
  const int me = (int)threadIdx.x, all = (int)blockDim.x;
  rex_team_begin(true);
  check_place(me, all, 1, all > 1);
  rex_team_begin(false);
  check_place(0, 1, 0, 0);
  if (me < threads) {
    rex_parallel level(threads);
    check_place(me, threads, 1, threads > 1);
    for (int i = 0; i < 2; i++) {
      rex_parallel inner(1);
      rex_final yes(i == 0);
      rex_parallel innermost(1);
      check_place(0, 1, 3, threads > 1);
      CHECK(!omp_in_final());
      CHECK(omp_get_ancestor_thread_num(1) == me && omp_get_team_size(1) == threads && omp_get_team_size(2) == 1);
    }
    check_place(me, threads, 1, threads > 1);
  }
  check_place(0, 1, 0, 0);
  for (int i = 0; i < 2; i++) {
    rex_final perhaps(me % 2 == i);
    CHECK(omp_in_final() == (me % 2 == i));
    rex_final no(false);
    CHECK(omp_in_final() == (me % 2 == i));
    rex_final yes(true);
    CHECK(omp_in_final());
    check_place(0, 1, 0, 0);
  }
  CHECK(!omp_in_final());
  {
    rex_parallel serialised(1);
    check_place(0, 1, 1, 0);
  }
  CHECK(rex_narrow(-3) == 1 && rex_narrow(0) == 1 && rex_narrow(1) == 1 && rex_narrow(1ll << 40) == all);
  CHECK(omp_get_supported_active_levels() == 1 && omp_get_num_procs() == all && !omp_in_final());
}

// ---------------------------------------------------------------------------------------------------------------------
// What one thread does for all.

struct wide {
  short head;
  double numbers[60];
};

__global__ void from_first() {
  __shared__ int left, steps;
  if (threadIdx.x == 0) left = 20, steps = 0;
  int mine = 0;
  while (rex_from_first([&] { return left-- > 0; })) {
    const int step = rex_from_first([&] { return steps; });
    CHECK(step == mine++);
    const wide all = rex_from_first([&] {
      wide made = {(short)step, {}};
      for (int i = 0; i < 60; i++) made.numbers[i] = step + i;
      return made;
    });
    CHECK(all.head == step && all.numbers[threadIdx.x % 60] == step + (int)threadIdx.x % 60);
    dawdle(step);
    rex_first([&] { steps++; });
  }
  CHECK(mine == 20);
}

template <class T> __device__ static bool same_bytes(const T &x, int value) {
  bool same = true;
  for (size_t i = 0; i < sizeof(T); i++) same = same && reinterpret_cast<const unsigned char *>(&x)[i] == value % 256;
  return same;
}
template <class T> __device__ static void check_copy(int threads) {
  T x;
  for (int round = 0; round < 5; round++) {
    memset(&x, (int)threadIdx.x + round + 100, sizeof x);
    dawdle(round);
    rex_copy_from_first(x, threads);
    CHECK(same_bytes(x, round + 100));
  }
}
__global__ void copies(int threads) {
  rex_team_begin(false);
  if ((int)threadIdx.x < threads) {
    rex_parallel level(threads);
    check_copy<char>(threads);
    check_copy<double>(0);
    check_copy<wide>(threads);
    check_copy<int[200]>(0);
    rex_parallel inner(1);
    int mine = (int)threadIdx.x;
    rex_copy_from_first(mine, 0);
    rex_copy_from_first(mine, 1);
    CHECK(mine == (int)threadIdx.x);
  }
}

__device__ static void check_last(int threads) {
  const int me = (int)threadIdx.x;
  for (int round = 0; round < 6; round++) {
    dawdle(round);
    const long long number = (long long)((me + round * 7) % threads) << 33; // each its own
    CHECK(rex_is_last(number, threads) == (number >> 33 == threads - 1));
    CHECK(rex_is_last(me % 3 == round % 3 ? me : -1, threads) == (me % 3 == round % 3 && me + 3 >= threads));
    CHECK(!rex_is_last(-1 - me, threads));
  }
}
__global__ void last_of(int threads) {
  rex_team_begin(false);
  if ((int)threadIdx.x < threads) {
    rex_parallel level(threads);
    check_last(threads);
    CHECK(rex_is_last(threadIdx.x + 1ll, 0) == ((int)threadIdx.x + 1 == threads));
    rex_parallel inner(1);
    CHECK(rex_is_last(0, 0) && !rex_is_last(-1, 0));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Prefix sums, of maps x -> factor * x + sum: their order counts.

struct chain {
  unsigned factor, sum;
  __device__ void then(const chain &next) {
    sum = next.factor * sum + next.sum;
    factor *= next.factor;
  }
};
struct owner : chain { // a copy operation of its own
  __device__ owner(unsigned factor, unsigned sum) : chain{factor, sum} {}
  __device__ owner(const owner &other) : chain{other.factor, other.sum} {}
  __device__ owner &operator=(const owner &other) {
    factor = other.factor;
    sum = other.sum;
    return *this;
  }
  __device__ ~owner() {}
};

template <class T> __device__ static T number_of(int round, int thread) {
  return T{(unsigned)(2 * thread + 3), (unsigned)(thread + round)};
}

template <class T, class... Size> __device__ static void check_scans(int me, int threads, Size... size) {
  auto combine = [](T &a, T &b) { a.then(b); };
  T carry = {1, 5}, all = carry;
  unsigned sum = 0, total = 7;
  for (int round = 0; round < 2; round++) {
    const bool inclusive = round % 2 == 0;
    T expected = all;
    for (int i = 0; i < threads; i++) {
      if (i == me && !inclusive) expected = all;
      all.then(number_of<T>(round, i));
      if (i == me && inclusive) expected = all;
    }
    T value = number_of<T>(round, me);
    dawdle(round);
    if (inclusive) rex_scan_inclusive_with(value, carry, combine, size...);
    else rex_scan_exclusive_with(value, carry, combine, size...);
    CHECK(value.factor == expected.factor && value.sum == expected.sum);
    CHECK(carry.factor == all.factor && carry.sum == all.sum);
    sum = 10u + (unsigned)me;
    const unsigned before = total;
    rex_scan_exclusive_add(sum, total, size...);
    CHECK(sum == before + (unsigned)(10 * me + me * (me - 1) / 2));
    CHECK(total == before + (unsigned)(10 * threads + threads * (threads - 1) / 2));
    unsigned most = (unsigned)me ^ 5u, high = 3;
    rex_scan_inclusive_max(most, high, size...);
    CHECK(most >= ((unsigned)me ^ 5u) && high >= most && most >= 5);
  }
}
__global__ void scans(int threads) {
  rex_team_begin(false);
  check_scans<chain>((int)threadIdx.x, (int)blockDim.x);
  if ((int)threadIdx.x < threads) {
    rex_parallel level(threads);
    check_scans<chain>((int)threadIdx.x, threads, threads);
    check_scans<chain>((int)threadIdx.x, threads, 0);
    if (threads <= 100) check_scans<owner>((int)threadIdx.x, threads, threads);
    rex_parallel inner(1);
    check_scans<owner>(0, 1, 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Locks: threads of a warp, of a block and of several blocks compete.

static __device__ unsigned rex_critical_;
static __device__ omp_lock_t simple;
static __device__ omp_nest_lock_t nested;
static __device__ unsigned counts[3], sizes[3];

__global__ void locks(int rounds) {
  for (int i = 0; i < rounds; i++) {
    REX_CRITICAL(rex_critical_) {
      counts[0]++;
      if (i % 2 == 0) rex_pause(); // others get a turn, and do not come in
      sizes[0] += counts[0] % 2;
    }
    omp_set_lock(&simple);
    counts[1]++;
    CHECK(!omp_test_lock(&simple));
    omp_unset_lock(&simple);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    CHECK(omp_test_nest_lock(&nested) == 3);
    counts[2]++;
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    rex_pause();
    counts[2]++;
    omp_unset_nest_lock(&nested);
  }
}
__global__ void locks_at_the_start() {
  rex_critical_ = counts[0] = counts[1] = counts[2] = sizes[0] = 0;
  omp_init_lock(&simple);
  omp_init_nest_lock_with_hint(&nested, omp_sync_hint_contended);
}
__global__ void locks_at_the_end(unsigned expected) {
  CHECK(counts[0] == expected && sizes[0] == (expected + 1) / 2);
  CHECK(counts[1] == expected && counts[2] == 2 * expected);
  CHECK(rex_try_lock(&rex_critical_) && !rex_try_lock(&rex_critical_));
  CHECK(omp_test_lock(&simple) && omp_test_nest_lock(&nested) == 1);
}

// A thread's own locks.
__global__ void own_locks(omp_nest_lock_t *at) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  CHECK(!omp_test_lock(&lock));
  omp_unset_lock(&lock);
  CHECK(omp_test_lock(&lock));
  omp_nest_lock_t nest;
  omp_nest_lock_t *mine = at == nullptr ? &nest : at; // the compiler cannot tell where it is
  omp_init_nest_lock(mine);
  omp_set_nest_lock(mine);
  CHECK(omp_test_nest_lock(mine) == 2);
}

// Some threads wait for a word that another one writes behind a barrier which they have no part in.
__global__ void spinners(int threads) {
  __shared__ unsigned word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  if ((int)threadIdx.x < threads) {
    for (int i = 0; i < 3; i++) rex_barrier(threads);
    if ((int)threadIdx.x == threads - 1) atomicExch(&word, 1u);
  } else {
    while (atomicOr(&word, 0u) == 0) rex_pause();
  }
  __syncthreads();
  CHECK(word == 1);
}

// ---------------------------------------------------------------------------------------------------------------------
// Memory.

__device__ static bool is_aligned(const void *memory, size_t to) { return (size_t)memory % to == 0; }

__global__ void memory() {
  const omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}, {omp_atk_fallback, omp_atv_abort_fb}};
  const omp_alloctrait_t pool = {omp_atk_pool_size, 100};
  omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 2, traits);
  CHECK(omp_init_allocator(omp_low_lat_mem_space, 1, &pool) == omp_null_allocator && aligned != omp_null_allocator);
  char *bytes = (char *)omp_alloc(100, aligned);
  int *zeros = (int *)omp_aligned_calloc(64, 10, sizeof(int)), *more = (int *)omp_calloc(5, sizeof(int), aligned);
  CHECK(is_aligned(bytes, 256) && is_aligned(zeros, 64) && is_aligned(more, 256) && same_bytes(*(int(*)[10])zeros, 0));
  memset(bytes, 7, 100);
  more[4] = (int)threadIdx.x;
  bytes = (char *)omp_realloc(bytes, 1000, aligned);
  more = (int *)omp_realloc(more, 5 * sizeof(int));
  CHECK(is_aligned(bytes, 256) && same_bytes(*(char(*)[100])bytes, 7) && more[4] == (int)threadIdx.x && more[0] == 0);
  CHECK(omp_alloc(0) == nullptr && omp_calloc((size_t)-1, 16) == nullptr && omp_alloc((size_t)-8) == nullptr);
  CHECK(omp_realloc(bytes, 0) == nullptr && omp_get_default_allocator() == omp_default_mem_alloc);
  void *large = omp_aligned_alloc(4096, 10, omp_thread_mem_alloc);
  CHECK(is_aligned(large, 4096));
  omp_free(large);
  omp_free(zeros, omp_default_mem_alloc);
  omp_free(more, aligned);
  omp_free(nullptr);
  omp_destroy_allocator(aligned);
}

static void test_locks(int teams, int threads, int rounds) {
  LAUNCH(1, 1, locks_at_the_start);
  LAUNCH(teams, threads, locks, rounds);
  LAUNCH(1, 1, locks_at_the_end, (unsigned)(teams * threads * rounds));
}

int main(int argc, char **) {
  if (argc > 1) LAUNCH(3, 40, barriers_of_first, 41, 1, 0u); // there are not so many: the CPU device says so
  const int blocks[] = {1, 32, 40, 100, 256, 1000, 1024};
  const int parts[] = {1, 5, 31, 32, 33, 64, 65, 100, 255, 256, 999, 1024};
  const unsigned seeds[] = {0, 1, 2, 3, 0x7fffffff, 0xfffffffd, 0xfffffffe, 0xffffffff};
  for (int block : blocks) {
    for (int part : parts)
      if (part <= block) {
        LAUNCH(4, block, barriers_of_first, part, 20, seeds[part % 8]);
        LAUNCH(2, block, places, part);
        LAUNCH(2, block, copies, part);
        LAUNCH(2, block, last_of, part);
        if (block <= 256 || part >= 999) LAUNCH(1, block, scans, part);
        LAUNCH(2, block, spinners, part);
      }
    for (unsigned seed : seeds)
      if (block >= 40) LAUNCH(2, block, barriers_of_first, block - 3, 5, seed);
    LAUNCH(2, block, barriers_of_teams);
    LAUNCH(2, block, from_first);
    printf("blocks of %d threads\n", block);
  }
  LAUNCH(2, 33, own_locks, nullptr);
  test_locks(1, 32, 20);
  test_locks(1, 256, 4);
  test_locks(8, 100, 4);
  LAUNCH(3, 33, memory);
  Findings found;
  cudaMemcpyFromSymbol(&found, findings, sizeof found);
  if (found.failures > 0) printf("teams.cu:%u: wrong\n", found.first_wrong_line);
  printf("%u checks, %u failures\n", found.checks, found.failures);
  return found.failures != 0;
}
