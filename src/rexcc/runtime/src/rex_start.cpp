// SPDX-License-Identifier: Apache-2.0
//
// The first statement of a generated main (rex_offload_init in rex_runtime.h): what else the first construct would do, and
// the user would time.
#include "rex_background.h"
#include "rex_direct.h"
#include "rex_internal.h"
#include "rex_modules.h"
#include "rex_registration.h"
#include "rex_rings.h"

namespace __rex REX_HIDDEN {

// The first copies are not to wait for the memory that they go through.
static void prepare_copies(int device) {
  Staging *staging = Staging::of_link_unit();
  DeviceRings *rings = staging != nullptr ? staging->rings_of(device) : nullptr;
  void *memory = rings != nullptr ? omp_target_alloc(1, device) : nullptr;
  if (memory == nullptr) return;
  rings->prepare(memory);
  omp_target_free(memory, device);
}

} // namespace __rex

void rex_offload_init() {
  using namespace __rex;
  if (is_begun_in_background() && !have_values_of_host(modules_of_link_unit())) return;
  ensure_registered();
  if (rex_offload.kind == REX_ON_HOST) return;
  int device = omp_get_default_device();
  if (!load_images(device)) return;
  attach_globals(device); // while the host's variables have their first values
  prepare_launches(device);
  prepare_reductions(device);
  prepare_copies(device);
}
