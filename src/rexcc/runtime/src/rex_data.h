// SPDX-License-Identifier: Apache-2.0
//
// Mapping and updating, and all constructs as target tasks. Part of register_cubin.cpp.
#ifndef REX_DATA_H
#define REX_DATA_H

#include "rex_launch.h"
#include "rex_tasks.h"
#include "rex_updates.h"

#include <cstdint>
#include <cstdlib>
#include <memory>

// Where the regions run on the host there is nothing to map, and other link units' devices must not hear of it. Else the
// device becomes a number.
static bool is_for_device(int64_t &device) {
  ensure_registered();
  device = device_of_now(device);
  return rex_offload.kind != REX_ON_HOST;
}

void rex___tgt_target_data_begin_mapper(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                        void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                        void **arg_mappers) {
  if (!is_for_device(device)) return;
  wait_for_batch();
  Call call = {CallKind::data_begin, place, device, arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  check_rows(call);
  CurrentCall current(call);
  Inside inside;
  note_pointers(arg_num, args_base, arg_types);
  AlwaysCopies always(call);
  copy_always(always, REX_MAP_TO, call);
  begin_data(call, always.types_or(arg_types), inside);
  prepare_launches(); // where main was not generated nothing has been, and the user may time the first launch
  prepare_reductions(device);
}

void rex___tgt_target_data_end_mapper(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                      void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                      void **arg_mappers) {
  if (!is_for_device(device)) return;
  wait_for_batch();
  Call call = {CallKind::data_end, place, device, arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  check_rows(call);
  CurrentCall current(call);
  MayUnmap may_unmap(call);
  Inside inside;
  end_data(call, arg_types, inside);
  forget_seen();
}

void rex___tgt_target_data_update_mapper(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                         void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                         void **arg_mappers) {
  if (!is_for_device(device)) return;
  Call call = {CallKind::data_update, place, device, arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  if (updated_directly(call)) return;
  check_rows(call);
  CurrentCall current(call);
  Inside inside;
  update_data(call, arg_types);
}

// ---------------------------------------------------------------------------------------------------------------------
// Target tasks.

int rex_target_kernel_task(rex_task *task, __rex_ident *place, int64_t device, int32_t teams, int32_t threads,
                           void *host_ptr, __tgt_kernel_arguments *kernel_args) {
  ensure_registered();
  device = device_of_now(device);
  if (rex_offload.kind == REX_ON_HOST || device == omp_get_initial_device()) {
    if (show_launches) show_launch(place, device, teams, threads, false);
    return -1;
  }
  __tgt_kernel_arguments packet = *kernel_args;
  Call call = {CallKind::kernel, place, device, packet.arg_num, packet.args_base, packet.args,
               packet.arg_sizes, packet.arg_types, packet.arg_names, packet.arg_mappers};
  if (task->deferred && task->depend_num == 0 &&
      launched_in_batch(call, {host_ptr, teams, threads, packet.shared_bytes})) {
    if (show_launches) show_launch(place, device, teams, threads, true);
    return 0;
  }
  wait_for_batch();
  auto arrays = std::make_shared<TaskArrays>(packet.arg_num, packet.args_base, packet.args, packet.arg_sizes,
                                             packet.arg_types, packet.arg_names, packet.arg_mappers);
  run_as_task(place, device, *task, [=]() mutable {
    packet.args_base = arrays->bases.data();
    packet.args = arrays->begins.data();
    packet.arg_sizes = arrays->sizes.data();
    packet.arg_types = arrays->types.data();
    packet.arg_names = arrays->names.empty() ? nullptr : arrays->names.data();
    packet.arg_mappers = arrays->mappers.empty() ? nullptr : arrays->mappers.data();
    if (rex___tgt_target_kernel(place, device, teams, threads, host_ptr, &packet) == 0) return;
    say(readable_place(place) + ": libomptarget refused the launch of a task that was made for its device");
    abort();
  });
  return 0;
}

#define REX_DATA_TASK(name)                                                                                            \
  void rex_target_data_##name##_task(rex_task *task, __rex_ident *place, int64_t device, int32_t arg_num,                  \
                                     void **args_base, void **args, int64_t *arg_sizes, int64_t *arg_types,            \
                                     void **arg_names, void **arg_mappers) {                                           \
    ensure_registered();                                                                                               \
    device = device_of_now(device);                                                                                   \
    auto rows = std::make_shared<TaskArrays>(arg_num, args_base, args, arg_sizes, arg_types, arg_names, arg_mappers);  \
    run_as_task(place, device, *task, [=]() {                                                                          \
      rex___tgt_target_data_##name##_mapper(place, device, arg_num, rows->bases.data(), rows->begins.data(),           \
                                            rows->sizes.data(), rows->types.data(),                                    \
                                            rows->names.empty() ? nullptr : rows->names.data(),                        \
                                            rows->mappers.empty() ? nullptr : rows->mappers.data());                   \
    });                                                                                                                \
  }
REX_DATA_TASK(begin)
REX_DATA_TASK(end)
REX_DATA_TASK(update)

void rex_empty_task(rex_task *task, __rex_ident *place, int64_t device) {
  ensure_registered();
  run_as_task(place, device_of_now(device), *task, [] {});
}

#endif
