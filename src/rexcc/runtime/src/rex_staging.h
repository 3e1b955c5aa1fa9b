// SPDX-License-Identifier: Apache-2.0
//
// Copies between host and GPU, taken over from libomptarget, which leaves them to the driver (rex_copy_ring.h says what
// that costs). libomptarget still maps, counts references and decides what is new and what is the last: it is called
// with rows that copy nothing, and what it would have copied is copied here.
//
// That has to be invisible. Between the call and the copy no other thread may find the mapping (rex_gate.h): where one is
// inside libomptarget already, libomptarget copies itself. Rows are left to it too if there is anything special about
// them: other rows for a part of them, pointers attached in them, modifiers, gaps, mappers. Part of register_cubin.cpp.
#ifndef REX_STAGING_H
#define REX_STAGING_H

#include "rex_explain.h"
#include "rex_gate.h"
#include "rex_libomptarget.h"
#include "rex_rings.h"

#include <cstdlib>
#include <optional>
#include <vector>

// Tests copy to the CPU device, with a driver of their own.
#ifndef REX_STAGING_KIND
#define REX_STAGING_KIND REX_ON_GPU
#endif

namespace {

using Rows = std::vector<int32_t>;

// Null where libomptarget copies everything.
Staging *staging;

bool covers(const Call &call, int32_t row, const void *address) {
  const char *begin = static_cast<char *>(call.begins[row]), *asked = static_cast<const char *>(address);
  return asked >= begin && asked < begin + call.sizes[row];
}

// Whether another row speaks of the same memory, or belongs to this one.
bool has_relatives(const Call &call, int32_t row) {
  for (int32_t other = 0; other < call.count; other++) {
    if (other == row || (call.types[other] & (REX_MAP_LITERAL | REX_MAP_NON_CONTIG)) != 0) continue;
    if ((call.types[other] & REX_MAP_ALL_MEMBERS) == REX_MAP_MEMBER_OF(row)) return true;
    if (call.sizes[other] > 0 && (covers(call, row, call.begins[other]) || covers(call, other, call.begins[row])))
      return true;
  }
  return false;
}

// The rows whose copies in one of the directions may be ours.
Rows rows_to_stage(const Call &call, const int64_t *types, int64_t directions) {
  constexpr int64_t special = REX_MAP_LITERAL | REX_MAP_PRIVATE | REX_MAP_NON_CONTIG | REX_MAP_ALWAYS | REX_MAP_DELETE |
                              REX_MAP_PTR_AND_OBJ | REX_MAP_OMPX_HOLD | REX_MAP_COPIES_POINTERS | REX_MAP_ALL_MEMBERS |
                              REX_MAP_PARTIALS | REX_MAP_REDUCED;
  Rows rows;
  if (staging == nullptr) return rows;
  for (int32_t row = 0; row < call.count; row++) {
    if (call.sizes[row] < Staging::kSmallest || (types[row] & special) != 0 || (types[row] & directions) == 0) continue;
    if (has_relatives(call, row) || gate->attached.any_in(static_cast<char *>(call.begins[row]), call.sizes[row])) continue;
    rows.push_back(row);
  }
  if (rows.empty()) return rows;
  for (int32_t row = 0; row < call.count; row++)
    if (call.has_mapper(row)) return {};
  return rows;
}

// Those of them that are ours by what they cost.
Rows rows_worth_it(const Call &call, const int64_t *types, int64_t directions) {
  Rows rows;
  for (int32_t row : rows_to_stage(call, types, directions))
    if (staging->is_pageable(call.begins[row]) && staging->worth(call.sizes[row])) rows.push_back(row);
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

void ask(DataCall *function, const Call &call, int64_t *types) {
  function(const_cast<__rex_ident *>(call.place), call.device, call.count, call.bases, call.begins, call.sizes, types,
           call.names, call.mappers);
}

// Copies a row that is on the device, ourselves if we can.
void copy_row(const Call &call, int32_t row, int64_t direction) {
  if (staging->copy(direction == REX_MAP_TO, address_on_device(call, row), static_cast<char *>(call.begins[row]),
                    call.sizes[row]))
    return;
  __rex_real___tgt_target_data_update(const_cast<__rex_ident *>(call.place), call.device, 1, call.bases + row,
                                      call.begins + row, call.sizes + row, &direction, nullptr, nullptr);
}

// The three calls of libomptarget; `types` are those of the call, perhaps changed by others already.

void begin_data(const Call &call, int64_t *types, Inside &inside) {
  Rows rows = rows_worth_it(call, types, REX_MAP_TO);
  if (!rows.empty()) {
    Alone alone(inside);
    if (alone) keep(rows, call, Presence::none);
    if (alone && !rows.empty()) {
      ask(__rex_real___tgt_target_data_begin, call, types_without(call, types, rows, REX_MAP_TO).data());
      for (int32_t row : rows) copy_row(call, row, REX_MAP_TO);
      return;
    }
  }
  ask(__rex_real___tgt_target_data_begin, call, types);
}

// libomptarget does not tell before the end whether a reference is the last, and after it the memory is gone. So the bytes
// are put beside it first, which the GPU does a hundred times as fast.
void end_data(const Call &call, int64_t *types, Inside &inside) {
  Rows rows = rows_worth_it(call, types, REX_MAP_FROM);
  if (rows.empty()) return ask(__rex_real___tgt_target_data_end, call, types);
  Alone alone(inside);
  if (alone) keep(rows, call, Presence::whole);
  else rows.clear();
  std::optional<Rescue> rescue;
  std::vector<Rescue::Item> items;
  for (int32_t row : rows) items.push_back({address_on_device(call, row), call.sizes[row]});
  if (!items.empty()) rescue.emplace(*staging, items);
  if (!rescue || !rescue->is_good()) rows.clear();
  ask(__rex_real___tgt_target_data_end, call, types_without(call, types, rows, REX_MAP_FROM).data());
  for (size_t i = 0; i < rows.size(); i++) {
    int32_t row = rows[i];
    if (omp_target_is_present(call.begins[row], call.device_number())) continue;
    auto *host = static_cast<char *>(call.begins[row]);
    void *copy = rescue->copy_of(i);
    if (staging->copy(false, copy, host, call.sizes[row]) || rescue->give_back(copy, host, call.sizes[row])) continue;
    tell(call, row, "cannot be copied back from device", "");
    abort();
  }
}

// A launch maps its rows itself. Large ones that are new are mapped before it and unmapped after it, to the same effect.
class MappedForLaunch {
public:
  MappedForLaunch(const Call &launch, Inside &given) : call(launch), inside(given) {
    if (staging == nullptr || !has_new_rows()) return;
    for (int32_t row : rows_to_stage(call, call.types, REX_MAP_TOFROM))
      if (!was_present(call.begins[row], call.device_number()) && staging->is_pageable(call.begins[row])) add(row);
    if (bases.empty()) return;
    mapped = {CallKind::data_begin, call.place, call.device, static_cast<int32_t>(bases.size()), bases.data(),
              begins.data(), sizes.data(), types.data(), call.names != nullptr ? names.data() : nullptr, nullptr};
    CurrentCall current(mapped);
    begin_data(mapped, types.data(), inside);
  }
  MappedForLaunch(const MappedForLaunch &) = delete;

  // After a launch that failed nothing has changed.
  void finish(bool launched) {
    if (bases.empty()) return;
    mapped.kind = CallKind::data_end;
    if (!launched)
      for (int64_t &type : types) type = REX_MAP_NONE;
    CurrentCall current(mapped);
    end_data(mapped, types.data(), inside);
    forget_seen();
  }

private:
  // Most launches have none: their data has been mapped before.
  bool has_new_rows() const {
    for (int32_t row = 0; row < call.count; row++)
      if (call.sizes[row] >= Staging::kSmallest && (call.types[row] & REX_MAP_TOFROM) != 0 &&
          !was_present(call.begins[row], call.device_number()))
        return true;
    return false;
  }

  void add(int32_t row) {
    bases.push_back(call.bases[row]);
    begins.push_back(call.begins[row]);
    sizes.push_back(call.sizes[row]);
    types.push_back(call.types[row] & (REX_MAP_TOFROM | REX_MAP_CLOSE | REX_MAP_IMPLICIT));
    names.push_back(call.names != nullptr ? call.names[row] : nullptr);
  }

  const Call &call;
  Inside &inside;
  Call mapped{};
  std::vector<void *> bases, begins, names;
  std::vector<int64_t> sizes, types;
};

void update_data(const Call &call, int64_t *types) {
  Rows rows = rows_worth_it(call, types, REX_MAP_TOFROM);
  keep(rows, call, Presence::whole);
  if (rows.empty()) return ask(__rex_real___tgt_target_data_update, call, types);
  for (int32_t row : rows)
    for (int64_t direction : {REX_MAP_TO, REX_MAP_FROM})
      if ((types[row] & direction) != 0) copy_row(call, row, direction);
  if (static_cast<int32_t>(rows.size()) == call.count) return;
  std::vector<int64_t> others(types, types + call.count);
  for (int32_t row : rows) others[row] = REX_MAP_LITERAL; // nothing to do
  ask(__rex_real___tgt_target_data_update, call, others.data());
}

} // namespace

#endif
