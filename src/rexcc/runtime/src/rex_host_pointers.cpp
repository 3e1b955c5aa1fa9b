// SPDX-License-Identifier: Apache-2.0
#include "rex_host_pointers.h"

#include "rex_gate.h"

#include <iterator>

namespace __rex REX_HIDDEN {

REX_OF_THREAD KeptPointers *KeptPointers::innermost;

namespace {

char *place_on(int device, uintptr_t address) {
  return static_cast<char *>(omp_get_mapped_ptr(reinterpret_cast<void *>(address), device));
}

// Goes on from `first` while what it finds lies in one mapping with an address. That is a range, so of many in a row only the
// last is asked for.
template <class Iterator, class Lies> Iterator end_of_mapping(Iterator first, Iterator last, Lies lies) {
  constexpr int stride = 64;
  while (first != last) {
    Iterator next = first, farthest = first;
    for (int i = 0; i < stride && next != last; i++) farthest = next++;
    if (!lies(*farthest)) break;
    first = next;
  }
  while (first != last && lies(*first)) ++first;
  return first;
}

} // namespace

HostPointers::Pointers &HostPointers::of_device(int device) {
  for (auto &one : devices)
    if (one.first == device) return one.second;
  devices.emplace_back(device, Pointers());
  return devices.back().second;
}

void HostPointers::forget_absent(Pointers &pointers, uintptr_t begin, uintptr_t end, int device) {
  auto first = pointers.lower_bound(begin);
  if (first == pointers.end() || *first >= end) return;
  const char *there = place_on(device, begin);
  if (there != nullptr && place_on(device, end - 1) == there + (end - 1 - begin)) return; // as a whole
  for (auto one = first; one != pointers.end() && *one < end;) {
    bool is_there = place_on(device, *one) != nullptr;
    if (!is_there) known.fetch_sub(1);
    one = is_there ? std::next(one) : pointers.erase(one);
  }
}

void HostPointers::note_row(const void *base, const void *begin, int64_t size, int64_t type, int device) {
  bool attaches = (type & REX_MAP_PTR_AND_OBJ) != 0;
  if (!attaches && !any()) return;
  if ((type & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) != 0) return;
  std::lock_guard<std::mutex> lock(one_at_a_time);
  Pointers &pointers = of_device(device);
  auto first = reinterpret_cast<uintptr_t>(begin);
  if (size > 0) forget_absent(pointers, first, first + static_cast<uint64_t>(size), device);
  if (attaches && pointers.insert(reinterpret_cast<uintptr_t>(base)).second) known.fetch_add(1);
}

void HostPointers::add_values(const void *address, int device, Values &values) {
  auto asked = reinterpret_cast<uintptr_t>(address);
  char *there = place_on(device, asked);
  if (there == nullptr) return;
  auto lies = [&](uintptr_t pointer) {
    char *place = place_on(device, pointer);
    return place != nullptr && place - there == static_cast<int64_t>(pointer - asked);
  };
  std::lock_guard<std::mutex> lock(one_at_a_time);
  const Pointers &pointers = of_device(device);
  auto middle = pointers.lower_bound(asked);
  auto end = end_of_mapping(middle, pointers.end(), lies);
  auto begin = end_of_mapping(std::make_reverse_iterator(middle), pointers.rend(), lies).base();
  for (; begin != end; ++begin) {
    auto *pointer = reinterpret_cast<void **>(*begin);
    values.emplace_back(pointer, *pointer);
  }
}

KeptPointers::KeptPointers(const Call &call) : outer(innermost), device(call.device_number()) {
  innermost = this;
  for (int32_t row = 0; row < call.count; row++) keep(call.begins[row], call.types[row]);
}

KeptPointers::~KeptPointers() {
  innermost = outer;
  for (const auto &one : values)
    if (*one.first != one.second) *one.first = one.second;
}

void KeptPointers::note_part(const void *begin, int64_t type) {
  if (innermost != nullptr) innermost->keep(begin, type);
}

void KeptPointers::keep(const void *begin, int64_t type) {
  Gate *gate = Gate::found();
  if (gate == nullptr || !gate->host_pointers.any()) return;
  if ((type & REX_MAP_FROM) == 0 || (type & (REX_MAP_LITERAL | REX_MAP_PRIVATE)) != 0 || begin == nullptr) return;
  gate->host_pointers.add_values(begin, device, values);
}

} // namespace __rex
