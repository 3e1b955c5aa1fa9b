// SPDX-License-Identifier: Apache-2.0
//
// All constructs as target tasks: calls of rex_runtime.h.
#include "rex_batches.h"
#include "rex_call.h"
#include "rex_internal.h"
#include "rex_launch.h"
#include "rex_messages.h"
#include "rex_observed.h"
#include "rex_ordered_tasks.h"
#include "rex_registration.h"
#include "rex_tasks.h"
#include "rex_updates.h"

#include <cstdlib>
#include <memory>

using namespace __rex;

int rex_target_kernel_task(rex_task *task, __rex_ident *place, int64_t device, int32_t teams, int32_t threads,
                           void *host_ptr, __tgt_kernel_arguments *kernel_args) {
  ensure_registered();
  device = device_of_now(device);
  if (rex_offload.kind == REX_ON_HOST || device == omp_get_initial_device()) {
    begin_task_in_batch();
    show_launch(place, device, teams, threads, false);
    return -1;
  }
  __tgt_kernel_arguments packet = *kernel_args;
  packet.threads[0] = threads = threads_to_launch(host_ptr, threads);
  Call call = {CallKind::kernel, place, device, packet.arg_num, packet.args_base, packet.args,
               packet.arg_sizes, packet.arg_types, packet.arg_names, packet.arg_mappers};
  bool may_be_queued = task->deferred && (task->depend_num == 0 || orders_tasks());
  if (may_be_queued && launched_in_batch(call, {host_ptr, teams, threads, packet.shared_bytes}, task)) {
    rex_forget_depends(task);
    show_launch(place, device, teams, threads, true);
    return 0;
  }
  begin_task_in_batch();
  auto arrays = std::make_shared<TaskArrays>(packet.arg_num, packet.args_base, packet.args, packet.arg_sizes,
                                             packet.arg_types, packet.arg_names, packet.arg_mappers);
  run_as_task(place, device, *task, [=]() mutable {
    packet.args_base = arrays->bases.data();
    packet.args = arrays->begins.data();
    packet.arg_sizes = arrays->sizes.data();
    packet.arg_types = arrays->types.data();
    packet.arg_names = arrays->names_or_null();
    packet.arg_mappers = arrays->mappers_or_null();
    if (rex___tgt_target_kernel(place, device, teams, threads, host_ptr, &packet) == 0) return;
    say(readable_place(place) + ": libomptarget refused the launch of a task that was made for its device");
    abort();
  });
  return 0;
}

// One of the data constructs, as a task that calls what is there without one.
static void run_data_task(__tgt_data_call *function, rex_task &task, __rex_ident *place, int64_t device,
                          const std::shared_ptr<TaskArrays> &rows) {
  ensure_registered();
  begin_task_in_batch();
  device = device_of_now(device);
  run_as_task(place, device, task, [=]() {
    function(place, device, static_cast<int32_t>(rows->bases.size()), rows->bases.data(), rows->begins.data(),
             rows->sizes.data(), rows->types.data(), rows->names_or_null(), rows->mappers_or_null());
  });
}

#define REX_DATA_TASK(name)                                                                                            \
  void rex_target_data_##name##_task(rex_task *task, __rex_ident *place, int64_t device, int32_t arg_num,              \
                                     void **args_base, void **args, int64_t *arg_sizes, int64_t *arg_types,            \
                                     void **arg_names, void **arg_mappers) {                                           \
    run_data_task(rex___tgt_target_data_##name##_mapper, *task, place, device,                                         \
                  std::make_shared<TaskArrays>(arg_num, args_base, args, arg_sizes, arg_types, arg_names,              \
                                               arg_mappers));                                                          \
  }
REX_DATA_TASK(begin)
REX_DATA_TASK(end)

static bool updated_in_order(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base, void **args,
                             int64_t *arg_sizes, int64_t *arg_types, void **arg_names, void **arg_mappers) {
  Call call = {CallKind::data_update, place, device_of_now(device), arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  Observed observed(call);
  return updated_as_task(call);
}

void rex_target_data_update_task(rex_task *task, __rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                 void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                 void **arg_mappers) {
  if (task->deferred && orders_tasks() &&
      updated_in_order(place, device, arg_num, args_base, args, arg_sizes, arg_types, arg_names, arg_mappers))
    return rex_forget_depends(task);
  run_data_task(rex___tgt_target_data_update_mapper, *task, place, device,
                std::make_shared<TaskArrays>(arg_num, args_base, args, arg_sizes, arg_types, arg_names, arg_mappers));
}

void rex_empty_task(rex_task *task, __rex_ident *place, int64_t device) {
  ensure_registered();
  begin_task_in_batch();
  run_as_task(place, device_of_now(device), *task, [] {});
}
