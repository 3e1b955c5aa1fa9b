// SPDX-License-Identifier: Apache-2.0
#include "rex_direct.h"

#include "rex_kernel_clock.h"
#include "rex_messages.h"
#include "rex_modules.h"
#include "rex_profile_tool.h"
#include "rex_registration.h"
#include "rex_settings.h"

#include <cstdlib>

namespace __rex REX_HIDDEN {
namespace {

// Who watches libomptarget's calls, or limits its launches, means all of them.
bool find_watchers() {
  for (const char *variable : {"LIBOMPTARGET_INFO", "LIBOMPTARGET_DEBUG", "LIBOMPTARGET_PROFILE", "LIBOMPTARGET_RECORD",
                               "OMP_TOOL_LIBRARIES", "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_THREAD_LIMIT",
                               "REX_CUBIN"})
    if (setting(variable) != nullptr) return true;
  return switched_on("REX_SYNCHRONOUS") || has_tool_of_others();
}

} // namespace

bool calls_are_watched() {
  static const bool watched = find_watchers();
  return watched;
}

// libomptarget numbers the devices that take an image, in the driver's order. Where all do, their numbers are the driver's;
// that the first does has been decided (rex_decide.h).
void load_kernels(int device) {
  const Registration &registration = Registration::of_link_unit();
  bool has_kernels = !registration.shares_memory && !registration.globals.any() && !calls_are_watched();
  bool is_known = device == 0 || (device < registration.gpu->device_count &&
                                  omp_get_num_devices() == registration.gpu->device_count);
  QueuedKernels::prepare(has_kernels && is_known ? modules_of_link_unit() : Modules(), device, rex_has_reductions != 0);
}

void end_failed(const __rex_ident *place, const char *what, const std::string &failure) {
  say(readable_place(place) + ": " + what + " has failed: " + failure +
      " (REX_SYNCHRONOUS=1 waits for each); compute-sanitizer tells where");
  CurrentCall::forget(); // no mapping has
  abort();
}

bool start_with_homes(const Call &call, const QueuedKernels &kernels, Queue &queue, const Shape &shape, Arguments &arguments) {
  bool has_place = QueuedKernels::place_for_room(queue) + Queue::kRoom <= Queue::kArrivals;
  if (arguments.come_home() && (!has_place || kernels.arrivals(queue) == nullptr)) return false;
  bool launched = launched_by_clock(queue.stream, [&] { return start(kernels, queue, shape, arguments); });
  if (launched && !arguments.fetch_home(call, kernels, queue)) end_failed(call.place, "this kernel", "its results cannot be copied");
  return launched;
}

bool launched_directly(const Call &call, const Shape &shape) {
  Arguments arguments;
  return done_alone(
      call, "this kernel",
      [&](const QueuedKernels &kernels) { return resolve(kernels, call, shape, arguments, true); },
      [&](const QueuedKernels &kernels, Queue &queue) { return start_with_homes(call, kernels, queue, shape, arguments); },
      [] {});
}

} // namespace __rex
