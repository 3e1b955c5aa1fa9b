// SPDX-License-Identifier: Apache-2.0
//
// Two make-believe GPUs in one process. The first argument is what is tried. Prints what was wrong, and how many checks
// there were.
#include "fake_gpus.h"
#include "omp.h"
#include "rex_kmp.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

REX_KERNEL_ID(add__)
REX_KERNEL_ID(behind__)
REX_KERNEL_ID(sum__)
REX_KERNEL_ID(fail__)
REX_KERNEL_ID(stay__)

REX_TASKS

static __rex_ident place = REX_PLACE(";two_gpus.cpp;main;1;1;;");
static std::atomic<int> checks, failures;

static void check(bool good, const char *what, int line) {
  checks++;
  if (!good) printf("line %d: %s\n", line, what), failures++;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

// The kernels: p[i] += v, and *s += the sum of p.
static void add(const uint64_t *values) {
  auto *p = reinterpret_cast<int *>(values[0]);
  for (uint64_t i = 0; i < values[1]; i++) p[i] += static_cast<int>(values[2]);
}
static void add_behind(const uint64_t *values) {
  const uint64_t ordered[] = {values[1], values[0], 3};
  add(ordered);
}
static void sum(const uint64_t *values) {
  auto *p = reinterpret_cast<const int *>(values[0]);
  for (uint64_t i = 0; i < values[1]; i++) *reinterpret_cast<int *>(values[2]) += p[i];
}
static void fail(const uint64_t *) { fake_failure = 700; }
static void stay(const uint64_t *) { sleep(20); }
extern "C" {
fake_kernel add__kernel__ = {3, add}, behind__kernel__ = {2, add_behind}, sum__kernel__ = {3, sum};
fake_kernel fail__kernel__ = {3, fail}, stay__kernel__ = {3, stay};
}

using DataCall = void(__rex_ident *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);
static void one_row(DataCall *call, int64_t device, void *p, int64_t size, int64_t type) {
  call(&place, device, 1, &p, &p, &size, &type, nullptr, nullptr);
}
static void begin(int64_t device, void *p, int64_t size, int64_t type) {
  one_row(__tgt_target_data_begin_mapper, device, p, size, type);
}
static void end(int64_t device, void *p, int64_t size, int64_t type) {
  one_row(__tgt_target_data_end_mapper, device, p, size, type);
}
static void update(int64_t device, void *p, int64_t size, int64_t type) {
  one_row(__tgt_target_data_update_mapper, device, p, size, type);
}

static void launch(int64_t device, void *key, int *p, int64_t count, void *last, int64_t type, rex_task *task = nullptr) {
  void *bases[] = {p, reinterpret_cast<void *>(count), last};
  int64_t sizes[] = {count * static_cast<int64_t>(sizeof *p), 8, 4};
  int64_t types[] = {REX_MAP_PARAM | REX_MAP_TOFROM, REX_MAP_LITERAL_PARAM, type};
  __tgt_kernel_arguments packet = {REX_KERNEL_ARGS_VERSION, 3, bases, bases, sizes, types, nullptr, nullptr, 0, 0,
                                   {1, 1, 1}, {32, 1, 1}, 0};
  int result = task != nullptr ? rex_target_kernel_task(task, &place, device, 1, 32, key, &packet)
                               : __tgt_target_kernel(&place, device, 1, 32, key, &packet);
  CHECK(result == 0);
}
static void add_on(int64_t device, int *p, int64_t count, int64_t v, rex_task *task = nullptr) {
  launch(device, add__key__(), p, count, reinterpret_cast<void *>(v), REX_MAP_LITERAL_PARAM, task);
}
// Its data is not its first row.
static void add_behind_on(int64_t device, int *p, int64_t count) {
  void *bases[] = {reinterpret_cast<void *>(count), p};
  int64_t sizes[] = {8, count * static_cast<int64_t>(sizeof *p)};
  int64_t types[] = {REX_MAP_LITERAL_PARAM, REX_MAP_PARAM | REX_MAP_TOFROM};
  __tgt_kernel_arguments packet = {REX_KERNEL_ARGS_VERSION, 2, bases, bases, sizes, types, nullptr, nullptr, 0, 0,
                                   {1, 1, 1}, {32, 1, 1}, 0};
  CHECK(__tgt_target_kernel(&place, device, 1, 32, behind__key__(), &packet) == 0);
}
static int sum_on(int64_t device, int *p, int64_t count) {
  int result = 0;
  launch(device, sum__key__(), p, count, &result, REX_MAP_PARAM | REX_MAP_TOFROM);
  return result;
}

static bool all_are(const std::vector<int> &p, int v) {
  for (int x : p)
    if (x != v) return false;
  return true;
}
static int64_t bytes_of(const std::vector<int> &p) { return static_cast<int64_t>(p.size() * sizeof(int)); }

// A device that is not used costs nothing; one that is used has its images and queues once.
static bool is_untouched(int device) {
  const fake_counts &found = *fake_counts_of(device);
  return found.modules + found.streams + found.pieces + found.pinned + found.copies_up + found.copies_down == 0;
}
static void try_counts() {
  std::vector<int> p(1 << 20, 1), q(1 << 20, 5);
  CHECK(fake_counts_of(0)->modules == 1 && is_untouched(1));
  begin(0, p.data(), bytes_of(p), REX_MAP_TOFROM);
  for (int i = 0; i < 5; i++) add_on(0, p.data(), 1000, 1);
  CHECK(fake_counts_of(0)->launches == 5 && fake_launches_by_libomptarget(0) == 0 && is_untouched(1));
  for (int turn = 0; turn < 2; turn++) {
    begin(1, q.data(), bytes_of(q), REX_MAP_TOFROM);
    add_on(1, q.data(), static_cast<int64_t>(q.size()), 2);
    CHECK(sum_on(1, q.data(), 100) == 100 * (7 + 2 * turn));
    end(1, q.data(), bytes_of(q), REX_MAP_FROM);
    CHECK(all_are(q, 7 + 2 * turn));
  }
  CHECK(fake_counts_of(1)->modules == 1 && fake_counts_of(1)->launches == 4);
  CHECK(fake_counts_of(1)->copies_up > 0 && fake_counts_of(1)->copies_down > 0);
  end(0, p.data(), bytes_of(p), REX_MAP_FROM);
  CHECK(p[0] == 6 && p[1000] == 1 && fake_depth() <= 1);
}

// Batches on both devices: what follows on another device finds what was done before; tasks overlap.
static void try_batches() {
  std::vector<int> p(1000, 0), q(1000, 0);
  begin(0, p.data(), bytes_of(p), REX_MAP_TO), begin(1, q.data(), bytes_of(q), REX_MAP_TO);
  for (int turn = 0; turn < 20; turn++) {
    rex_batch_begin();
    for (int k = 0; k < 50; k++) {
      rex_task one = {1, 0, nullptr, 0}, *task = turn % 2 == 1 ? &one : nullptr;
      add_on(0, p.data(), 1000, 1, task);
      add_on(1, q.data(), 1000, 2, task);
      if (k % 10 == 0) update(k % 20 == 0 ? 0 : 1, k % 20 == 0 ? p.data() : q.data(), 4, REX_MAP_FROM);
      if (k == 20) CHECK(p[0] == turn * 50 + 21);
    }
    rex_batch_end();
    update(0, p.data(), bytes_of(p), REX_MAP_FROM), update(1, q.data(), bytes_of(q), REX_MAP_FROM);
    CHECK(all_are(p, (turn + 1) * 50) && all_are(q, (turn + 1) * 100));
  }
  CHECK(fake_launches_by_libomptarget(0) + fake_launches_by_libomptarget(1) == 0 && fake_depth() <= 1);
  end(0, p.data(), bytes_of(p), REX_MAP_NONE), end(1, q.data(), bytes_of(q), REX_MAP_NONE);
}

// What updates take to a device is what was there when they were met, however much is queued; sections of no elements are
// nothing.
static void try_exchanges(bool brings_home) {
  constexpr int pieces = 40, size = 1000;
  std::vector<int> p(pieces * size, 0), none(size, 0);
  auto *counts = fake_counts_of(0);
  begin(0, p.data(), bytes_of(p), REX_MAP_TO);
  for (int turn = 1; turn <= 3; turn++) {
    rex_batch_begin();
    if (brings_home) update(0, p.data(), 4, REX_MAP_FROM);
    long up = counts->copies_up, pinned = counts->pinned;
    for (int k = 0; k < pieces; k++) {
      int *piece = p.data() + k * size;
      std::fill(piece, piece + size, turn * 100 + k);
      update(0, piece, size * 4, REX_MAP_TO);
      std::fill(piece, piece + size, -1);
      update(0, piece, 0, k % 2 == 0 ? REX_MAP_TO : REX_MAP_FROM), update(0, none.data(), 0, REX_MAP_TO);
      add_on(0, piece, size, 1);
    }
    CHECK(counts->copies_up == up + pieces && counts->pinned == pinned);
    rex_batch_end();
    update(0, p.data(), bytes_of(p), REX_MAP_FROM);
    for (int k = 0; k < pieces; k++) CHECK(p[k * size] == turn * 100 + k + 1 && p[k * size + size - 1] == turn * 100 + k + 1);
  }
  CHECK(fake_launches_by_libomptarget(0) == 0);
  end(0, p.data(), bytes_of(p), REX_MAP_NONE);
}

// A thread in the middle of a copy of ours keeps others from its memory only.
static std::atomic<int> held_device{-1}, held{0};
static std::atomic<bool> released{false};
extern "C" void fake_before_copy(int device, size_t size) {
  if (held_device != device || size < 4096) return;
  held++;
  while (!released) std::this_thread::yield();
}
static void try_beside(bool by_launch) {
  std::vector<int> p(1 << 20, 1), q(1 << 20, 2);
  released = false, held = 0;
  for (int i = 0; i < 20; i++) // until copies of this size are ours
    begin(0, p.data(), bytes_of(p), REX_MAP_TO), end(0, p.data(), bytes_of(p), REX_MAP_FROM);
  begin(0, q.data(), 4096, REX_MAP_TO);
  held_device = 0;
  std::thread copying([&] {
    if (by_launch) add_behind_on(0, p.data(), static_cast<int64_t>(p.size()));
    else begin(0, p.data(), bytes_of(p), REX_MAP_TO);
  });
  while (held == 0) std::this_thread::yield();
  std::atomic<int> reached{0};
  std::thread same([&] {
    reached = 1;
    if (!by_launch) add_on(0, p.data(), 1000, 5);
    begin(0, p.data(), bytes_of(p), REX_MAP_TO);
    reached = 2;
  });
  while (reached == 0) std::this_thread::yield();
  for (int i = 0; i < 100; i++) { // other memory, here and on the other device
    add_on(0, q.data(), 1000, 1);
    begin(0, q.data() + 2048, 400, REX_MAP_TO), end(0, q.data() + 2048, 400, REX_MAP_FROM);
    begin(1, p.data(), 40000, REX_MAP_TO), end(1, p.data(), 40000, REX_MAP_FROM);
  }
  CHECK(reached == 1);
  released = true;
  copying.join(), same.join();
  held_device = -1;
  CHECK(sum_on(0, p.data(), 1001) == (by_launch ? 4004 : 6001));
  if (!by_launch) end(0, p.data(), bytes_of(p), REX_MAP_FROM);
  end(0, p.data(), bytes_of(p), REX_MAP_FROM);
  CHECK(p[999] == (by_launch ? 4 : 6) && p[1000] == (by_launch ? 4 : 1));
  CHECK(fake_mappings(0) == 1 && fake_mappings(1) == 0);
  end(0, q.data(), 4096, REX_MAP_NONE);
}

// A thread in the middle of a copy of libomptarget's: launches and updates of others that find its data wait for the bytes.
static void try_arrival(bool in_batch) {
  std::vector<int> p(2000, 1), q(1000, 2);
  begin(0, q.data(), bytes_of(q), REX_MAP_TO);
  released = false, held = 0, held_device = 0;
  std::thread copying([&] { begin(0, p.data(), bytes_of(p), REX_MAP_TO); });
  while (held == 0) std::this_thread::yield();
  std::atomic<int> reached{0};
  std::thread same([&] {
    if (in_batch) rex_batch_begin();
    reached = 1;
    add_on(0, p.data(), 2000, 5);
    reached = 2;
    if (in_batch) rex_batch_end();
  });
  while (reached == 0) std::this_thread::yield();
  for (int i = 0; i < 100; i++) add_on(0, q.data(), 1000, 1); // other memory
  CHECK(reached == 1);
  released = true;
  copying.join(), same.join();
  held_device = -1;
  CHECK(sum_on(0, p.data(), 2000) == 12000 && sum_on(0, q.data(), 1000) == 102000);
  end(0, p.data(), bytes_of(p), REX_MAP_NONE), end(0, q.data(), bytes_of(q), REX_MAP_NONE);
}

// Many threads, each with arrays of its own on both devices, and one that all of them have.
static std::vector<int> shared(200000, 3);
static void work(int number) {
  int64_t device = number % 2;
  for (int turn = 0; turn < 6; turn++, device = 1 - device) {
    std::vector<int> p(static_cast<size_t>(number % 3 == 0 ? 300000 : 2000 + number), number);
    auto count = static_cast<int64_t>(p.size());
    begin(device, shared.data(), bytes_of(shared), REX_MAP_TO);
    begin(device, p.data(), bytes_of(p), REX_MAP_TO);
    add_on(device, p.data(), count, 10);
    rex_batch_begin();
    for (int k = 0; k < 10; k++) add_on(device, p.data(), count, 1);
    rex_batch_end();
    CHECK(sum_on(device, p.data(), 1000) == 1000 * (number + 20));
    update(device, p.data(), bytes_of(p), REX_MAP_FROM);
    CHECK(all_are(p, number + 20));
    p.assign(p.size(), turn);
    update(device, p.data(), bytes_of(p), REX_MAP_TO);
    CHECK(sum_on(device, shared.data(), 1000) == 3000);
    add_on(device, p.data(), count, 1);
    end(device, p.data(), bytes_of(p), REX_MAP_FROM);
    CHECK(all_are(p, turn + 1));
    end(device, shared.data(), bytes_of(shared), REX_MAP_NONE);
  }
}
static void try_threads(int count) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++) threads.emplace_back(work, i);
  for (std::thread &thread : threads) thread.join();
  CHECK(fake_mappings(0) == 0 && fake_mappings(1) == 0);
  CHECK(fake_counts_of(0)->modules == 1 && fake_counts_of(1)->modules == 1);
  CHECK(fake_counts_of(0)->launches > 0 && fake_counts_of(1)->launches > 0);
}

