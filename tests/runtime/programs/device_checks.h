// SPDX-License-Identifier: Apache-2.0
// Checks of the device headers that one thread can make, on the GPU and on the CPU alike.
#ifndef DEVICE_CHECKS_H
#define DEVICE_CHECKS_H

#include "rex_nvidia.h"

#include "xomp_cuda_lib_inlined.cu"

struct Findings {
  int checks, failures, first_wrong_line;
};

__device__ static inline void note(Findings *findings, bool good, int line) {
  findings->checks++;
  if (!good && findings->failures++ == 0) findings->first_wrong_line = line;
}
#define CHECK(condition) note(findings, condition, __LINE__)

// Every iteration exactly once, whatever the bounds, step, chunk and number of threads.
__device__ static inline void check_schedule(Findings *findings, long long lower, long long upper, long long step,
                                             long long chunk, long long threads) {
  int seen[16] = {}, expected[16] = {};
  for (long long i = lower; step > 0 ? i <= upper : i >= upper; i += step) expected[i + 8]++;
  for (long long thread = 0; thread < threads; thread++) {
    long long size, index, stride, lo, hi;
    XOMP_static_sched_init(lower, upper, step, chunk, threads, thread, &size, &index, &stride);
    while (XOMP_static_sched_next(&index, upper, step, stride, size, threads, thread, &lo, &hi))
      for (long long i = lo; step > 0 ? i <= hi : i >= hi; i += step) seen[i + 8]++;
  }
  bool same = true;
  for (int i = 0; i < 16; i++) same = same && seen[i] == expected[i];
  CHECK(same);
}

__device__ static inline void check_scheduler(Findings *findings) {
  const long long steps[] = {1, 2, 3, 7, -1, -2, -5}, thread_counts[] = {1, 2, 3, 5, 16};
  for (long long lower = -4; lower <= 4; lower++)
    for (long long upper = -5; upper <= 6; upper++)
      for (long long step : steps)
        for (long long chunk = 0; chunk <= 4; chunk++)
          for (long long threads : thread_counts) check_schedule(findings, lower, upper, step, chunk, threads);
}

__device__ static inline void check_scheduler_at_the_ends(Findings *findings) {
  const long long most = INT64_MAX, least = INT64_MIN, far = -(1ll << 62);
  int upwards = 0, downwards = 0;
  for (long long thread = 0; thread < 1024; thread++) {
    long long size, index, stride, lo, hi;
    XOMP_static_sched_init(most - 10, most - 1, 4, 1, 1024, thread, &size, &index, &stride);
    while (XOMP_static_sched_next(&index, most - 1, 4, stride, size, 1024, thread, &lo, &hi)) upwards++;
    XOMP_static_sched_init(least + 10, least + 1, far, 1, 1024, thread, &size, &index, &stride);
    while (XOMP_static_sched_next(&index, least + 1, far, stride, size, 1024, thread, &lo, &hi)) downwards++;
  }
  CHECK(upwards == 3 && downwards == 1);
}

__device__ static inline double sum_of_row(const double *row, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += row[i];
  return sum;
}

__device__ static inline void check_vla(Findings *findings) {
  constexpr int d0 = 3, d1 = 4, d2 = 5;
  double flat[d0 * d1 * d2];
  for (int i = 0; i < d0 * d1 * d2; i++) flat[i] = i;
  const rex_vla<double, 3> a(flat, d1, d2);
  rex_vla<const double, 3> constant = a;
  for (int i = 0; i < d0; i++)
    for (int j = 0; j < d1; j++)
      for (unsigned long k = 0; k < d2; k++)
        CHECK(a[i][j][k] == (i * d1 + j) * d2 + (int)k && &a[i][j][k] == &constant[i][j][k]);
  CHECK(**a == flat && *a[2] == flat + 2 * d1 * d2 && *(*(a + 1))[2] == flat[d1 * d2 + 2 * d2]);
  CHECK(&(a + 1)[0][0][0] == &a[1][0][0] && &(2 + a - 1)[1][0][0] == &a[2][0][0]);
  CHECK(sum_of_row(a[1][1], d2) == sum_of_row(flat + (d1 + 1) * d2, d2));
  a[2][3][4] = -1;
  CHECK(flat[d0 * d1 * d2 - 1] == -1);
  rex_vla<double, 2> plane = a[1];
  CHECK(plane[2] + 3 == &a[1][2][3] && *(plane[0] + 1) == a[1][0][1]);
  rex_vla1<double> row = a[1][2];
  CHECK(row[3] == a[1][2][3] && *row == a[1][2][0] && sum_of_row(row, d2) == sum_of_row(a[1][2], d2));
}

__device__ static inline void check_arithmetic(Findings *findings) {
  const long long numbers[] = {0, 1, 41, 0xffffffffll, 0x100000000ll, INT64_MAX - 1};
  const long long divisors[] = {1, 7, 0xffffffffll, 0x100000001ll, INT64_MAX};
  for (long long k : numbers)
    for (long long n : divisors) {
      long long q, r;
      rex_divmod(k, n, &q, &r);
      CHECK(q == k / n && r == k % n);
    }
  CHECK(rex_tripcount_le(INT64_MIN, INT64_MAX, INT64_MAX) == 3 && rex_collapse(1ll << 40, 1ll << 40) == INT64_MAX);
  CHECK(rex_unpack<float>(0x3fc00000) == 1.5f && rex_unpack<signed char>(0xff) == -1);
}

enum Colour { RED = 1, BLUE = 2 };

