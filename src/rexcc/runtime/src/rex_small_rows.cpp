// SPDX-License-Identifier: Apache-2.0
#include "rex_small_rows.h"

#include "rex_absent_objects.h"
#include "rex_explain.h"
#include "rex_kernel_clock.h"
#include "rex_seen_whole.h"
#include "rex_staging.h"

#include <cstring>

namespace __rex REX_HIDDEN {

SmallRows::SmallRows(const Call &launch) : call(launch) {
  for (int32_t row = 0; row < call.count; row++) {
    Kind kind = kind_of(row);
    if (kind == Kind::elsewhere) continue;
    if (kind == Kind::unfit || !fits(row)) {
      count = 0;
      return;
    }
    rows[count++] = row;
  }
}

// Rows without bytes to map are what Arguments makes of them.
SmallRows::Kind SmallRows::kind_of(int32_t row) const {
  constexpr int64_t plain = REX_MAP_PARAM | REX_MAP_TOFROM | REX_MAP_IMPLICIT;
  int64_t type = call.types[row];
  if (call.sizes[row] == 0 || (type & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) != 0) return Kind::elsewhere;
  if (SeenAddresses::was_present(call.begins[row], call.device_number()) || is_of_absent_object(row)) return Kind::elsewhere;
  return (type & ~plain) == 0 && (type & REX_MAP_PARAM) != 0 ? Kind::small : Kind::unfit;
}

// Whether it is what Arguments may make a copy of.
bool SmallRows::is_of_absent_object(int32_t row) const {
  if ((call.types[row] & REX_MAP_PTR_AND_OBJ) != 0) return false;
  int32_t object = object_of(call, row);
  return covers_absent_object(call, object < 0 ? row : object);
}

bool SmallRows::fits(int32_t row) {
  int64_t size = call.sizes[row];
  if (count == kMost || size < 0 || size > kMostBytes - bytes) return false;
  bytes += size;
  return !has_relatives(call, row) && !has_attached_pointers(call, row) && !attaches_in(row);
}

// Whether the launch itself attaches a pointer in a row.
bool SmallRows::attaches_in(int32_t row) const {
  const char *begin = static_cast<char *>(call.begins[row]);
  for (int32_t other = 0; other < call.count; other++) {
    const char *pointer = static_cast<char *>(call.bases[other]);
    bool is_inside = pointer >= begin && pointer < begin + call.sizes[row];
    if (is_inside && (call.types[other] & REX_MAP_PTR_AND_OBJ) != 0) return true;
  }
  return false;
}

bool SmallRows::launched(const Shape &shape, Inside &inside) {
  QueuedKernels &kernels = *QueuedKernels::of_device(call.device);
  if (count == 0) return false;
  const std::vector<int32_t> own(rows, rows + count); // others look at it
  TakenOver taken(inside, call, own);
  if (!taken || !are_absent()) return false;
  for (int32_t row : own)
    note_pointer(call.bases[row], call.begins[row], call.sizes[row], call.types[row], call.device_number());
  ask(__tgt_target_data_begin_mapper);
  bool done = are_mapped() && launched_between(kernels, shape, inside);
  for (int32_t row : own)
    if (done) SeenNew::note(call.begins[row], call.sizes[row], call.device_number());
  ask(__tgt_target_data_end_mapper);
  return done;
}

// Nothing is copied.
void SmallRows::ask(__tgt_data_call *function) const {
  void *bases[kMost], *begins[kMost], *names[kMost];
  int64_t sizes[kMost], types[kMost];
  for (int32_t i = 0; i < count; i++) {
    bases[i] = call.bases[rows[i]], begins[i] = call.begins[rows[i]];
    names[i] = call.names != nullptr ? call.names[rows[i]] : nullptr;
    sizes[i] = call.sizes[rows[i]], types[i] = call.types[rows[i]] & REX_MAP_IMPLICIT;
  }
  CallKind kind = function == __tgt_target_data_begin_mapper ? CallKind::data_begin : CallKind::data_end;
  Call asked = {kind,  call.place, call.device, count, bases, begins, sizes, types, call.names != nullptr ? names : nullptr,
                nullptr};
  CurrentCall current(asked);
  function(const_cast<__rex_ident *>(call.place), call.device, count, bases, begins, sizes, types, asked.names, nullptr);
}

// Another thread may have mapped some before the rows were taken over: then nothing is to be copied.
bool SmallRows::are_absent() const {
  for (int32_t i = 0; i < count; i++) {
    auto *begin = static_cast<char *>(call.begins[rows[i]]), *last = begin + call.sizes[rows[i]] - 1;
    if (omp_target_is_present(begin, call.device_number()) != 0) return false;
    if (last != begin && omp_target_is_present(last, call.device_number()) != 0) return false;
  }
  return true;
}

// Of an implicit item a part between its ends may have been there, which is what the kernel gets then. Where the
// beginning is there now, the row is, as a whole.
bool SmallRows::are_mapped() {
  for (int32_t i = 0; i < count; i++) {
    there[i] = static_cast<char *>(omp_get_mapped_ptr(call.begins[rows[i]], call.device_number()));
    if (there[i] == nullptr) return false;
  }
  return true;
}

// Other rows are looked up once nobody may unmap them. Where another thread still brings something to them, libomptarget
// waits for that; here it might be waited for mutually.
bool SmallRows::launched_between(QueuedKernels &kernels, const Shape &shape, const Inside &inside) {
  if (!begin_unreferenced_inside(kernels.device)) return false;
  Arguments arguments;
  bool is_ready = arguments.resolve(call, false, {rows, there, count}) && !inside.others_copy(call);
  bool done = is_ready && launched_with(kernels, shape, arguments);
  end_unreferenced(kernels.device);
  return done;
}

bool SmallRows::launched_with(QueuedKernels &kernels, const Shape &shape, Arguments &arguments) {
  std::string failure;
  bool done = done_in_queue(
      kernels, [&](Queue &queue) { return start(kernels, queue, shape, arguments); },
      [&](Queue &queue) { arrive(kernels.arrivals(queue)); }, failure);
  if (!failure.empty()) end_failed(call.place, "this kernel", failure);
  return done;
}

// What is queued must end before the rows are unmapped, and a kernel that has been launched is not launched once more.
bool SmallRows::start(const QueuedKernels &kernels, Queue &queue, const Shape &shape, Arguments &arguments) {
  if (kernels.arrivals(queue) == nullptr || QueuedKernels::departures(queue) == nullptr) return false;
  bool launched = bring(kernels, queue) && launched_by_clock(queue.stream, [&] {
                    return __rex::start(kernels, queue, shape, arguments);
                  });
  if (launched && !fetch(kernels, queue)) end_failed(call.place, "this kernel", "its results cannot be copied");
  if (!launched) kernels.wait(queue);
  return launched;
}

bool SmallRows::bring(const QueuedKernels &kernels, Queue &queue) const {
  char *departures = QueuedKernels::departures(queue);
  for (int32_t i = 0; i < count; i++) {
    if ((call.types[rows[i]] & REX_MAP_TO) == 0) continue;
    auto size = static_cast<size_t>(call.sizes[rows[i]]);
    memcpy(departures, call.begins[rows[i]], size);
    if (!kernels.bring(queue, reinterpret_cast<uintptr_t>(there[i]), departures, size)) return false;
  }
  return true;
}

bool SmallRows::fetch(const QueuedKernels &kernels, Queue &queue) const {
  char *arrival = kernels.arrivals(queue);
  for (int32_t i = 0; i < count; i++) {
    if ((call.types[rows[i]] & REX_MAP_FROM) == 0) continue;
    auto size = static_cast<size_t>(call.sizes[rows[i]]);
    if (!kernels.fetch(queue, arrival, reinterpret_cast<uintptr_t>(there[i]), size)) return false;
    arrival += size;
  }
  return true;
}

void SmallRows::arrive(const char *arrivals) const {
  for (int32_t i = 0; i < count; i++) {
    if ((call.types[rows[i]] & REX_MAP_FROM) == 0) continue;
    memcpy(call.begins[rows[i]], arrivals, static_cast<size_t>(call.sizes[rows[i]]));
    arrivals += call.sizes[rows[i]];
  }
}

} // namespace __rex
