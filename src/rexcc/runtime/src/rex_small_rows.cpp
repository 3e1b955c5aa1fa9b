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
      rows.clear();
      return;
    }
    rows.push_back(row);
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

bool SmallRows::fits(int32_t row) {
  if (call.sizes[row] < 0 || call.sizes[row] > kMost - bytes) return false;
  bytes += call.sizes[row];
  if (has_relatives(call, row) || has_attached_pointers(call, row)) return false;
  return presence(storage_of(call, row), call.device_number(), false) == Presence::none;
}

bool SmallRows::launched(const Shape &shape, Inside &inside) {
  QueuedKernels &kernels = *QueuedKernels::of_device(call.device);
  if (rows.empty() || !can_start(kernels, shape) || !MayUnmap::is_alone(kernels.device)) return false;
  TakenOver taken(inside, call, rows);
  if (!taken) return false;
  ask(__tgt_target_data_begin_mapper);
  bool done = are_mapped() && launched_between(kernels, shape);
  ask(__tgt_target_data_end_mapper);
  return done;
}

// Nothing is copied.
void SmallRows::ask(__tgt_data_call *function) {
  std::vector<void *> bases, begins, names;
  std::vector<int64_t> sizes, types;
  for (int32_t row : rows) {
    bases.push_back(call.bases[row]);
    begins.push_back(call.begins[row]);
    names.push_back(call.names != nullptr ? call.names[row] : nullptr);
    sizes.push_back(call.sizes[row]);
    types.push_back(call.types[row] & REX_MAP_IMPLICIT);
  }
  bool begins_data = function == __tgt_target_data_begin_mapper;
  Call asked = {begins_data ? CallKind::data_begin : CallKind::data_end, call.place, call.device,
                static_cast<int32_t>(rows.size()), bases.data(), begins.data(), sizes.data(), types.data(),
                call.names != nullptr ? names.data() : nullptr, nullptr};
  CurrentCall current(asked);
  function(const_cast<__rex_ident *>(call.place), call.device, asked.count, asked.bases, asked.begins, asked.sizes,
           asked.types, asked.names, nullptr);
}

// Of an implicit item a part may have been there, which is what the kernel gets then.
bool SmallRows::are_mapped() const {
  for (int32_t row : rows)
    if (presence(storage_of(call, row), call.device_number(), false) != Presence::whole) return false;
  return true;
}

uint64_t SmallRows::place(int32_t row) const {
  return reinterpret_cast<uintptr_t>(omp_get_mapped_ptr(call.begins[row], call.device_number()));
}

// Nobody else looks at the rows meanwhile, so the look-up waits for no copies.
bool SmallRows::launched_between(QueuedKernels &kernels, const Shape &shape) {
  Arguments arguments;
  if (!arguments.resolve(call) || !begin_unreferenced_inside(kernels.device)) return false;
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
  for (int32_t row : rows) {
    if ((call.types[row] & REX_MAP_TO) == 0) continue;
    auto size = static_cast<size_t>(call.sizes[row]);
    memcpy(departures, call.begins[row], size);
    if (!kernels.bring(queue, place(row), departures, size)) return false;
  }
  return true;
}

bool SmallRows::fetch(const QueuedKernels &kernels, Queue &queue) const {
  char *arrival = kernels.arrivals(queue);
  for (int32_t row : rows) {
    if ((call.types[row] & REX_MAP_FROM) == 0) continue;
    auto size = static_cast<size_t>(call.sizes[row]);
    if (!kernels.fetch(queue, arrival, place(row), size)) return false;
    arrival += size;
  }
  return true;
}

void SmallRows::arrive(const char *arrivals) const {
  for (int32_t row : rows) {
    if ((call.types[row] & REX_MAP_FROM) == 0) continue;
    memcpy(call.begins[row], arrivals, static_cast<size_t>(call.sizes[row]));
    arrivals += call.sizes[row];
  }
}

} // namespace __rex
