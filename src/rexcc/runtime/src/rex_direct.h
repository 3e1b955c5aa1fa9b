// SPDX-License-Identifier: Apache-2.0
//
// Launches that the driver gets from us: those in batches (rex_batches.h), and here the others, which are waited for one
// by one; updates too (rex_updates.h). Nothing that libomptarget does before and after such a launch has an effect when all
// rows are values, small copies, or data that is on the device already, but it takes part of the time of a short launch
// (docs/decisions/032-direct-launches.md).
//
// REX_SYNCHRONOUS=1 leaves all launches to libomptarget.
#ifndef REX_DIRECT_H
#define REX_DIRECT_H

#include "rex_arguments.h"
#include "rex_call.h"
#include "rex_gate.h"
#include "rex_internal.h"
#include "rex_queue.h"
#include "rex_unreferenced.h"

#include <string>

namespace __rex REX_HIDDEN {

// Whether somebody wants to see what libomptarget is asked for, or to limit it: then it is asked for everything.
bool calls_are_watched();

// How a kernel is to be launched.
struct Shape {
  const void *host_ptr; // stands for the kernel
  int teams, threads;
  uint32_t shared_bytes;
};

// Loads the kernels of a link unit that is registered onto a device: at the start if possible, or when data is mapped
// first, not for the first launch, which the user may time. Devices that are not used get none.
void load_kernels(int device);
inline void prepare_launches(int64_t device) {
  if (rex_offload.kind == REX_ON_GPU && !QueuedKernels::are_prepared(device)) load_kernels(static_cast<int>(device));
}

// Whether a launch is one that the driver can get from us.
inline bool can_start(const QueuedKernels &kernels, const Shape &shape) {
  constexpr uint32_t always_there = 48 << 10; // more shared memory has to be asked for
  if (kernels.function(shape.host_ptr) == nullptr) return false;
  return shape.teams >= 1 && shape.threads >= 1 && shape.shared_bytes <= always_there;
}

// Whether it needs nothing but its kernel, and what it gives it then. `is_waited_for`: the thread, which no other maps
// anything beside, waits for it.
inline bool resolve(const QueuedKernels &kernels, const Call &call, const Shape &shape, Arguments &arguments,
                    bool is_waited_for) {
  return can_start(kernels, shape) && look_up_on(call.device, call, [&] { return arguments.resolve(call, is_waited_for); });
}

// Gives a launch to the driver; the GPU's context is the thread's. False when the driver refuses it.
inline bool start(const QueuedKernels &kernels, Queue &queue, const Shape &shape, Arguments &arguments) {
  void **parameters = arguments.parameters(kernels, queue);
  return parameters != nullptr && kernels.launch(kernels.function(shape.host_ptr), shape.teams, shape.threads,
                                                 shape.shared_bytes, queue, parameters);
}

// Ends the program where the driver tells of a failure.
void end_failed(const __rex_ident *place, const char *what, const std::string &failure);

// The same launch where copies may come home. A kernel that has been launched is not launched once more.
bool start_with_homes(const Call &call, const QueuedKernels &kernels, Queue &queue, const Shape &shape, Arguments &arguments);

// Does one thing in a queue and waits for it: `start` gives it to the driver, `finish` does what is left while the queue is
// still this thread's. Whether it has been started; `failure` is how it ended, if not well.
template <class Start, class Finish>
bool done_in_queue(QueuedKernels &kernels, Start start, Finish finish, std::string &failure) {
  if (!kernels.enter()) return false;
  Queue queue = kernels.take_queue();
  bool done = queue.stream != nullptr && start(queue);
  if (done) failure = kernels.wait(queue);
  if (done && failure.empty()) finish(queue);
  kernels.give_back(queue);
  kernels.leave();
  return done;
}

// The same where a thread has nothing in flight; `resolve` tells whether it can be done.
template <class Resolve, class Start, class Finish>
bool done_alone(const Call &call, const char *what, Resolve resolve, Start start, Finish finish) {
  QueuedKernels *kernels = QueuedKernels::of_device(call.device);
  if (kernels == nullptr || !MayUnmap::is_alone(kernels->device) || !begin_unreferenced(kernels->device)) return false;
  std::string failure;
  bool done = resolve(*kernels) && done_in_queue(
                                       *kernels, [&](Queue &queue) { return start(*kernels, queue); },
                                       [&](Queue &) { finish(); }, failure);
  end_unreferenced(kernels->device);
  if (!failure.empty()) end_failed(call.place, what, failure);
  return done;
}

// Whether a launch has been made, and waited for, without libomptarget.
bool launched_directly(const Call &call, const Shape &shape);

} // namespace __rex

#endif