// Threads with kernels in their queues whose lambdas refer to the whole of an object and to parts of it: who unmaps waits for
// such kernels, and they must not wait for the unmapping thread.
static void try_captures() {
  constexpr int threads = 6, turns = 200;
  std::vector<int> p(1000, 0);
  int whole[threads] = {};
  begin(0, p.data(), bytes_of(p), REX_MAP_TO);
  auto capture = [&](int number, size_t size, int *from) {
    rex_captures captures(0);
    captures.map(from, from, size, false);
    captures.begin(&place);
    add_on(0, &whole[number], 1, 1);
  };
  std::vector<std::thread> running;
  for (int number = 0; number < threads; number++)
    running.emplace_back([&, number] {
      for (int turn = 0; turn < turns; turn++) {
        rex_batch_begin();
        add_on(0, p.data(), 1, 0);
        capture(number, sizeof(int), &whole[number]);
        add_on(0, p.data(), 1, 0);
        capture(number, sizeof whole, whole);
        add_on(0, p.data(), 1, 0);
        rex_batch_end();
      }
    });
  for (std::thread &one : running) one.join();
  for (int found : whole) CHECK(found == 2 * turns);
  end(0, p.data(), bytes_of(p), REX_MAP_NONE);
  CHECK(fake_mappings(0) == 0);
}

