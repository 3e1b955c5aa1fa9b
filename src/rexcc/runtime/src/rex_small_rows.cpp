// SPDX-License-Identifier: Apache-2.0
#include "rex_small_rows.h"

#include "rex_explain.h"
#include "rex_kernel_clock.h"
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
  if (SeenAddresses::was_present(call.begins[row], call.device_number())) return Kind::elsewhere;
  return (type & ~plain) == 0 && (type & REX_MAP_PARAM) != 0 ? Kind::small : Kind::unfit;
}

// Of rows whose beginning is not on the device.
bool SmallRows::fits(int32_t row) {
  int64_t size = call.sizes[row];
  if (count == kMost || size < 0 || size > kMostBytes - bytes) return false;
  bytes += size;
  if (has_relatives(call, row) || has_attached_pointers(call, row)) return false;
  return size == 1 || omp_target_is_present(static_cast<char *>(call.begins[row]) + size - 1, call.device_number()) == 0;
}

bool SmallRows::launched(const Shape &shape, Inside &inside) {
  QueuedKernels &kernels = *QueuedKernels::of_device(call.device);
  if (count == 0 || !can_start(kernels, shape) || !MayUnmap::is_alone(kernels.device)) return false;
  const std::vector<int32_t> own(rows, rows + count); // others look at it
  TakenOver taken(inside, call, own);
  if (!taken) return false;
  ask(__tgt_target_data_begin_mapper);
  bool done = are_mapped() && launched_between(kernels, shape);
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

// Of an implicit item a part may have been there, which is what the kernel gets then.
bool SmallRows::are_mapped() {
  for (int32_t i = 0; i < count; i++) {
    auto *begin = static_cast<char *>(call.begins[rows[i]]);
    int64_t last = call.sizes[rows[i]] - 1;
    there[i] = static_cast<char *>(omp_get_mapped_ptr(begin, call.device_number()));
    if (there[i] == nullptr) return false;
    if (last > 0 && omp_get_mapped_ptr(begin + last, call.device_number()) != there[i] + last) return false;
  }
  return true;
}

// Nobody else looks at the rows meanwhile, so the look-up waits for no copies.
bool SmallRows::launched_between(QueuedKernels &kernels, const Shape &shape) {
  Arguments arguments;
  if (!arguments.resolve(call, {rows, there, count}) || !begin_unreferenced_inside(kernels.device)) return false;
  std::string failure;
  bool done = done_in_queue(
      kernels, [&](Queue &queue) { return start(kernels, queue, shape, arguments); },
      [&](Queue &queue) { arrive(kernels.arrivals(queue)); }, failure);
  end_unreferenced(kernels.device);
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
