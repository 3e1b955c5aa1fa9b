// SPDX-License-Identifier: Apache-2.0
//
// Decides where the regions run, gives the fitting images to libomptarget once, and loads them onto the devices that are
// used.
#ifndef REX_REGISTRATION_H
#define REX_REGISTRATION_H

#include "rex_decide.h"
#include "rex_deferral.h"
#include "rex_globals.h"
#include "rex_gpu.h"
#include "rex_images.h"
#include "rex_internal.h"
#include "rex_partials.h"
#include "rex_units.h"

#include <memory>
#include <string>
#include <vector>

namespace __rex REX_HIDDEN {

// All that registration owns. Never destroyed at exit, hence a plain pointer; rex_offload_fini() does it on request.
// What it has found out for generated code is in rex_offload.
struct Registration {
  std::unique_ptr<Gpu> gpu = std::make_unique<Gpu>();
  std::string cubin; // the bytes of REX_CUBIN's file
  Decision decision;
  OtherUnits others{};
  Globals globals;
  bool requires_shared_memory = false; // the modules, which then have no variables of their own on a device
  bool shares_memory = false;          // they do, or the program's heap does (rex_shared_memory.h)
  bool shows_launches = false;
  std::vector<std::unique_ptr<RegisteredModule>> modules;
  PartialsStore partials; // goes before the modules do

  // The link unit's, for who has called ensure_registered().
  static Registration &of_link_unit() { return *made; }
  static void begin() { made = new Registration; }
  static void end() {
    delete made;
    made = nullptr;
  }

private:
  static Registration *made;
};

// kForked: a child process of one that had started a GPU, which CUDA does not serve.
enum RegistrationState { kUnregistered = 0, kBusy = 1, kRegistered = 2, kForked = 3 };

// One thread registers, all others wait until it has.
void register_link_unit();
inline void ensure_registered() {
  DeferredTasks::note_thread();
  if (__atomic_load_n(&rex_offload.registration, __ATOMIC_ACQUIRE) != kRegistered) register_link_unit();
}

// Ends a process that cannot use its device, with words about why, before it asks libomptarget for anything there.
[[noreturn]] void end_child(const __rex_ident *place);
inline void check_process(const __rex_ident *place, int64_t device) {
  if (rex_offload.registration == kForked && device != omp_get_initial_device()) end_child(place);
}

// Before main, or when a library is loaded: also programs whose main was not generated find their devices, and
// omp_get_num_devices() is right from the start. False where registration is left for later.
bool register_when_loaded();

// Whether mapped data has copies on a device: there is one, and it has memory of its own.
inline bool has_copies() {
  return rex_offload.kind != REX_ON_HOST && !Registration::of_link_unit().shares_memory;
}

// Whether variables of the modules may have values of their own there.
inline bool has_own_variables() {
  return rex_offload.kind != REX_ON_HOST && !Registration::of_link_unit().requires_shared_memory;
}

// Has libomptarget load the images on a device, by an empty update; whether there is such a device.
bool load_images(int device);

// Before a device is used: its pointers to global variables (rex_globals.h).
void attach_globals_on(int64_t asked);
inline void attach_globals(int64_t asked) {
  if (has_own_variables() && Registration::of_link_unit().globals.any()) attach_globals_on(asked);
}

// Memory for the first launch on a device that reduces, which the user may time: the driver takes much longer for it than
// for the launch. At the start for the default device; for others, and in programs whose main was not generated, when data is
// mapped first.
void prepare_reductions(int64_t device);

} // namespace __rex

#endif
