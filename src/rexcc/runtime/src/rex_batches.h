// SPDX-License-Identifier: Apache-2.0
//
// Batches: statements of the host program that cannot see whether the kernels they launch have ended, because they do
// nothing but launch kernels and compute with scalars (analysis/quiet_statements.py). In them a launch goes into a queue of the
// thread instead of being waited for, 3 instead of 11 us; their end waits. Part of register_cubin.cpp.
//
// A launch is queued only if it needs nothing but its kernel: all rows are values, small copies, or data that is on the
// device already. A target task that may be deferred need not be, and is queued as well, and so is a small update.
// Whatever else libomptarget is asked for waits for the queue first.
//
// REX_SYNCHRONOUS=1 waits for every kernel.
#ifndef REX_BATCHES_H
#define REX_BATCHES_H

#include "rex_explain.h"
#include "rex_gate.h"
#include "rex_queue.h"
#include "rex_registration.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" void *omp_get_mapped_ptr(const void *, int);

int32_t rex_has_batches = 0;

namespace {

// ";nn.c;find_distances;12;1;;" -> "nn.c:12 find_distances"
std::string readable_place(const ident_t *place) {
  std::vector<std::string> fields(1);
  for (const char *c = place != nullptr && place->source != nullptr ? place->source : ""; *c != '\0'; c++)
    *c == ';' ? fields.emplace_back() : fields.back() += *c;
  return fields.size() < 4 ? "target region" : fields[1] + ":" + fields[3] + " " + fields[2];
}

QueuedKernels queued_kernels;

// The batch that a thread is in.
struct Batch {
  int depth = 0;
  bool entered = false;   // the GPU's context is the thread's
  bool in_flight = false; // kernels have been queued since the last wait, from this place on
  const ident_t *place = nullptr;
  Queue queue;
};
__attribute__((__tls_model__("initial-exec"))) thread_local Batch batch;

// Who watches libomptarget's launches, or limits them, means all of them.
bool launches_are_watched() {
  for (const char *variable : {"LIBOMPTARGET_INFO", "LIBOMPTARGET_PROFILE", "OMP_TOOL_LIBRARIES", "OMP_NUM_TEAMS",
                               "OMP_TEAMS_THREAD_LIMIT", "OMP_THREAD_LIMIT", "REX_CUBIN"})
    if (getenv(variable) != nullptr) return true;
  return switched_on("REX_SYNCHRONOUS");
}

// The device's address of a row's data; null when it is not there as a whole.
char *device_address(const void *begin, int64_t size) {
  auto *first = static_cast<char *>(omp_get_mapped_ptr(begin, 0));
  if (first == nullptr || size <= 1) return first;
  void *last = omp_get_mapped_ptr(static_cast<const char *>(begin) + size - 1, 0);
  return last == first + size - 1 ? first : nullptr;
}

// What a launch gives its kernel.
class Arguments {
public:
  // False when a row needs more than an address, a value or a small copy.
  bool resolve(const Call &call, const Queue &queue) {
    if (call.count > kMostArguments || call.mappers != nullptr) return false;
    for (int32_t i = 0; i < call.count; i++)
      if (!resolve(call, i, queue)) return false;
    return used == 0 || queued_kernels.fill_room(queue, bytes, used);
  }

  // The first is the launch environment, which no kernel uses.
  void **parameters() {
    for (int32_t i = 0; i <= kMostArguments; i++) places[i] = &values[i];
    return places;
  }

private:
  bool resolve(const Call &call, int32_t row, const Queue &queue) {
    constexpr int64_t plain = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT | REX_MAP_LITERAL | REX_MAP_PRESENT;
    constexpr int64_t own_copy = REX_MAP_PARAM | REX_MAP_PRIVATE | REX_MAP_TO;
    int64_t type = call.types[row];
    char *base = static_cast<char *>(call.bases[row]), *begin = static_cast<char *>(call.begins[row]), *there = nullptr;
    if ((type & REX_MAP_PARAM) == 0) return false;
    if ((type & ~(own_copy | REX_MAP_IMPLICIT)) == 0 && (type & REX_MAP_PRIVATE) != 0)
      there = brought_along(begin, call.sizes[row], (type & REX_MAP_TO) != 0, queue);
    else if ((type & ~plain) != 0)
      return false;
    else if ((type & REX_MAP_LITERAL) != 0)
      there = begin = base;
    else
      there = device_address(begin, call.sizes[row]);
    values[row + 1] = there + (base - begin);
    return there != nullptr || (type & REX_MAP_LITERAL) != 0;
  }

  char *brought_along(const char *begin, int64_t size, bool has_value, const Queue &queue) {
    constexpr size_t alignment = 64;
    size_t start = (used + alignment - 1) / alignment * alignment;
    if (size < 0 || start + static_cast<size_t>(size) > Queue::kRoom) return nullptr;
    used = start + static_cast<size_t>(size);
    if (has_value) memcpy(bytes + start, begin, static_cast<size_t>(size));
    return reinterpret_cast<char *>(queue.room + start);
  }