// So many launches and mappings leave nothing behind.
static long host_bytes() { return static_cast<long>(mallinfo2().uordblks); }
static void use_once(int64_t device, std::vector<int> &p, std::vector<int> &q, int turn) {
  add_on(device, p.data(), 10, 1);
  rex_batch_begin();
  for (int k = 0; k < 8; k++) add_on(device, p.data(), 10, 1);
  rex_batch_end();
  CHECK(sum_on(device, p.data(), 1) == p[0] + 9 * (turn + 1));
  begin(device, q.data(), turn % 50 == 0 ? bytes_of(q) : 400, REX_MAP_TO);
  end(device, q.data(), turn % 50 == 0 ? bytes_of(q) : 400, REX_MAP_FROM);
}
static void try_growth(int turns) {
  std::vector<int> p(1000, 1), q(50000, 1);
  for (int64_t device = 0; device < 2; device++) {
    begin(device, p.data(), bytes_of(p), REX_MAP_TO);
    for (int turn = 0; turn < 100; turn++) use_once(device, p, q, turn);
    fake_counts before = *fake_counts_of(static_cast<int>(device));
    long bytes = host_bytes();
    for (int turn = 100; turn < turns; turn++) use_once(device, p, q, turn);
    const fake_counts &now = *fake_counts_of(static_cast<int>(device));
    CHECK(now.streams == before.streams && now.pieces == before.pieces && now.pinned == before.pinned);
    CHECK(now.modules == before.modules && host_bytes() - bytes < 4096);
    CHECK(now.launches - before.launches >= 9 * (turns - 100));
    end(device, p.data(), bytes_of(p), REX_MAP_NONE);
  }
}

