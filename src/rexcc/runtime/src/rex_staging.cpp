// SPDX-License-Identifier: Apache-2.0
#include "rex_staging.h"

#include "rex_explain.h"

#include <cstdlib>
#include <optional>

namespace __rex REX_HIDDEN {
namespace {

bool covers(const Call &call, int32_t row, const void *address) {
  const char *begin = static_cast<char *>(call.begins[row]), *asked = static_cast<const char *>(address);
  return asked >= begin && asked < begin + call.sizes[row];
}

} // namespace

bool has_relatives(const Call &call, int32_t row) {
  for (int32_t other = 0; other < call.count; other++) {
    if (other == row || (call.types[other] & (REX_MAP_LITERAL | REX_MAP_NON_CONTIG)) != 0) continue;
    if ((call.types[other] & REX_MAP_ALL_MEMBERS) == REX_MAP_MEMBER_OF(row)) return true;
    if (call.sizes[other] > 0 && (covers(call, row, call.begins[other]) || covers(call, other, call.begins[row])))
      return true;
  }
  return false;
}

bool has_attached_pointers(const Call &call, int32_t row) {
  return Gate::opened()->attached.any_in(static_cast<char *>(call.begins[row]), call.sizes[row]);
}

namespace {

using Rows = std::vector<int32_t>;

// Who carries copies to and from the call's device; null for libomptarget.
DeviceRings *rings_of(const Call &call) {
  Staging *staging = Staging::of_link_unit();
  return staging != nullptr ? staging->rings_of(call.device_number()) : nullptr;
}

// The rows whose copies in one of the directions may be ours.
Rows rows_to_stage(const Call &call, const int64_t *types, int64_t directions) {
  constexpr int64_t special = REX_MAP_LITERAL | REX_MAP_PRIVATE | REX_MAP_NON_CONTIG | REX_MAP_ALWAYS | REX_MAP_DELETE |
                              REX_MAP_PTR_AND_OBJ | REX_MAP_OMPX_HOLD | REX_MAP_COPIES_POINTERS | REX_MAP_ALL_MEMBERS |
                              REX_MAP_PARTIALS | REX_MAP_REDUCED;
  Rows rows;
  if (rings_of(call) == nullptr) return rows;
  for (int32_t row = 0; row < call.count; row++) {
    if (call.sizes[row] < Staging::kSmallest || (types[row] & special) != 0 || (types[row] & directions) == 0) continue;
    if (has_relatives(call, row) || has_attached_pointers(call, row)) continue;
    rows.push_back(row);
  }
  if (rows.empty()) return rows;
  for (int32_t row = 0; row < call.count; row++)
    if (call.has_mapper(row)) return {};
  return rows;
}

// Those of them that are ours by what they cost.
Rows rows_worth_it(const Call &call, const int64_t *types, int64_t directions) {
  Staging *staging = Staging::of_link_unit();
  Rows rows;
  for (int32_t row : rows_to_stage(call, types, directions))
    if (staging->is_pageable(call.begins[row]) && rings_of(call)->worth(call.sizes[row])) rows.push_back(row);
  return rows;
}

// Only those rows of which all, or nothing, is on the device.
void keep(Rows &rows, const Call &call, Presence wanted) {
  size_t kept = 0;
  for (int32_t row : rows)
    if (presence(storage_of(call, row), call.device_number(), false) == wanted) rows[kept++] = row;
  rows.resize(kept);
}

void *address_on_device(const Call &call, int32_t row) { return omp_get_mapped_ptr(call.begins[row], call.device_number()); }

// What libomptarget is to do with rows that it does not copy.
std::vector<int64_t> types_without(const Call &call, const int64_t *types, const Rows &rows, int64_t directions) {
  std::vector<int64_t> changed(types, types + call.count);
  for (int32_t row : rows) changed[row] &= ~directions;
  return changed;
}

void ask(__tgt_data_call *function, const Call &call, int64_t *types) {
  function(const_cast<__rex_ident *>(call.place), call.device, call.count, call.bases, call.begins, call.sizes, types,
           call.names, call.mappers);
}

// Copies a row that is on the device, ourselves if we can.
void copy_row(const Call &call, int32_t row, int64_t direction) {
  auto *host = static_cast<char *>(call.begins[row]);
  bool is_up = direction == REX_MAP_TO;
  if (rings_of(call)->copy(is_up, address_on_device(call, row), host, call.sizes[row])) return;
  __tgt_target_data_update_mapper(const_cast<__rex_ident *>(call.place), call.device, 1, call.bases + row,
                                  call.begins + row, call.sizes + row, &direction, nullptr, nullptr);
}

} // namespace

void begin_data(const Call &call, int64_t *types, Inside &inside) {
  const Rows wanted = rows_worth_it(call, types, REX_MAP_TO);
  if (!wanted.empty()) {
    TakenOver taken(inside, call, wanted);
    Rows absent = taken ? wanted : Rows();
    keep(absent, call, Presence::none);
    if (!absent.empty()) {
      ask(__tgt_target_data_begin_mapper, call, types_without(call, types, absent, REX_MAP_TO).data());
      for (int32_t row : absent) copy_row(call, row, REX_MAP_TO);
      return;
    }
  }
  ask(__tgt_target_data_begin_mapper, call, types);
}

// libomptarget does not tell before the end whether a reference is the last, and after it the memory is gone. So the bytes
// are put beside it first, which the GPU does a hundred times as fast.
void end_data(const Call &call, int64_t *types, Inside &inside) {
  const Rows wanted = rows_worth_it(call, types, REX_MAP_FROM);
  if (wanted.empty()) return ask(__tgt_target_data_end_mapper, call, types);
  DeviceRings &rings = *rings_of(call);
  TakenOver taken(inside, call, wanted);
  Rows rows = taken ? wanted : Rows();
  keep(rows, call, Presence::whole);
  std::optional<Rescue> rescue;
  std::vector<Rescue::Item> items;
  for (int32_t row : rows) items.push_back({address_on_device(call, row), call.sizes[row]});
  if (!items.empty()) rescue.emplace(rings, items);
  if (!rescue || !rescue->is_good()) rows.clear();
  ask(__tgt_target_data_end_mapper, call, types_without(call, types, rows, REX_MAP_FROM).data());
  for (size_t i = 0; i < rows.size(); i++) {
    int32_t row = rows[i];
    if (omp_target_is_present(call.begins[row], call.device_number())) continue;
    auto *host = static_cast<char *>(call.begins[row]);
    void *copy = rescue->copy_of(i);
    if (rings.copy(false, copy, host, call.sizes[row]) || rescue->give_back(copy, host, call.sizes[row])) continue;
    tell(call, row, "cannot be copied back from device", "");
    abort();
  }
}

void update_data(const Call &call, int64_t *types) {
  Rows rows = rows_worth_it(call, types, REX_MAP_TOFROM);
  keep(rows, call, Presence::whole);
  if (rows.empty()) return ask(__tgt_target_data_update_mapper, call, types);
  for (int32_t row : rows)
    for (int64_t direction : {REX_MAP_TO, REX_MAP_FROM})
      if ((types[row] & direction) != 0) copy_row(call, row, direction);
  if (static_cast<int32_t>(rows.size()) == call.count) return;
  std::vector<int64_t> others(types, types + call.count);
  for (int32_t row : rows) others[row] = REX_MAP_LITERAL; // nothing to do
  ask(__tgt_target_data_update_mapper, call, others.data());
}

void MappedForLaunch::begin() {
  const Staging &staging = *Staging::of_link_unit();
  for (int32_t row : rows_to_stage(call, call.types, REX_MAP_TOFROM))
    if (!was_present(row) && staging.is_pageable(call.begins[row])) add(row);
  if (bases.empty()) return;
  mapped = {CallKind::data_begin, call.place, call.device, static_cast<int32_t>(bases.size()), bases.data(),
            begins.data(), sizes.data(), types.data(), call.names != nullptr ? names.data() : nullptr, nullptr};
  CurrentCall current(mapped);
  begin_data(mapped, types.data(), inside);
}

void MappedForLaunch::end(bool launched) {
  mapped.kind = CallKind::data_end;
  if (!launched)
    for (int64_t &type : types) type = REX_MAP_NONE;
  CurrentCall current(mapped);
  end_data(mapped, types.data(), inside);
  SeenAddresses::forget(call.device_number());
}

void MappedForLaunch::add(int32_t row) {
  bases.push_back(call.bases[row]);
  begins.push_back(call.begins[row]);
  sizes.push_back(call.sizes[row]);
  types.push_back(call.types[row] & (REX_MAP_TOFROM | REX_MAP_CLOSE | REX_MAP_IMPLICIT));
  names.push_back(call.names != nullptr ? call.names[row] : nullptr);
}

} // namespace __rex
