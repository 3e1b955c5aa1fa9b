// SPDX-License-Identifier: Apache-2.0
//
// Launches that the driver gets from us: those in batches (rex_batches.h), and here the others, which are waited for one
// by one; updates too (rex_updates.h). Nothing that libomptarget does before and after such a launch has an effect when all
// rows are values, small copies, or data that is on the device already, but it takes part of the time of a short launch
// (docs/decisions/032-direct-launches.md). Part of register_cubin.cpp.
//
// REX_SYNCHRONOUS=1 leaves all launches to libomptarget.
#ifndef REX_DIRECT_H
#define REX_DIRECT_H

#include "rex_arguments.h"
#include "rex_gate.h"
#include "rex_registration.h"
#include "rex_unreferenced.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace {

// ";nn.c;find_distances;12;1;;" -> "nn.c:12 find_distances"
std::string readable_place(const __rex_ident *place) {
  std::vector<std::string> fields(1);
  for (const char *c = place != nullptr && place->source != nullptr ? place->source : ""; *c != '\0'; c++)
    *c == ';' ? fields.emplace_back() : fields.back() += *c;
  return fields.size() < 4 ? "target region" : fields[1] + ":" + fields[3] + " " + fields[2];
}

// Whether the program is linked with a tool of OpenMP's; libomp has a function of the name itself.
bool has_tool() {
  Dl_info tool, libomp;
  void *start = dlsym(RTLD_DEFAULT, "ompt_start_tool"), *theirs = dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num");
  if (start == nullptr || theirs == nullptr) return start != nullptr;
  return dladdr(start, &tool) == 0 || dladdr(theirs, &libomp) == 0 || tool.dli_fbase != libomp.dli_fbase;
}

// Who watches libomptarget's launches, or limits them, means all of them.
bool launches_are_watched() {
  for (const char *variable : {"LIBOMPTARGET_INFO", "LIBOMPTARGET_DEBUG", "LIBOMPTARGET_PROFILE", "LIBOMPTARGET_RECORD",
                               "OMP_TOOL_LIBRARIES", "OMP_NUM_TEAMS", "OMP_TEAMS_THREAD_LIMIT", "OMP_THREAD_LIMIT",
                               "REX_CUBIN"})
    if (setting(variable) != nullptr) return true;
  return switched_on("REX_SYNCHRONOUS") || has_tool();
}

// How a kernel is to be launched.
struct Shape {
  const void *host_ptr; // stands for the kernel
  int teams, threads;
  uint32_t shared_bytes;
};

// Whether a launch is one for us, and what it gives its kernel then.
bool resolve(const Call &call, const Shape &shape, Arguments &arguments) {
  constexpr uint32_t always_there = 48 << 10; // more shared memory has to be asked for
  if (queued_kernels.function(shape.host_ptr) == nullptr || call.device != 0) return false;
  if (shape.teams < 1 || shape.threads < 1 || shape.shared_bytes > always_there) return false;
  Inside inside; // what is on the device has its values
  return arguments.resolve(call);
}

// Gives a launch to the driver; the GPU's context is the thread's. False when the driver refuses it.
bool start(Queue &queue, const Shape &shape, Arguments &arguments) {
  void **parameters = arguments.parameters(queue);
  return parameters != nullptr && queued_kernels.launch(queued_kernels.function(shape.host_ptr), shape.teams,
                                                        shape.threads, shape.shared_bytes, queue, parameters);
}

void end_failed(const __rex_ident *place, const char *what, const std::string &failure) {
  say(readable_place(place) + ": " + what + " has failed: " + failure + " (REX_SYNCHRONOUS=1 waits for each)");
  current_call = nullptr; // no mapping has
  abort();
}

// Does one thing in a queue and waits for it. `resolve` tells whether it can be done, `start` gives it to the driver.
template <class Resolve, class Start> bool done_alone(const __rex_ident *place, const char *what, Resolve resolve, Start start) {
  if (!queued_kernels.any() || !MayUnmap::is_alone() || !begin_unreferenced()) return false;
  bool done = false;
  std::string failure;
  if (resolve() && queued_kernels.enter()) {
    Queue queue = queued_kernels.take_queue();
    done = queue.stream != nullptr && start(queue);
    if (done) failure = queued_kernels.wait(queue);
    queued_kernels.give_back(queue);
    queued_kernels.leave();
  }
  end_unreferenced();
  if (!failure.empty()) end_failed(place, what, failure);
  return done;
}

} // namespace

// Loads the kernels: at the start if possible, not for the first launch, which the user may time.
static void prepare_launches() {
  if (rex_offload.kind != REX_ON_GPU) return;
  static const bool prepared = [] {
    if (!registration->shares_memory && !registration->globals.any() && !launches_are_watched())
      queued_kernels.load(modules_of_link_unit(), rex_has_reductions != 0);
    return true;
  }();
  (void)prepared;
}

// Whether a launch has been made, and waited for, without libomptarget.
static bool launched_directly(const Call &call, const Shape &shape) {
  Arguments arguments;
  return done_alone(
      call.place, "this kernel", [&] { return resolve(call, shape, arguments); },
      [&](Queue &queue) { return start(queue, shape, arguments); });
}

#endif