// A process that has used both devices has children, which use none, also while another thread of it launches.
static void try_forks() {
  std::atomic<bool> is_over{false};
  std::vector<int> beside(1000, 0);
  std::thread launching([&] {
    while (!is_over) add_on(1, beside.data(), 10, 1);
  });
  std::vector<int> p(300000, 1);
  for (int turn = 0; turn < 20; turn++) {
    for (int64_t device = 0; device < 2; device++) {
      begin(device, p.data(), bytes_of(p), REX_MAP_TO);
      add_on(device, p.data(), static_cast<int64_t>(p.size()), 1);
      end(device, p.data(), bytes_of(p), REX_MAP_FROM);
    }
    CHECK(all_are(p, 3 + 2 * turn));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) alarm(10), exit(all_are(p, 3 + 2 * turn) ? 5 : 6);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
  }
  is_over = true;
  launching.join();
}

// The program ends while its tasks run: they end first.
static std::vector<int> of_tasks[2];
static void look_at_tasks() {
  CHECK(all_are(of_tasks[0], 40) && all_are(of_tasks[1], 80));
  printf("%d checks, %d failures at exit\n", checks.load(), failures.load());
}
static void leave_tasks() {
  for (int device = 0; device < 2; device++) of_tasks[device].assign(2000, 0);
  atexit(look_at_tasks);
  for (int k = 0; k < 40; k++)
    for (int device = 0; device < 2; device++) {
      rex_task task = {1, 0, nullptr, 0};
      rex_depend_on(&task, of_tasks[device].data(), REX_DEPEND_INOUT);
      add_on(device, of_tasks[device].data(), 2000, device + 1, &task);
    }
}

