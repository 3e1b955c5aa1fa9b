// SPDX-License-Identifier: Apache-2.0
//
// Global variables that device code reaches through pointers of its image, because the image has no storage of them. Each
// pointer is attached once for each device: to what another file's image has registered for the variable, or, where the
// image's compiler could not give the variable its first value, to storage with the host's value of it. (`link` variables are attached by the rows of the constructs that map them; shared memory
// needs nothing, for libomptarget fills the pointers with host addresses when it loads an image.)
#pragma once
#include "rex_decide.h"
#include "rex_kmp.h"

#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

extern "C" {
int omp_get_initial_device(void);
int omp_target_is_present(const void *, int);
void *omp_target_alloc(size_t, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
int omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);
}

class Globals {
public:
  void add(const rex_offload_module &module) { all.insert(all.end(), module.globals, module.globals + module.global_count); }
  bool any() const { return !all.empty(); }
  bool wanted_on(int device) const {
    return device >= 0 && (device >= known || !attached[device].load(std::memory_order_acquire));
  }

  // `map` is libomptarget's function that begins to map rows.
  template <typename Map> void attach_on(int device, Map map) {
    static std::mutex one_at_a_time;
    std::lock_guard<std::mutex> lock(one_at_a_time);
    if (!wanted_on(device) || (device >= known && beyond.count(device) != 0)) return;
    map(0, nullptr, nullptr, nullptr, nullptr); // loads the images
    for (const rex_offload_global &global : all)
      if (global.size > 0) copy(global, device);
    std::vector<void *> bases, begins;
    for (const rex_offload_global &global : all) bases.push_back(global.pointer), begins.push_back(*global.pointer);
    std::vector<int64_t> sizes(all.size(), 0), types(all.size(), REX_MAP_PTR_AND_OBJ | REX_MAP_IMPLICIT);
    map(static_cast<int32_t>(all.size()), bases.data(), begins.data(), sizes.data(), types.data());
    for (const rex_offload_global &global : all)
      if (!omp_target_is_present(*global.pointer, device))
        say(std::string("'") + global.name + "' is used by device functions of a file that does not define it, and no " +
            "other file of the program has it on the device; compile that file with rexcc");
    if (device < known) attached[device].store(true, std::memory_order_release);
    else beyond.insert(device);
  }

private:
  // What is associated with a host address stays so.
  static void copy(const rex_offload_global &global, int device) {
    if (omp_target_is_present(*global.pointer, device)) return;
    void *storage = omp_target_alloc(global.size, device);
    if (storage == nullptr) return;
    omp_target_memcpy(storage, *global.pointer, global.size, 0, 0, device, omp_get_initial_device());
    omp_target_associate_ptr(*global.pointer, storage, global.size, 0, device);
  }

  static constexpr int known = 64; // devices that are asked without a lock
  std::vector<rex_offload_global> all;
  std::array<std::atomic<bool>, known> attached{};
  std::set<int> beyond;
};
