// SPDX-License-Identifier: Apache-2.0
//
// What the runtime does with rows where a make-believe GPU reads only what the driver knows: its own memory, and variables
// and stacks that are pinned. libomptarget's part is played by functions of this file.
#include "rex_kept_memory.h"
#include "rex_shared_memory.h"
#include "rex_shared_rows.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace __rex;

extern "C" {
extern long fake_pinned, fake_moved;
int cuMemAllocManaged(uint64_t *address, size_t size, unsigned flags);
}

static int checks, failures;
static void check(bool good, const char *what, int line) {
  checks++;
  if (!good) failures++, fprintf(stderr, "shared.cpp:%d: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

// One pointer has a copy on the device.
static void *original, *copy_on_device;
extern "C" void *omp_get_mapped_ptr(const void *pointer, int) {
  return pointer == original ? &copy_on_device : const_cast<void *>(pointer);
}
extern "C" int omp_target_memcpy(void *to, const void *from, size_t size, size_t, size_t, int, int) {
  return memcpy(to, from, size), 0;
}
extern "C" int omp_get_initial_device(void) { return 1; }

static int variable = 1;
static const int constant[] = {1, 2, 3};
static const void *const relocated[] = {constant};
static int *heap, *foreign;

struct Row {
  void *base, *begin;
  int64_t size, type;
};
static std::vector<int64_t> types_of(CallKind kind, const std::vector<Row> &rows) {
  std::vector<void *> bases, begins;
  std::vector<int64_t> sizes, types;
  for (const Row &row : rows)
    bases.push_back(row.base), begins.push_back(row.begin), sizes.push_back(row.size), types.push_back(row.type);
  Call call = {kind, nullptr, 0, static_cast<int32_t>(rows.size()), bases.data(), begins.data(), sizes.data(), types.data(),
               nullptr, nullptr};
  share_rows(call);
  return std::vector<int64_t>(call.types, call.types + rows.size());
}

static Row row(void *begin, int64_t size, int64_t type) { return {begin, begin, size, type}; }

static void check_reading(const SharedMemory &memory) {
  int local = 0;
  CHECK(!memory.reads(&local));
  memory.share_thread();
  CHECK(memory.reads(&variable) && memory.reads(&failures) && memory.reads(constant) && memory.reads(relocated) && memory.reads(&local) && memory.reads(heap));
  CHECK(!memory.reads(foreign) && !memory.reads(nullptr));
  long before = fake_pinned;
  std::vector<std::thread> threads;
  std::atomic<int> pinned(0);
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&] {
      int own = 0;
      bool unknown = !memory.reads(&own);
      memory.types_of_call(), memory.types_of_call();
      pinned += unknown && memory.reads(&own) && SharedMemory::apart([&] {
                  int local = 0;
                  return memory.reads(&own) && !memory.reads(&local);
                });
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(pinned == 4 && fake_pinned == before);
}

// What the driver has on its stack is not pinned, also in calls within a call.
static void check_calls_apart(const SharedMemory &memory) {
  int own = 0, value = SharedMemory::apart([&] {
    int local = 0;
    bool inner = SharedMemory::apart([&] {
      int deeper = 0;
      return memory.reads(&own) && !memory.reads(&local) && !memory.reads(&deeper) && &deeper < &local;
    });
    SharedMemory::apart([&] { local = 40; });
    return inner && !memory.reads(&local) ? local + 2 : 0;
  });
  CHECK(value == 42 && memory.reads(&own) && memory.reads(&value));
  std::string text = SharedMemory::apart([] { return std::string(100, 'x'); });
  CHECK(text == std::string(100, 'x'));
}

static void check_rows() {
  int local = 0;
  constexpr int64_t literal = REX_MAP_LITERAL | REX_MAP_PARAM, close = REX_MAP_CLOSE;
  std::vector<Row> rows = {row(heap, 40, REX_MAP_TOFROM), row(foreign, 40, REX_MAP_TO),  row(foreign, 0, REX_MAP_PARAM),
                           row(foreign, 8, literal),      row(&local, 4, REX_MAP_FROM), row(&variable, 4, REX_MAP_TO),
                           row(foreign + 20, 12, REX_MAP_TO)};
  std::vector<int64_t> wanted = {REX_MAP_TOFROM, REX_MAP_TO | close, REX_MAP_PARAM, literal, REX_MAP_FROM, REX_MAP_TO,
                                 REX_MAP_TO | close};
  for (CallKind kind : {CallKind::data_begin, CallKind::kernel}) CHECK(types_of(kind, rows) == wanted);
  for (CallKind kind : {CallKind::data_end, CallKind::data_update})
    for (const Row &one : rows) CHECK(types_of(kind, {one})[0] == one.type);
  constexpr int64_t large = 4 << 20;
  types_of(CallKind::kernel, {row(heap, large, REX_MAP_TO)});
  CHECK(fake_moved == 0);
  types_of(CallKind::data_begin, {row(heap, large, REX_MAP_TO), row(foreign, large, REX_MAP_TO), row(heap, 4096, REX_MAP_TO)});
  CHECK(fake_moved == 4);
  const SharedMemory &memory = *SharedMemory::of_link_unit();
  CHECK(memory.type_of(heap, 4, REX_MAP_TO) == REX_MAP_TO && memory.type_of(foreign, 4, REX_MAP_TO) == (REX_MAP_TO | close));
}

// An object in memory that is mapped, with a pointer to memory that is shared: its copy has the host's address.
static void check_attached() {
  int64_t member = REX_MAP_MEMBER_OF(0) | REX_MAP_PTR_AND_OBJ | REX_MAP_TOFROM;
  auto *pointer = reinterpret_cast<int **>(foreign + 100);
  *pointer = heap;
  std::vector<Row> rows = {row(pointer, 8, REX_MAP_PARAM), {pointer, heap, 40, member}};
  auto types = types_of(CallKind::kernel, rows);
  CHECK(types[0] == (REX_MAP_PARAM | REX_MAP_CLOSE | REX_MAP_TO) && types[1] == member && copy_on_device == nullptr);
  original = pointer;
  types_of(CallKind::data_end, rows);
  CHECK(copy_on_device == nullptr);
  types_of(CallKind::data_begin, rows);
  CHECK(copy_on_device == heap);
  types = types_of(CallKind::kernel, {{pointer, foreign, 40, REX_MAP_PTR_AND_OBJ | REX_MAP_TO}});
  CHECK(types[0] == (REX_MAP_PTR_AND_OBJ | REX_MAP_TO | REX_MAP_CLOSE));
}

static void check_refused(const Row &one) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    types_of(CallKind::kernel, {one});
    _exit(0);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

// A pointer that host and GPU share cannot be another one there, and what 'self' maps is the host's own memory.
static void check_refused() {
  static int *shared = foreign;
  check_refused({&shared, foreign, 40, REX_MAP_PTR_AND_OBJ | REX_MAP_TO});
  check_refused(row(foreign, 40, REX_MAP_SELF | REX_MAP_TO));
  constexpr int64_t self = REX_MAP_SELF | REX_MAP_TOFROM;
  CHECK(types_of(CallKind::kernel, {row(heap, 40, self)})[0] == self);
}

// Blocks that libomptarget keeps: none that all ranks of a device would keep from each other.
static void check_kept() {
  constexpr int64_t mib = 1 << 20, gib = 1 << 30;
  Rank alone, one_of_two;
  one_of_two.count = 2;
  CHECK(largest_kept(80 * gib, alone, 1) == 16 * mib && largest_kept(8 * gib, alone, 1) == 4 * mib);
  CHECK(largest_kept(80 * gib, one_of_two, 1) == 0 && largest_kept(80 * gib, one_of_two, 2) == 16 * mib);
  CHECK(largest_kept(0, alone, 1) == 0);
}

int main() {
  check_kept();
  uint64_t address = 0;
  cuMemAllocManaged(&address, 4096, 1);
  heap = reinterpret_cast<int *>(address);
  foreign = static_cast<int *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK(types_of(CallKind::kernel, {row(foreign, 40, REX_MAP_TO)})[0] == REX_MAP_TO);
  SharedMemory::begin();
  CHECK(SharedMemory::of_link_unit() != nullptr);
  check_reading(*SharedMemory::of_link_unit());
  check_calls_apart(*SharedMemory::of_link_unit());
  check_rows();
  check_attached();
  check_refused();
  printf("%d checks, %d failures\n", checks, failures);
  return failures > 0;
}