// While a thread that OpenMP does not know ends the program.
static void end_in_thread() {
  leave_tasks();
  std::thread([] { exit(3); }).join();
}

// A kernel that fails, or does not end, in each of the ways to the GPU.
static void try_hard(const std::string &how, void *key) {
  std::vector<int> p(1000, 0);
  rex_task task = {1, 0, nullptr, 0};
  begin(0, p.data(), bytes_of(p), REX_MAP_TO);
  if (how == "batch") rex_batch_begin();
  launch(0, key, p.data(), 1000, nullptr, REX_MAP_LITERAL_PARAM, how == "task" ? &task : nullptr);
  if (how == "batch") add_on(0, p.data(), 1000, 1), rex_batch_end();
}

// A process that has used a GPU has a child that does so as well.
static void try_child(const std::string &how) {
  std::vector<int> p(1000, 0);
  begin(0, p.data(), bytes_of(p), REX_MAP_TO);
  pid_t child = fork();
  int status = 0;
  if (child == 0 && how == "routines") exit(omp_get_num_devices() == 2 && omp_get_default_device() == 0 ? 0 : 1);
  if (child == 0 && how == "launch") add_on(0, p.data(), 1000, 1), exit(0);
  if (child == 0) begin(0, p.data(), bytes_of(p), REX_MAP_TO), exit(0);
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(how == "routines" ? WIFEXITED(status) && WEXITSTATUS(status) == 0 : WIFSIGNALED(status));
  add_on(0, p.data(), 1000, 1);
  end(0, p.data(), bytes_of(p), REX_MAP_FROM);
  CHECK(all_are(p, 1));
}

