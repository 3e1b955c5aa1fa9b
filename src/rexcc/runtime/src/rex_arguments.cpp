// SPDX-License-Identifier: Apache-2.0
#include "rex_arguments.h"

namespace __rex REX_HIDDEN {

// Whether the object is there as a whole; of what a pointer points to, whether the member is.
bool Arguments::is_object_there(const Call &call, int32_t member) {
  auto object = static_cast<int32_t>(static_cast<uint64_t>(call.types[member]) >> 48) - 1;
  auto *begin = static_cast<char *>(call.begins[object]), *there = static_cast<char *>(call.begins[member]);
  int device = static_cast<int>(call.device);
  if ((call.types[object] & REX_MAP_PRIVATE) != 0) return true; // all of it, in the kernel's copy
  if (call.sizes[object] > 0) return SeenWhole::device_address(begin, call.sizes[object], device) != nullptr;
  char *first = SeenWhole::device_address(begin, 0, device);
  return first != nullptr && SeenWhole::device_address(there, 1, device) == first + (there - begin);
}

// Whether a row is small and new, as it has been before, and no other row of the launch asks for any of it.
bool Arguments::is_brought_alone(const Call &call, int32_t row) {
  const char *begin = static_cast<char *>(call.begins[row]), *end = begin + call.sizes[row];
  int device = call.device_number();
  if (call.sizes[row] <= 0 || call.sizes[row] > kMostBrought || !SeenNew::was_new(begin, call.sizes[row], device)) return false;
  if (omp_get_mapped_ptr(begin, device) != nullptr || omp_get_mapped_ptr(end - 1, device) != nullptr) return false;
  for (int32_t other = 0; other < call.count; other++) {
    if (other == row || (call.types[other] & REX_MAP_LITERAL) != 0) continue;
    const char *first = static_cast<char *>(call.begins[other]), *base = static_cast<char *>(call.bases[other]);
    if ((first >= begin && first < end) || (base >= begin && base < end)) return false;
    if (first < begin && begin - first < call.sizes[other]) return false;
  }
  return true;
}

// By one copy of all that lies between the first and the last.
bool Arguments::fetch_home(const Call &call, const QueuedKernels &kernels, Queue &queue) const {
  if (!come_home()) return true;
  char *arrivals = kernels.arrivals(queue);
  size_t room = QueuedKernels::place_for_room(queue);
  rex_arrivals row = {};
  row.count = 1;
  row.to[0] = arrivals + room + home_begin;
  row.from[0] = reinterpret_cast<char *>(queue.room + home_begin);
  row.size[0] = static_cast<unsigned>(home_end - home_begin);
  bool fetched = kernels.has_bringing_kernel()
                     ? kernels.fetch_by_kernel(queue, row)
                     : kernels.fetch(queue, row.to[0], queue.room + home_begin, home_end - home_begin);
  for (int32_t i = 0; fetched && i < new_count; i++)
    if (int32_t at = new_rows[i]; (call.types[at] & REX_MAP_FROM) != 0)
      QueuedKernels::add_arrival(
          queue, {static_cast<char *>(call.begins[at]), room + new_starts[i], static_cast<size_t>(call.sizes[at])});
  return fetched;
}

} // namespace __rex
