// SPDX-License-Identifier: Apache-2.0
#include "rex_globals.h"

#include "rex_messages.h"

#include <string>

namespace __rex REX_HIDDEN {
namespace {

// Has libomptarget map rows; none of them makes it load the images.
void map(int device, int32_t count, void **bases, void **begins, int64_t *sizes, int64_t *types) {
  static __rex_ident place = REX_PLACE(";global variables;attached;0;0;;");
  __tgt_target_data_begin_mapper(&place, device, count, bases, begins, sizes, types, nullptr, nullptr);
}

// Gives a variable storage on a device. What is associated with a host address stays so.
void copy(const rex_offload_global &global, int device) {
  if (omp_target_is_present(*global.pointer, device)) return;
  void *storage = omp_target_alloc(global.size, device);
  if (storage == nullptr) return;
  omp_target_memcpy(storage, *global.pointer, global.size, 0, 0, device, omp_get_initial_device());
  omp_target_associate_ptr(*global.pointer, storage, global.size, 0, device);
}

} // namespace

void Globals::add(const rex_offload_module &module) {
  all.insert(all.end(), module.globals, module.globals + module.global_count);
}

void Globals::attach_on(int device) {
  std::lock_guard<std::mutex> lock(one_at_a_time);
  if (!wanted_on(device) || (device >= kKnown && beyond.count(device) != 0)) return;
  attach_all_on(device);
  if (device < kKnown) attached[device].store(true, std::memory_order_release);
  else beyond.insert(device);
}

void Globals::attach_all_on(int device) const {
  map(device, 0, nullptr, nullptr, nullptr, nullptr);
  for (const rex_offload_global &global : all)
    if (global.size > 0) copy(global, device);
  std::vector<void *> bases, begins;
  for (const rex_offload_global &global : all) bases.push_back(global.pointer), begins.push_back(*global.pointer);
  std::vector<int64_t> sizes(all.size(), 0), types(all.size(), REX_MAP_PTR_AND_OBJ | REX_MAP_IMPLICIT);
  map(device, static_cast<int32_t>(all.size()), bases.data(), begins.data(), sizes.data(), types.data());
  for (const rex_offload_global &global : all)
    if (!omp_target_is_present(*global.pointer, device))
      say(std::string("'") + global.name + "' is used by device functions of a file that does not define it, and no " +
          "other file of the program has it on the device; compile that file with rexcc");
}

} // namespace __rex
