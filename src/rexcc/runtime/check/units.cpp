// SPDX-License-Identifier: Apache-2.0
#include "units.h"

#include "sections.h"

#include "../src/rex_call.h"
#include "../src/rex_messages.h"
#include "../src/rex_modules.h"

#include <vector>

namespace rex_check REX_CHECK_HIDDEN {
namespace {

// Functions of a link unit's: the call that the thread is in, null for none; and its modules.
struct Unit {
  const __rex::Call *(*call)();
  __rex::Modules (*modules)();
};
std::vector<Unit> &units() { return lasting<std::vector<Unit>>(); }

const __rex::Call *current_call() {
  for (const Unit &unit : units())
    if (const __rex::Call *call = unit.call()) return call;
  return nullptr;
}

std::string part_of(const void *text, int number) {
  __rex::Field part = __rex::field(text, number);
  return {part.text, static_cast<size_t>(part.length)};
}

const void *source_of(const __rex::Call &call) { return call.place != nullptr ? call.place->source : nullptr; }

// The row that is this memory; else one that begins there, else one that the memory is a part of; -1 for none. A variable
// may have several: one that is mapped, and one for private copies.
int number_of_row(const __rex::Call &call, uintptr_t host, size_t size) {
  int found = -1;
  bool begins_there = false;
  for (int row = call.count - 1; row >= 0; row--) {
    auto begin = reinterpret_cast<uintptr_t>(call.begins[row]);
    auto bytes = static_cast<size_t>(call.sizes[row]);
    if (call.names == nullptr || call.names[row] == nullptr || bytes == 0) continue;
    if (begin == host && bytes == size) return row;
    if (begins_there || begin >= host + size || host >= begin + bytes) continue;
    begins_there = begin == host;
    found = row;
  }
  return found;
}

bool has_mappers(const __rex::Call &call) {
  for (int row = 0; row < call.count; row++)
    if (call.has_mapper(row)) return true;
  return false;
}

} // namespace

Row row_of(uintptr_t host, size_t size) {
  Row found;
  const __rex::Call *call = current_call();
  if (call == nullptr) return found;
  found.is_in_call = true;
  found.is_launch = call->kind == __rex::CallKind::kernel;
  found.has_mappers = has_mappers(*call);
  int row = number_of_row(*call, host, size);
  if (row < 0) return found;
  const void *name = call->names[row];
  found.is_found = true;
  found.is_private = (call->types[row] & REX_MAP_PRIVATE) != 0;
  found.name = part_of(name, 1);
  found.place = part_of(source_of(*call), 1) + ":" + part_of(name, 3) + ":" + part_of(name, 4);
  return found;
}

std::string place_of_call() {
  const __rex::Call *call = current_call();
  return call != nullptr ? part_of(source_of(*call), 1) + ":" + part_of(source_of(*call), 3) : "";
}

bool maps_something() {
  const __rex::Call *call = current_call();
  for (int row = 0; call != nullptr && row < call->count; row++)
    if (call->sizes[row] > 0 && (call->types[row] & (REX_MAP_LITERAL | REX_MAP_TOFROM)) == REX_MAP_TOFROM) return true;
  return false;
}

bool shares_memory() {
  for (const Unit &unit : units())
    for (const rex_offload_module *module : unit.modules())
      if (__rex::requires_shared_memory(*module)) return true;
  return false;
}

namespace {

// A variable of a module's, and where libomptarget has it on a device; 0 for nowhere.
struct Variable {
  const __tgt_offload_entry *entry;
  uintptr_t begin;
};
using Variables = std::vector<Variable, Allocator<Variable>>;

bool has_copies(const __tgt_offload_entry &entry) {
  return entry.size != 0 && (entry.flags & REX_ENTRY_LINK) == 0 && entry.data != REX_ENTRY_IS_LOCAL;
}

Variables variables_of_units() {
  Locked locked;
  Variables found;
  for (const Unit &unit : units())
    for (const rex_offload_module *module : unit.modules())
      for (int32_t i = 0; i < module->entry_count; i++)
        if (has_copies(module->entries[i])) found.push_back({&module->entries[i], 0});
  return found;
}

void add_variable(const Variable &variable, int device) {
  const __tgt_offload_entry &entry = *variable.entry;
  auto host = reinterpret_cast<uintptr_t>(entry.address);
  const Section *known = variable.begin != 0 ? section_at(variable.begin) : nullptr;
  bool is_known = known != nullptr && known->begin == variable.begin && known->kind == Kind::variable;
  if (variable.begin == 0 || is_known) return;
  add_section(Kind::variable, variable.begin, entry.size, host, device, entry.symbol, "");
  moved_to_device(variable.begin, host, entry.size);
}

} // namespace

void add_variables() {
  const __rex::Call *call = current_call();
  if (call == nullptr) return;
  int device = call->device_number();
  Variables variables = variables_of_units();
  for (Variable &variable : variables)
    variable.begin = reinterpret_cast<uintptr_t>(omp_get_mapped_ptr(variable.entry->address, device));
  Locked locked;
  for (const Variable &variable : variables) add_variable(variable, device);
}

} // namespace rex_check

// What a program asks before it uses the host's memory in a kernel. A device with memory of its own has no access to it,
// whatever the CPU device has (in place of the one of runtime/src, which is weak).
REX_CHECK_INTERFACE int omp_target_is_accessible(const void *pointer, size_t size, int device) {
  if (pointer == nullptr || device < 0 || device > omp_get_num_devices()) return 0;
  rex_check::Locked locked;
  if (device == omp_get_initial_device() || rex_check::shares_memory()) return 1;
  auto begin = reinterpret_cast<uintptr_t>(pointer);
  const rex_check::Section *section = rex_check::section_at(begin);
  return section != nullptr && section->device == device && size <= section->end() - begin;
}

REX_CHECK_INTERFACE void rex_check_add_unit(const rex_check::Unit *unit) {
  rex_check::Locked locked;
  rex_check::units().push_back(*unit);
}

__attribute__((constructor(102))) static void add_this_unit() {
  rex_check::Unit unit = {__rex::CurrentCall::of_thread, __rex::modules_of_link_unit};
  rex_check_add_unit(&unit);
}