  static constexpr int32_t kMostArguments = 64;
  void *values[kMostArguments + 1] = {}, *places[kMostArguments + 1];
  char bytes[Queue::kRoom];
  size_t used = 0;
};

// The bytes that an update sends to data that is on the device. The driver takes them from here: memory of the program's
// that it has pinned would be read later, when other values may stand there.
class SmallUpdate {
public:
  // False when there is more to do, or too much.
  bool resolve(const Call &call) {
    if (call.count > kMostRows || call.mappers != nullptr) return false;
    for (int32_t i = 0; i < call.count; i++)
      if (call.types[i] != REX_MAP_TO || !add(static_cast<const char *>(call.begins[i]), call.sizes[i])) return false;
    return true;
  }

  // False when the driver refuses; done again from the start, it does the same.
  bool send(const Queue &queue) const {
    for (int32_t i = 0; i < count; i++)
      if (!queued_kernels.copy(queue, there[i], bytes + start[i], start[i + 1] - start[i])) return false;
    return true;
  }

private:
  bool add(const char *begin, int64_t size) {
    if (size < 1 || size > static_cast<int64_t>(sizeof bytes - start[count])) return false;
    there[count] = device_address(begin, size);
    if (there[count] == nullptr) return false;
    memcpy(bytes + start[count], begin, static_cast<size_t>(size));
    start[count + 1] = start[count] + static_cast<size_t>(size);
    count++;
    return true;
  }

  static constexpr int32_t kMostRows = 16;
  char *there[kMostRows];
  char bytes[Queue::kRoom];
  size_t start[kMostRows + 1] = {};
  int32_t count = 0;
};

bool has_queue(const Call &call) {
  if (!batch.entered || call.device != 0) return false;
  if (batch.queue.stream == nullptr) batch.queue = queued_kernels.take_queue();
  return batch.queue.stream != nullptr;
}

bool queue_update(const Call &call) {
  if (!has_queue(call)) return false;
  Inside inside;
  SmallUpdate update;
  return update.resolve(call) && update.send(batch.queue);
}

bool queue_kernel(const Call &call, int teams, int threads, uint32_t shared_bytes, const void *host_ptr) {
  constexpr uint32_t always_there = 48 << 10; // more shared memory has to be asked for
  void *function = queued_kernels.function(host_ptr);
  if (function == nullptr || teams < 1 || threads < 1 || shared_bytes > always_there || !has_queue(call)) return false;
  Inside inside; // what is on the device has its values
  Arguments arguments;
  if (!arguments.resolve(call, batch.queue)) return false;
  return queued_kernels.launch(function, teams, threads, shared_bytes, batch.queue, arguments.parameters());
}

} // namespace

// Loads the kernels for batches: at the start if possible, not in the first batch, which the user may time.
static void prepare_batches() {
  if (rex_has_batches == 0 || rex_offload.kind != REX_ON_GPU) return;
  static const bool prepared = [] {
    bool may_queue = !registration->shares_memory && !registration->globals.any() && !launches_are_watched();
    if (may_queue) queued_kernels.load(modules_of_link_unit());
    return true;
  }();
  (void)prepared;
}

// Before anything that must not overlap with what is in the queue.
static void wait_for_batch() {
  if (!batch.in_flight) return;
  batch.in_flight = false;
  std::string failure = queued_kernels.wait(batch.queue);
  if (failure.empty()) return;
  say(readable_place(batch.place) + ": this kernel, or one that was queued behind it, has failed: " + failure +
      " (REX_SYNCHRONOUS=1 waits for each)");
  abort();
}

static bool queued(const Call &call, bool succeeded) {
  if (!succeeded) {
    wait_for_batch();
    return false;
  }
  if (!batch.in_flight) batch.place = call.place;
  return batch.in_flight = true;
}

// Whether a launch went into the thread's queue; if not, nothing is in it any more.
static bool launched_in_batch(const Call &call, int teams, int threads, uint32_t shared_bytes, const void *host_ptr) {
  return batch.depth > 0 && queued(call, queue_kernel(call, teams, threads, shared_bytes, host_ptr));
}

// The same for an update.
static bool updated_in_batch(const Call &call) { return batch.depth > 0 && queued(call, queue_update(call)); }

void rex_batch_begin() {
  if (batch.depth++ > 0) return;
  ensure_registered();
  prepare_batches();
  batch.entered = queued_kernels.any() && queued_kernels.enter();
}

void rex_batch_end() {
  if (--batch.depth > 0) return;
  wait_for_batch();
  if (batch.entered) queued_kernels.leave();
  queued_kernels.give_back(batch.queue);
  batch = Batch();
}

#endif
