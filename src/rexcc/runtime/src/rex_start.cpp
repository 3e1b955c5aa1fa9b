// SPDX-License-Identifier: Apache-2.0
//
// What else the first construct would do, and the user would time: done for the default device when the link unit is loaded,
// wherever main stands. Of variables only the first statement of a generated main knows that they have their first values
// (rex_offload_init in rex_runtime.h).
#include "rex_background.h"
#include "rex_direct.h"
#include "rex_internal.h"
#include "rex_modules.h"
#include "rex_registration.h"
#include "rex_relocations.h"
#include "rex_rings.h"
#include "rex_shared_memory.h"
#include "rex_tasks.h"

namespace __rex REX_HIDDEN {
namespace {

// The first copies are not to wait for the memory that they go through.
void prepare_copies(int device) {
  Staging *staging = Staging::of_link_unit();
  DeviceRings *rings = staging != nullptr ? staging->rings_of(device) : nullptr;
  void *memory = rings != nullptr ? omp_target_alloc(1, device) : nullptr;
  if (memory == nullptr) return;
  rings->prepare(memory);
  omp_target_free(memory, device);
}

// Once, for a link unit that is registered. The device; negative where there is none.
int start_default_device() {
  if (rex_offload.kind == REX_ON_HOST || modules_of_link_unit().empty()) return -1;
  int device = omp_get_default_device();
  if (!load_images(device)) return -1;
  prepare_launches(device);
  prepare_reductions(device);
  prepare_copies(device);
  return device;
}
int started_device() {
  static const int device = SharedMemory::apart(start_default_device);
  return device;
}

// OpenMP begins with the device. A program that sets variables of the environment may still do so.
__attribute__((constructor)) void when_loaded() {
  if (!register_when_loaded() || refer_to({"setenv", "putenv"}, Asked::program)) return;
  if (rex_has_tasks != 0 && rex_offload.kind != REX_ON_HOST) begin_helpers();
  started_device();
}

} // namespace
} // namespace __rex

void rex_offload_init() {
  using namespace __rex;
  if (is_begun_in_background() && !have_values_of_host(modules_of_link_unit())) return;
  ensure_registered();
  int device = started_device();
  if (device >= 0) attach_globals(device);
}