// Old and new values, operators whose operands have different types, reversed operands. (A GPU has no atomics on a
// thread's own variables.)
__device__ static inline void check_atomics(Findings *findings) {
  __shared__ int i;
  i = 10;
  CHECK(rex_atomic_add(&i, 2.75) == 10 && i == 12 && rex_atomic_sub_new(&i, 5u) == 7);
  CHECK(rex_atomic_mul(&i, 3) == 7 && rex_atomic_div_new(&i, 2) == 10 && rex_atomic_rsub_new(&i, 25) == 15);
  CHECK(rex_atomic_rdiv_new(&i, 31) == 2 && rex_atomic_shl_new(&i, 3) == 16 && rex_atomic_shr_new(&i, 2) == 4);
  CHECK(rex_atomic_rshl_new(&i, 1) == 16 && rex_atomic_rshr_new(&i, 1 << 20) == 16);
  CHECK(rex_atomic_and_new(&i, 0x30) == 16 && rex_atomic_or_new(&i, 3) == 19 && rex_atomic_xor_new(&i, 1) == 18);
  CHECK(rex_atomic_land_new(&i, 0) == 0 && rex_atomic_lor_new(&i, 5) == 1);
  CHECK(rex_atomic_min_new(&i, -2.5) == -2 && rex_atomic_max_new(&i, 9) == 9 && rex_atomic_min(&i, 100) == 9);
  CHECK(rex_combine_sub(7, 2.5) == 4.5 && rex_combine_shl(1, 4) == 16 && rex_combine_min(3, 2) == 2);
  __shared__ unsigned char bytes[3], *c;
  bytes[0] = 1, bytes[1] = 200, bytes[2] = 3, c = &bytes[1];
  CHECK(rex_atomic_add_new(c, 100) == 44 && rex_atomic_sub_new(c, 45) == 255 && rex_atomic_exchange(c, 7) == 255);
  CHECK(rex_atomic_compare_exchange(c, 8, 9) == 7 && *c == 7 && rex_atomic_compare_exchange(c, 7, 9) == 7 && *c == 9);
  CHECK(bytes[0] == 1 && bytes[2] == 3);
  __shared__ short s;
  s = -3;
  CHECK(rex_atomic_mul_new(&s, -2) == 6 && rex_atomic_max(&s, 40) == 6 && rex_atomic_read(&s) == 40);
  __shared__ float f;
  f = 1.5f;
  CHECK(rex_atomic_add_new(&f, 2) == 3.5f && rex_atomic_rsub_new(&f, 1.0) == -2.5f);
  CHECK(rex_atomic_exchange(&f, 1) == -2.5f && f == 1);
  __shared__ double zero;
  zero = -0.0;
  CHECK(rex_atomic_compare_exchange(&zero, 0.0, 4.0) == 0.0 && zero == 4.0 && rex_atomic_min_new(&zero, 2.5) == 2.5);
  __shared__ bool b;
  b = false;
  CHECK(rex_atomic_lor(&b, 3.5) == false && b && rex_atomic_land_new(&b, 0) == false && rex_atomic_add_new(&b, 2));
  __shared__ long wide[2], *pointer;
  wide[0] = wide[1] = 0, pointer = wide;
  CHECK(rex_atomic_add_new(&pointer, 1) == wide + 1 && rex_atomic_read(&pointer) == wide + 1);
  rex_atomic_write(&pointer, wide);
  CHECK(pointer == wide && rex_atomic_sub(&wide[0], 1) == 0 && rex_atomic_max_new(&wide[0], -5l) == -1);
  __shared__ Colour paint;
  paint = RED;
  CHECK(rex_atomic_or_new(&paint, 2) == 3 && rex_atomic_exchange(&paint, BLUE) == 3);
}

__device__ static inline void check_identities(Findings *findings) {
  CHECK(rex_identity_min<float>() > 3e38f && rex_identity_max<double>() < -1e308);
  CHECK(rex_identity_min<signed char>() == 127 && rex_identity_max<unsigned>() == 0);
  CHECK(rex_identity_and<unsigned short>() == 0xffff && rex_identity_land<bool>() && !rex_identity_lor<bool>());
  CHECK(rex_identity_add<int>() == 0 && rex_identity_mul<double>() == 1 && rex_identity_xor<char>() == 0);
}

// In a launch of one team with one thread.
__device__ static inline void check_omp_routines(Findings *findings) {
  CHECK(omp_get_num_teams() == 1 && omp_get_team_num() == 0 && omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
  CHECK(!omp_in_parallel() && omp_get_level() == 0 && omp_get_team_size(0) == 1 && omp_get_team_size(1) == -1);
  CHECK(!omp_is_initial_device() && omp_get_num_devices() >= 1 && omp_get_device_num() < omp_get_num_devices());
  CHECK(omp_get_initial_device() == omp_get_num_devices() && omp_get_wtick() < 1e-3);
  double start = omp_get_wtime();
  CHECK(start > 0 && omp_get_wtime() >= start);
  __shared__ omp_lock_t lock;
  omp_init_lock(&lock);
  CHECK(omp_test_lock(&lock) && !omp_test_lock(&lock));
  omp_unset_lock(&lock);
  omp_set_lock(&lock);
  omp_destroy_lock(&lock);
  int *heap = (int *)omp_alloc(sizeof(int), omp_default_mem_alloc);
  CHECK(heap != nullptr);
  omp_free(heap, omp_default_mem_alloc);
}

__device__ static inline Findings device_checks() {
  Findings found = {0, 0, 0}, *findings = &found;
  check_scheduler(findings);
  check_scheduler_at_the_ends(findings);
  check_vla(findings);
  check_arithmetic(findings);
  check_atomics(findings);
  check_identities(findings);
  check_omp_routines(findings);
  return found;
}

#undef CHECK

#endif
