// SPDX-License-Identifier: Apache-2.0
//
// What lambdas have captured by reference (rex_templates.h): mapped while a region is executed, as by a `map` clause of it
// (OpenMP 5.2, 5.8.3), where nothing has mapped it.
//
// Threads may launch with the same variable. What one of them has mapped is there for the others, too, and must stay until
// the last of them has ended: such mappings are counted here, for a look-up alone would not hold them. One that has a part
// of what another needs keeps it waiting, for a mapping cannot grow.
//
// Nobody has asked for these mappings, so threads may change on the host what no region uses, a mutex beside a number: only
// the bytes that a region has changed come back, at its end, and only what the host has changed meanwhile is sent again.
#include "rex_batches.h"
#include "rex_cuda.h"
#include "rex_internal.h"
#include "rex_registration.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace __rex REX_HIDDEN {

// A mapping of ours. `copy` are the bytes that go to the device in place of the object's own, empty for none.
struct CaptureMapping {
  const char *object;
  size_t size;
  int64_t device;
  bool changes; // by regions
  std::vector<char> copy;
  char *there;
  int users;
  std::vector<char> known; // what host and device have had in common
  __rex_ident *region;     // the place of that which had it mapped

  void *begin() { return copy.empty() ? const_cast<char *>(object) : copy.data(); }

  bool is_own(int64_t where) const { return copy.empty() && device == where; }
  bool is_shared() const { return there == object; } // host and device have one memory
  // Whether it has `count` bytes at `place`, or some of them.
  bool holds(const char *place, size_t count) const {
    size_t before = static_cast<size_t>(place - object);
    return place >= object && before < size && count <= size - before;
  }
  bool meets(const char *place, size_t count) const { return place < object + size && object < place + count; }
};

} // namespace __rex

using namespace __rex;
using Mapping = CaptureMapping;

struct REX_HIDDEN rex_capture {
  Mapping wanted;
  std::list<Mapping>::iterator mapping; // once it is mapped
  rex_capture *next;
  bool changes; // what is mapped
};

namespace {

std::mutex one_at_a_time;
std::condition_variable unmapped;
std::list<Mapping> mappings;

// Gives the table to this thread. Another may have it and wait, before it unmaps, for kernels that this one has queued
// (rex_unreferenced.h): so who has to wait for the table has no kernels in flight.
std::unique_lock<std::mutex> locked_table() {
  std::unique_lock<std::mutex> lock(one_at_a_time, std::try_to_lock);
  if (lock.owns_lock()) return lock;
  wait_for_batch();
  lock.lock();
  return lock;
}

// What the device has of an object; nothing where the device has failed, which other calls tell.
std::unique_ptr<char[]> bytes_there(const Mapping &mapping) {
  std::unique_ptr<char[]> found(new char[mapping.size]);
  int failed = omp_target_memcpy(found.get(), mapping.there, mapping.size, 0, 0, omp_get_initial_device(),
                                 static_cast<int>(mapping.device));
  return failed != 0 ? nullptr : std::move(found);
}

bool send(const Mapping &mapping, const char *from, size_t begin, size_t end) {
  return omp_target_memcpy(mapping.there, from, end - begin, begin, begin, static_cast<int>(mapping.device),
                           omp_get_initial_device()) == 0;
}

// The host may have changed the object since it was sent.
void learn(Mapping &mapping) {
  if (!mapping.known.empty()) return;
  if (std::unique_ptr<char[]> found = bytes_there(mapping)) mapping.known.assign(found.get(), found.get() + mapping.size);
}

// Eight bytes at a time are compared, for most are equal; no byte is written that is.
void copy_changed(char *object, const char *now, char *known, size_t size) {
  for (size_t at = 0, step; at < size; at += step) {
    uint64_t a = 0, b = 0;
    step = std::min(sizeof a, size - at);
    memcpy(&a, now + at, step);
    memcpy(&b, known + at, step);
    for (uint64_t differs = a ^ b; differs != 0;) {
      const int byte = __builtin_ctzll(differs) / 8; // the targets of rexcc are little-endian
      object[at + byte] = known[at + byte] = now[at + byte];
      differs &= ~(UINT64_C(0xff) << 8 * byte);
    }
  }
}

void bring_changes(Mapping &mapping) {
  if (mapping.is_shared() || mapping.known.empty()) return;
  wait_for_batch_on(mapping.device);
  std::unique_ptr<char[]> now = bytes_there(mapping);
  if (now) copy_changed(const_cast<char *>(mapping.object), now.get(), mapping.known.data(), mapping.size);
}

void send_changes(Mapping &mapping) {
  if (mapping.is_shared()) return;
  learn(mapping);
  const std::vector<char> now(mapping.object, mapping.object + mapping.size);
  const size_t count = mapping.known.size();
  for (size_t at = 0, end; at < count; at = end + 1) {
    for (end = at; end < count && now[end] != mapping.known[end]; end++) mapping.known[end] = now[end];
    if (end > at) send(mapping, now.data(), at, end);
  }
}

void ask(__tgt_data_call *function, Mapping &mapping, int64_t type, void *&base) {
  void *begin = base = mapping.begin();
  auto size = static_cast<int64_t>(mapping.size);
  function(mapping.region, mapping.device, 1, &base, &begin, &size, &type, nullptr, nullptr);
}

// Of what regions change, the bytes that are sent are kept: the host may change its own meanwhile.
std::list<Mapping>::iterator begin_mapping(Mapping wanted) {
  mappings.push_front(std::move(wanted));
  Mapping &made = mappings.front();
  if (made.changes) made.known.assign(made.object, made.object + made.size);
  void *base;
  ask(rex___tgt_target_data_begin_mapper, made, REX_MAP_RETURN_PARAM | (made.changes ? 0 : REX_MAP_TO), base);
  made.there = static_cast<char *>(base);
  if (made.changes && !made.is_shared()) send(made, made.known.data(), 0, made.size);
  return mappings.begin();
}

void end_mapping(std::list<Mapping>::iterator mapping, bool changes) {
  void *base;
  if (changes) bring_changes(*mapping);
  if (--mapping->users > 0) return;
  ask(rex___tgt_target_data_end_mapper, *mapping, REX_MAP_TO, base);
  mappings.erase(mapping);
}

std::list<Mapping>::iterator holder(const char *place, size_t size, int64_t device) {
  return std::find_if(mappings.begin(), mappings.end(),
                      [=](const Mapping &one) { return one.is_own(device) && one.holds(place, size); });
}

bool is_held_in_part(const Mapping &wanted) {
  return std::any_of(mappings.begin(), mappings.end(), [&](const Mapping &one) {
    return one.is_own(wanted.device) && one.meets(wanted.object, wanted.size) && !one.holds(wanted.object, wanted.size);
  });
}

bool stays_on_host(int64_t device) {
  ensure_registered();
  return rex_offload.kind == REX_ON_HOST || device_of_now(device) == omp_get_initial_device();
}

// A lambda may refer to what is memory of the device itself.
bool is_devices_own(const void *object) {
  static GetPointerAttributes *attributes = nullptr;
  static const bool may_know = rex_offload.kind == REX_ON_GPU && running_driver() != nullptr &&
                               find_call(running_driver(), "cuPointerGetAttributes", attributes);
  constexpr unsigned of_device = 2;
  unsigned type = 0;
  return may_know && get_pointer_attribute(attributes, kPointerMemoryType, reinterpret_cast<uintptr_t>(object), type) &&
         type == of_device;
}

// Objects that are parts of others become one with them.
std::vector<Mapping> merged(std::vector<Mapping> wanted) {
  std::sort(wanted.begin(), wanted.end(), [](const Mapping &a, const Mapping &b) { return a.object < b.object; });
  std::vector<Mapping> found;
  for (Mapping &one : wanted) {
    if (found.empty() || !found.back().meets(one.object, one.size)) {
      found.push_back(std::move(one));
      continue;
    }
    Mapping &last = found.back();
    last.size = static_cast<size_t>(std::max(last.object + last.size, one.object + one.size) - last.object);
    last.changes |= one.changes;
  }
  return found;
}

void hold(rex_capture *&list, std::list<Mapping>::iterator mapping, bool changes) {
  list = new rex_capture{{}, mapping, list, changes};
}

} // namespace

