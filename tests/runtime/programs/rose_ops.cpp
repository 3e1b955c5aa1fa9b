// SPDX-License-Identifier: Apache-2.0
/* Host side of rex_lib_ops.cu in the shape that rexcc generates, with one launch block for all kernels. */
#include "rex_kmp.h"
#include <stddef.h>
#include <stdint.h>
#include "ops.h"

#include <cstdio>
#include <limits>
#include <memory>
#include <vector>

#define REDUCTION_ID(op, type) REX_KERNEL_ID(reduce_##op##_##type##__)
REDUCTIONS(REDUCTION_ID)
REX_KERNEL_ID(reduce_triple__)
#define ATOMICS_ID(type) REX_KERNEL_ID(atomics_##type##__)
ATOMIC_TYPES(ATOMICS_ID)
REX_KERNEL_ID(team_sums__)
REX_KERNEL_ID(device_checks__)

static int failures, checks;

static void check(bool good, const char *what, int teams, int threads) {
  checks++;
  if (good) return;
  failures++;
  printf("wrong: %s with %d teams of %d threads\n", what, teams, threads);
}

struct Argument {
  void *base;
  int64_t size, type;
};
template <class T> static Argument array(const T *first, size_t count, int64_t direction) {
  return {(void *)first, (int64_t)(count * sizeof(T)), REX_MAP_PARAM | direction};
}
static Argument literal(int value) { return {rex_pack(&value, sizeof value), sizeof value, REX_MAP_LITERAL_PARAM}; }

static void launch(void *id, const char *what, int teams, int threads, const std::vector<Argument> &arguments) {
  void *base[8];
  int64_t sizes[8], types[8];
  for (size_t i = 0; i < arguments.size(); i++) {
    base[i] = arguments[i].base;
    sizes[i] = arguments[i].size;
    types[i] = arguments[i].type;
  }
  __tgt_kernel_arguments packet = {REX_KERNEL_ARGS_VERSION, (int)arguments.size(), base, base, sizes, types, 0, 0, 0, 0,
                                   {teams, 1, 1}, {threads, 1, 1}, 0};
  static __rex_ident place = REX_PLACE(";ops.cpp;launch;1;1;;");
  check(__tgt_target_kernel(&place, REX_DEVICE_DEFAULT, teams, threads, id, &packet) == 0, what, teams, threads);
}

// Operands for which every order of evaluation gives the same result.
template <class T> T small(int i) { return (T)(i * 7 % 5); }
template <class T> T factor(int i) { return (T)(i % 97 == 3 ? 2 : 1); }
template <class T> T bits(int i) { return (T)~((T)1 << i % 3); }
template <class T> T spread(int i) {
  return (T)((int)(i * 2654435761u % 1000) - (std::numeric_limits<T>::is_signed ? 500 : 0));
}
template <class T> T truths(int i) { return (T)(i != 77); }
#define VALUE_add small
#define VALUE_mul factor
#define VALUE_and bits
#define VALUE_or small
#define VALUE_xor spread
#define VALUE_land truths
#define VALUE_lor truths
#define VALUE_min spread
#define VALUE_max spread

#define RESULT_add(a, b) (a + b)
#define RESULT_mul(a, b) (a * b)
#define RESULT_and(a, b) (a & b)
#define RESULT_or(a, b) (a | b)
#define RESULT_xor(a, b) (a ^ b)
#define RESULT_land(a, b) (a && b)
#define RESULT_lor(a, b) (a || b)
#define RESULT_min(a, b) (b < a ? b : a)
#define RESULT_max(a, b) (a < b ? b : a)

