// SPDX-License-Identifier: Apache-2.0
//
// Large copies between host and GPU, taken over from libomptarget, which leaves them to the driver (rex_copy_ring.h says
// what that costs). libomptarget still maps, counts references and decides what is new and what is the last: it is called
// with rows that copy nothing, and what it would have copied is copied here.
//
// That has to be invisible. Between the call and the copy no other thread may find the mapping (rex_gate.h): where one is
// inside libomptarget already, libomptarget copies itself. Rows are left to it too if there is anything special about
// them: other rows for a part of them, pointers attached in them, modifiers, gaps, mappers. Part of register_cubin.cpp.
#ifndef REX_STAGING_H
#define REX_STAGING_H

#include "rex_copy_ring.h"
#include "rex_explain.h"
#include "rex_gate.h"
#include "rex_libomptarget.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

// Tests copy to the CPU device, with a driver of their own.
#ifndef REX_STAGING_KIND
#define REX_STAGING_KIND REX_ON_GPU
#endif

namespace {

using Rows = std::vector<int32_t>;

// The rings of the GPUs. They take 11 ms to make on an H200, so they are made when the driver's own copies have taken about
// as long.
class Staging {
public:
  static constexpr int64_t kSmallest = INT64_C(4) << 20; // below, waking the threads takes too long
  static constexpr int64_t kFree = INT64_C(128) << 20;   // bytes that the driver copies first

  explicit Staging(int count) : threads(count) {}

  // Whether so many bytes more are worth it.
  bool worth(int64_t size) { return moved.fetch_add(size, std::memory_order_relaxed) + size > kFree; }

  bool is_pageable(const void *host) const { return driver.complete && !driver.knows(host); }

  // Copies one row to or from device memory; false when somebody else has to.
  bool copy(bool up, void *device, char *host, int64_t size) {
    std::unique_lock<std::mutex> lock(one_at_a_time, std::try_to_lock);
    if (!lock.owns_lock() || device == nullptr || device == host) return false;
    uint64_t address = reinterpret_cast<uintptr_t>(device);
    CopyRing *ring = ring_of(address);
    return ring != nullptr && ring->copy(up, address, host, static_cast<size_t>(size));
  }

  // A copy of device memory beside it, for as long as the object lives.
  class Rescued {
  public:
    Rescued(Staging &given, void *device, int64_t size) : staging(given) {
      uint64_t from = reinterpret_cast<uintptr_t>(device);
      std::lock_guard<std::mutex> lock(staging.one_at_a_time);
      CopyRing *ring = staging.ring_of(from);
      context = ring != nullptr ? staging.driver.context_of(from) : nullptr;
      InContext current(staging.driver, context);
      size_t free = 0, total = 0, wanted = static_cast<size_t>(size);
      if (context == nullptr || !current || staging.driver.memory_info(&free, &total) != 0) return;
      if (free < wanted + total / 16 || staging.driver.allocate(&address, wanted) != 0) return;
      good = ring->copy_across(address, from, wanted);
    }
    ~Rescued() {
      InContext current(staging.driver, context);
      if (address != 0 && current) staging.driver.free(address);
    }
    Rescued(const Rescued &) = delete;
    explicit operator bool() const { return good; }
    // The slow way to the host.
    bool give_back(char *host, int64_t size) {
      InContext current(staging.driver, context);
      return current && staging.driver.down(host, address, static_cast<size_t>(size), nullptr) == 0 &&
             staging.driver.wait(nullptr) == 0;
    }
    void *memory() const { return reinterpret_cast<void *>(static_cast<uintptr_t>(address)); }

  private:
    Staging &staging;
    void *context = nullptr;
    uint64_t address = 0;
    bool good = false;
  };

private:
  CopyRing *ring_of(uint64_t address) {
    void *context = driver.context_of(address);
    if (context == nullptr) return nullptr;
    std::unique_ptr<CopyRing> &ring = rings[context];
    if (!ring) ring = std::make_unique<CopyRing>(driver, context, threads);
    return ring.get();
  }

