// SPDX-License-Identifier: Apache-2.0
//
// What lambdas have captured by reference (rex_templates.h): mapped while a region is executed, as by a `map` clause of it
// (OpenMP 5.2, 5.8.3), where nothing has mapped it.
//
// Threads may launch with the same variable. What one of them has mapped is there for the others, too, and must stay until
// the last of them has ended: such mappings are counted here, for a look-up alone would not hold them.
#include "rex_internal.h"
#include "rex_registration.h"

#include <list>
#include <mutex>
#include <vector>

namespace __rex REX_HIDDEN {

// A mapping of ours. `copy` are the bytes that go to the device in place of the object's own, empty for none.
struct CaptureMapping {
  const char *object;
  size_t size;
  int64_t device, types;
  std::vector<char> copy;
  char *there;
  int users;

  void *begin() { return copy.empty() ? const_cast<char *>(object) : copy.data(); }

  // Whether it is of the same device, and has `count` bytes at `place`.
  bool holds(const char *place, size_t count, int64_t where) const {
    size_t before = static_cast<size_t>(place - object);
    return copy.empty() && device == where && place >= object && before < size && count <= size - before;
  }
};

} // namespace __rex

using namespace __rex;
using Mapping = CaptureMapping;

struct rex_capture {
  std::list<Mapping>::iterator mapping;
  rex_capture *next;
};

namespace {

std::mutex one_at_a_time;
std::list<Mapping> mappings;

void ask(__tgt_data_call *function, Mapping &mapping, int64_t more, void *&base) {
  static __rex_ident place = REX_PLACE(";variables of lambdas;captured by reference;0;0;;");
  void *begin = base = mapping.begin();
  auto size = static_cast<int64_t>(mapping.size);
  int64_t type = mapping.types | more;
  function(&place, mapping.device, 1, &base, &begin, &size, &type, nullptr, nullptr);
}

// The bytes that a region may change come back, those of a copy do not.
std::list<Mapping>::iterator begin_mapping(Mapping wanted) {
  mappings.push_front(std::move(wanted));
  Mapping &made = mappings.front();
  void *base;
  ask(rex___tgt_target_data_begin_mapper, made, REX_MAP_RETURN_PARAM, base);
  made.there = static_cast<char *>(base);
  return mappings.begin();
}

void end_mapping(std::list<Mapping>::iterator mapping) {
  void *base;
  if (--mapping->users > 0) return;
  ask(rex___tgt_target_data_end_mapper, *mapping, 0, base);
  mappings.erase(mapping);
}

} // namespace

void *rex_map_capture(rex_capture **list, void *object, const void *bytes, size_t size, int stays, int64_t device) {
  ensure_registered();
  device = device_of_now(device);
  if (rex_offload.kind == REX_ON_HOST || device == omp_get_initial_device()) return object;
  auto *place = static_cast<char *>(object);
  std::lock_guard<std::mutex> lock(one_at_a_time);
  for (auto found = mappings.begin(); found != mappings.end(); ++found)
    if (found->holds(place, size, device)) {
      found->users++;
      *list = new rex_capture{found, *list};
      return found->there + (place - found->object);
    }
  if (void *there = omp_get_mapped_ptr(object, static_cast<int>(device))) return there;
  Mapping wanted = {place, size, device, stays ? REX_MAP_TO : REX_MAP_TOFROM, {}, nullptr, 1};
  auto *from = static_cast<const char *>(bytes);
  if (from != place) wanted.copy.assign(from, from + size);
  *list = new rex_capture{begin_mapping(std::move(wanted)), *list};
  return (*list)->mapping->there;
}

void rex_unmap_captures(rex_capture *list) {
  std::lock_guard<std::mutex> lock(one_at_a_time);
  while (list != nullptr) {
    rex_capture *next = list->next;
    end_mapping(list->mapping);
    delete list;
    list = next;
  }
}