#define TEST_REDUCTION(op, type)                                                                                       \
  {                                                                                                                    \
    std::unique_ptr<type[]> x(new type[n]);                                                                            \
    for (int i = 0; i < n; i++) x[i] = VALUE_##op<type>(i);                                                            \
    type start = (type)1, expected = start, first = start, second = start;                                             \
    for (int i = 0; i < n; i++) expected = (type)RESULT_##op(expected, x[i]);                                          \
    launch(&reduce_##op##_##type##__id__, #op " " #type, teams, threads,                                               \
           {array(x.get(), n, REX_MAP_TO), array(&first, 1, REX_MAP_TOFROM), array(&second, 1, REX_MAP_TOFROM),        \
            literal(n)});                                                                                              \
    check(first == expected && second == expected, #op " " #type, teams, threads);                                     \
  }

static void test_reductions(int n, int teams, int threads) { REDUCTIONS(TEST_REDUCTION) }

static void test_triple(int n, int teams, int threads) {
  std::vector<int> x(n);
  for (int i = 0; i < n; i++) x[i] = i - 20;
  triple all = {1, 0, 2};
  launch(&reduce_triple__id__, "triple", teams, threads,
         {array(x.data(), n, REX_MAP_TO), array(&all, 1, REX_MAP_TOFROM), literal(n)});
  bool good = all.sum == 1 + (double)n * (n - 1) / 2 - 20.0 * n && all.least == -20 && all.count == n + 2;
  check(good, "triple", teams, threads);
}

// x += 1.25, done n times in double and converted back each time.
template <class T> T mixed(int n) {
  T x = 0;
  for (int i = 0; i < n; i++) x = (T)(x + 1.25);
  return x;
}

template <class T> void test_atomics(void *id, const char *what, int n, int teams, int threads) {
  T cells[CELLS] = {};
  cells[MIN] = 90;
  unsigned char seen[256] = {};
  u64 exchanged = 0, put = 0;
  launch(id, what, teams, threads, {array(cells, CELLS, REX_MAP_TOFROM), array(seen, 256, REX_MAP_TOFROM),
                                    array(&exchanged, 1, REX_MAP_TOFROM), literal(n)});
  bool each_once = true;
  for (int i = 0; i < 100; i++) each_once = each_once && seen[i] == 1;
  for (int i = 0; i < n; i++) put += i % 100;
  check(cells[ADD] == (T)n && cells[SUB] == (T)-(T)n, what, teams, threads);
  check(cells[MIN] == 0 && cells[MAX] == 99, what, teams, threads);
  check(cells[MIXED] == mixed<T>(n), what, teams, threads);
  check(exchanged + (u64)cells[EXCHANGED] == put, what, teams, threads);
  check(each_once && cells[TICKET] == 100, what, teams, threads);
}

static void test_all_atomics(int n, int teams, int threads) {
#define TEST_ATOMICS(type) test_atomics<type>(&atomics_##type##__id__, "atomics " #type, n, teams, threads);
  ATOMIC_TYPES(TEST_ATOMICS)
}

static void test_team_sums(int leave, int teams, int threads) {
  std::vector<int> x(teams * threads), sums(teams), prefixes(teams * threads);
  for (size_t i = 0; i < x.size(); i++) x[i] = (int)i % 31 - 7;
  launch(&team_sums__id__, "team sums", teams, threads,
         {array(x.data(), x.size(), REX_MAP_TO), array(sums.data(), sums.size(), REX_MAP_FROM),
          array(prefixes.data(), prefixes.size(), REX_MAP_FROM), literal(leave)});
  bool good = true;
  for (int team = 0; team < teams; team++) {
    int sum = 0;
    for (int i = team * threads; i < team * threads + (leave ? (threads + 1) / 2 : threads); i++) {
      sum += x[i];
      good = good && prefixes[i] == sum;
    }
    good = good && sums[team] == sum;
  }
  check(good, leave ? "team sums, half a team" : "team sums", teams, threads);
}

static void test_device_checks() {
  int findings[3] = {}; // checks, failures, line of the first
  launch(&device_checks__id__, "device checks", 1, 1, {array(findings, 3, REX_MAP_TOFROM)});
  if (findings[1] > 0) printf("device_checks.h:%d: wrong\n", findings[2]);
  check(findings[0] > 100 && findings[1] == 0, "device checks", 1, 1);
}

// The device works on copies: what it does to `to` data stays there.
static void test_copies() {
  i32 cells[CELLS] = {};
  unsigned char seen[256] = {};
  u64 exchanged = 0;
  launch(&atomics_i32__id__, "copies", 1, 1, {array(cells, CELLS, REX_MAP_TO), array(seen, 256, REX_MAP_FROM),
                                              array(&exchanged, 1, REX_MAP_NONE), literal(10)});
  check(cells[ADD] == 0 && cells[TICKET] == 0 && exchanged == 0, "copies", 1, 1);
}

int main() {
  rex_offload_init();
  test_device_checks();
  test_copies();
  const int shapes[][2] = {{1, 1}, {3, 7}, {2, 32}, {5, 33}, {4, 100}, {1, 1000}, {2, 1024}};
  for (auto &shape : shapes) {
    test_reductions(1500, shape[0], shape[1]);
    test_triple(1500, shape[0], shape[1]);
    test_all_atomics(1500, shape[0], shape[1]);
    test_team_sums(0, shape[0], shape[1]);
    test_team_sums(1, shape[0], shape[1]);
  }
  test_reductions(0, 2, 64); // an empty loop leaves the original values
  test_team_sums(0, 3000, 8);
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}

#define REDUCTION_ENTRY(op, type) REX_KERNEL_ENTRY(reduce_##op##_##type##__),
#define ATOMICS_ENTRY(type) REX_KERNEL_ENTRY(atomics_##type##__),
static struct __tgt_offload_entry __rex_offload_entries[] = {
    REDUCTIONS(REDUCTION_ENTRY) ATOMIC_TYPES(ATOMICS_ENTRY) REX_KERNEL_ENTRY(reduce_triple__),
    REX_KERNEL_ENTRY(team_sums__), REX_KERNEL_ENTRY(device_checks__)};
REX_IMAGE(__rex_image_ops_0, "rex_lib_ops.sm_90.cubin")
REX_IMAGE(__rex_image_ops_1, "rex_lib_ops.host.so")
static struct rex_offload_image __rex_offload_images[] = {
    REX_IMAGE_ROW(__rex_image_ops_0, 90),
    REX_IMAGE_ROW(__rex_image_ops_1, 0),
};
REX_OFFLOAD_MODULE("ops.cpp", __rex_offload_entries, __rex_offload_images)