  const int threads;
  const CopyDriver driver;
  std::atomic<int64_t> moved{0};
  std::mutex one_at_a_time;
  std::map<void *, std::unique_ptr<CopyRing>> rings;
};
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
Rows rows_to_stage(const Call &call, const int64_t *types, int64_t directions, int64_t smallest) {
  constexpr int64_t special = REX_MAP_LITERAL | REX_MAP_PRIVATE | REX_MAP_NON_CONTIG | REX_MAP_ALWAYS | REX_MAP_DELETE |
                              REX_MAP_PTR_AND_OBJ | REX_MAP_OMPX_HOLD | REX_MAP_COPIES_POINTERS | REX_MAP_ALL_MEMBERS |
                              REX_MAP_PARTIALS | REX_MAP_REDUCED;
  Rows rows;
  if (staging == nullptr) return rows;
  for (int32_t row = 0; row < call.count; row++) {
    if (call.sizes[row] < smallest || (types[row] & special) != 0 || (types[row] & directions) == 0) continue;
    if (has_relatives(call, row) || gate->attached.any_in(static_cast<char *>(call.begins[row]), call.sizes[row])) continue;
    rows.push_back(row);
  }
  if (rows.empty()) return rows;
  for (int32_t row = 0; row < call.count; row++)
    if (call.has_mapper(row)) return {};
  return rows;
}

// The same, once they are worth it.
Rows rows_worth_it(const Call &call, const int64_t *types, int64_t directions, int64_t smallest) {
  Rows rows;
  int64_t bytes = 0;
  for (int32_t row : rows_to_stage(call, types, directions, smallest)) {
    if (!staging->is_pageable(call.begins[row])) continue;
    rows.push_back(row);
    bytes += call.sizes[row];
  }
  if (!rows.empty() && !staging->worth(bytes)) rows.clear();
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
  function(const_cast<ident_t *>(call.place), call.device, call.count, call.bases, call.begins, call.sizes, types,
           call.names, call.mappers);
}

// Copies a row that is on the device, ourselves if we can.
void copy_row(const Call &call, int32_t row, int64_t direction) {
  if (staging->copy(direction == REX_MAP_TO, address_on_device(call, row), static_cast<char *>(call.begins[row]),
                    call.sizes[row]))
    return;
  __rex_real___tgt_target_data_update(const_cast<ident_t *>(call.place), call.device, 1, call.bases + row,
                                      call.begins + row, call.sizes + row, &direction, nullptr, nullptr);
}

// The three calls of libomptarget; `types` are those of the call, perhaps changed by others already.

void begin_data(const Call &call, int64_t *types, Inside &inside) {
  Rows rows = rows_worth_it(call, types, REX_MAP_TO, Staging::kSmallest);
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
  Rows rows = rows_worth_it(call, types, REX_MAP_FROM, Staging::kSmallest), rescued;
  if (rows.empty()) return ask(__rex_real___tgt_target_data_end, call, types);
  Alone alone(inside);
  if (alone) keep(rows, call, Presence::whole);
  std::vector<std::unique_ptr<Staging::Rescued>> copies;
  for (int32_t row : alone ? rows : Rows()) {
    auto copy = std::make_unique<Staging::Rescued>(*staging, address_on_device(call, row), call.sizes[row]);
    if (!*copy) continue;
    rescued.push_back(row);
    copies.push_back(std::move(copy));
  }
  ask(__rex_real___tgt_target_data_end, call, types_without(call, types, rescued, REX_MAP_FROM).data());
  for (size_t i = 0; i < rescued.size(); i++) {
    int32_t row = rescued[i];
    if (omp_target_is_present(call.begins[row], call.device_number())) continue;
    auto *host = static_cast<char *>(call.begins[row]);
    if (staging->copy(false, copies[i]->memory(), host, call.sizes[row]) || copies[i]->give_back(host, call.sizes[row]))
      continue;
    tell(call, row, "cannot be copied back from device", "");
    abort();
  }
}

// A launch maps its rows itself. Large ones that are new are mapped before it and unmapped after it, to the same effect.
class MappedForLaunch {
public:
  MappedForLaunch(const Call &launch, Inside &given) : call(launch), inside(given) {
    if (staging == nullptr || !has_new_rows()) return;
    for (int32_t row : rows_to_stage(call, call.types, REX_MAP_TOFROM, Staging::kSmallest))
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
  Rows rows = rows_worth_it(call, types, REX_MAP_TOFROM, Staging::kSmallest);
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