void rex_want_capture(rex_capture **list, void *object, size_t size, int stays, int64_t device) {
  if (stays_on_host(device)) return;
  device = device_of_now(device);
  const auto lock = locked_table();
  bool is_there = omp_get_mapped_ptr(object, static_cast<int>(device)) != nullptr;
  auto *place = static_cast<char *>(object);
  Mapping wanted = {place, size, device, stays == 0, {}, nullptr, 1, {}, nullptr};
  bool is_ours = holder(place, 1, device) != mappings.end();
  if ((is_there && !is_ours) || is_devices_own(object)) return;
  *list = new rex_capture{wanted, mappings.end(), *list, false};
}

void rex_map_captures(rex_capture **list, int64_t device, __rex_ident *region) {
  device = device_of_now(device);
  auto lock = locked_table();
  std::vector<Mapping> wanted;
  for (rex_capture *one = *list; one != nullptr; one = one->next) wanted.push_back(std::move(one->wanted));
  while (*list != nullptr) delete std::exchange(*list, (*list)->next);
  wanted = merged(std::move(wanted));
  if (std::any_of(wanted.begin(), wanted.end(), is_held_in_part)) {
    wait_for_batch();
    unmapped.wait(lock, [&] { return std::none_of(wanted.begin(), wanted.end(), is_held_in_part); });
  }
  for (Mapping &one : wanted) {
    auto found = holder(one.object, one.size, device);
    if (found != mappings.end()) {
      found->users++;
      send_changes(*found);
      hold(*list, found, one.changes);
    } else if (omp_get_mapped_ptr(one.object, static_cast<int>(device)) == nullptr) {
      const bool changes = one.changes;
      one.region = region;
      hold(*list, begin_mapping(std::move(one)), changes);
    }
  }
}

void *rex_place_of_capture(rex_capture **list, void *object, const void *bytes, size_t size, int64_t device,
                           __rex_ident *region) {
  if (stays_on_host(device)) return object;
  device = device_of_now(device);
  auto *place = static_cast<char *>(object);
  auto *from = static_cast<const char *>(bytes);
  const auto lock = locked_table();
  auto found = holder(place, from == place ? size : 1, device);
  if (from == place && found != mappings.end()) return found->there + (place - found->object);
  void *there = found != mappings.end() ? nullptr : omp_get_mapped_ptr(object, static_cast<int>(device));
  if (from == place || there != nullptr) return there != nullptr ? there : object;
  Mapping copied = {place, size, device, false, std::vector<char>(from, from + size), nullptr, 1, {}, region};
  hold(*list, begin_mapping(std::move(copied)), false);
  return (*list)->mapping->there;
}

void rex_unmap_captures(rex_capture *list) {
  const auto lock = locked_table();
  while (list != nullptr) {
    rex_capture *next = list->next;
    end_mapping(list->mapping, list->changes);
    delete list;
    list = next;
  }
  unmapped.notify_all();
}
