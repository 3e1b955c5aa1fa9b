// SPDX-License-Identifier: Apache-2.0
#include "rex_shared_rows.h"

#include "rex_explain.h"

#include <cstdlib>
#include <vector>

namespace __rex REX_HIDDEN {
namespace {

bool is_attached(const Call &call, int32_t row) {
  return (call.types[row] & REX_MAP_PTR_AND_OBJ) != 0 && !call.has_mapper(row);
}

[[noreturn]] void refuse(const Call &call, int32_t row, const char *what) {
  tell(call, row, what, "; allocate it by malloc or new in code that was linked with this program");
  abort();
}

// A pointer that has a copy on the device gets the host's value, which is an address there as well.
void attach(const Call &call, int32_t row) {
  int device = call.device_number();
  void *there = omp_get_mapped_ptr(call.bases[row], device);
  if (there == nullptr || there == call.bases[row]) return;
  omp_target_memcpy(there, call.bases[row], sizeof(void *), 0, 0, device, omp_get_initial_device());
}

// What one row shall be.
int64_t type_of_row(const Call &call, int32_t row, const SharedMemory &memory) {
  int64_t type = call.types[row];
  bool readable = memory.reads(call.begins[row]), attached = is_attached(call, row);
  if (readable) {
    if (attached) attach(call, row);
    if (call.kind == CallKind::data_begin) memory.bring(call.begins[row], call.sizes[row], call.device_number());
    return type;
  }
  if ((type & REX_MAP_SELF) != 0)
    refuse(call, row, "is memory that this GPU cannot read, and 'self' shares it with device");
  if (attached && memory.reads(call.bases[row])) // the pointer is the kernel's too, and can have only one value
    refuse(call, row, "is memory that this GPU cannot read, and the pointer to it is shared with device");
  bool has_members = row + 1 < call.count && (call.types[row + 1] & REX_MAP_ALL_MEMBERS) == REX_MAP_MEMBER_OF(row);
  return type | REX_MAP_CLOSE | (has_members ? REX_MAP_TO : 0);
}

} // namespace

// What is new on the device for its attached pointers comes with their values: libomptarget attaches none that has the
// host's. Others get them before the call.
void share_rows(Call &call, const SharedMemory &memory) {
  std::vector<int64_t> &types = memory.types_of_call();
  types.assign(call.types, call.types + call.count);
  for (int32_t row = 0; row < call.count; row++)
    if (SharedMemory::is_data(call.sizes[row], call.types[row]) && !call.has_mapper(row))
      types[row] = type_of_row(call, row, memory);
  call.types = types.data();
}

} // namespace __rex