int main(int argc, char **argv) {
  std::string what = argc > 1 ? argv[1] : "";
  int number = argc > 2 ? atoi(argv[2]) : 0;
  if (what == "start") return printf("images: %ld %ld\n", fake_counts_of(0)->modules, fake_counts_of(1)->modules), 0;
  const char *kept = getenv("LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD");
  if (what == "kept") return puts(kept != nullptr ? kept : "nothing") < 0;
  rex_offload_init();
  if (what == "visible")
    return printf("device %d of %d, %d units\n", omp_get_default_device(), omp_get_num_devices(),
                  rex_units(rex_offload_ready_state())) < 0;
  if (what == "counts") try_counts();
  if (what == "batches") try_batches();
  if (what == "exchanges") try_exchanges(false), try_exchanges(true);
  if (what == "beside") try_beside(false), try_beside(true);
  if (what == "arrival") try_arrival(false), try_arrival(true);
  if (what == "threads") try_threads(number);
  if (what == "captures") try_captures();
  if (what == "growth") try_growth(number);
  if (what == "forks") try_forks();
  if (what == "exit") leave_tasks();
  if (what == "exit_in_thread") end_in_thread();
  if (what == "fail") try_hard(argv[2], fail__key__());
  if (what == "stay") try_hard(argv[2], stay__key__());
  if (what == "child") try_child(argv[2]);
  printf("%d checks, %d failures\n", checks.load(), failures.load());
  return failures != 0;
}

static __tgt_offload_entry __rex_offload_entries[] = {REX_KERNEL_ENTRY(add__), REX_KERNEL_ENTRY(behind__),
                                                      REX_KERNEL_ENTRY(sum__), REX_KERNEL_ENTRY(fail__),
                                                      REX_KERNEL_ENTRY(stay__)};
REX_IMAGE(__rex_image_0, "two_gpus.sm_90.cubin")
static rex_offload_image __rex_offload_images[] = {REX_IMAGE_ROW(__rex_image_0, 90)};
REX_OFFLOAD_MODULE("two_gpus.cpp", __rex_offload_entries, __rex_offload_images)
