// SPDX-License-Identifier: Apache-2.0
//
// Mapping and updating, addresses and numbers of devices: calls of rex_runtime.h.
#include "rex_always.h"
#include "rex_batches.h"
#include "rex_call.h"
#include "rex_checks.h"
#include "rex_direct.h"
#include "rex_gate.h"
#include "rex_host_pointers.h"
#include "rex_internal.h"
#include "rex_observed.h"
#include "rex_registration.h"
#include "rex_shared_memory.h"
#include "rex_staging.h"
#include "rex_unreferenced.h"
#include "rex_updates.h"

#include <algorithm>
#include <vector>

using namespace __rex;

// Where the regions run on the host there is nothing to map, and other link units' devices must not hear of it. Else the
// device becomes a number.
static bool is_for_device(const __rex_ident *place, int64_t &device) {
  ensure_registered();
  device = device_of_now(device);
  if (rex_offload.kind != REX_ON_HOST) check_process(place, device);
  return rex_offload.kind != REX_ON_HOST;
}

// Whether a construct only wants to know where data is: `target data` with nothing but use_device_ptr and use_device_addr.
static bool asks_for_addresses(const Call &call) {
  if (call.count == 0 || !has_copies() || calls_are_watched()) return false;
  for (int32_t row = 0; row < call.count; row++)
    if (call.types[row] != REX_MAP_RETURN_PARAM || call.sizes[row] != 0 || call.has_mapper(row)) return false;
  return true;
}

// Gives the rows' addresses on the device; false, and nothing is changed, where one is not there.
static bool look_up_addresses(const Call &call) {
  std::vector<void *> there(static_cast<size_t>(call.count));
  auto look = [&] {
    for (int32_t row = 0; row < call.count; row++) {
      void *begin = call.begins[row];
      bool is_plain = begin != nullptr && begin == call.bases[row];
      void *found = is_plain ? omp_get_mapped_ptr(begin, call.device_number()) : nullptr;
      if (found == nullptr) return false;
      there[static_cast<size_t>(row)] = found;
    }
    return true;
  };
  if (!look_up_on(call.device_number(), call, look)) return false;
  std::copy(there.begin(), there.end(), call.bases);
  return true;
}

// Such a construct refers to nothing: its begin is a look-up, and its end nothing
// (docs/decisions/084-addresses-looked-up.md). Of what is not there, or is only what a pointer stands for, libomptarget
// knows more; it is asked to forget the construct at once.
static void find_addresses(Call &call) {
  Observed observed(call);
  check_rows(call);
  if (look_up_addresses(call)) return;
  CurrentCall current(call);
  MayUnmap may_unmap(call);
  Inside inside(call);
  std::vector<void *> own(call.bases, call.bases + call.count);
  begin_data(call, call.types, inside);
  call.bases = own.data();
  end_data(call, call.types, inside);
  SeenAddresses::forget(call.device_number());
}

// Before the first launch on a device, which the user may time.
static void prepare_first_launch(int64_t device) {
  prepare_launches(device);
  prepare_reductions(device);
}

void rex___tgt_target_data_begin_mapper(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                        void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                        void **arg_mappers) {
  if (!is_for_device(place, device)) return;
  wait_for_batch_on(device);
  Call call = {CallKind::data_begin, place, device, arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  SharedMemory::apart([&] {
    if (asks_for_addresses(call)) return find_addresses(call), prepare_first_launch(device);
    Observed observed(call);
    check_rows(call);
    CurrentCall current(call);
    Inside inside(call);
    note_pointers(call);
    AlwaysCopies always(call);
    always.copy(REX_MAP_TO);
    begin_data(call, always.types_or(call.types), inside);
    prepare_first_launch(device);
  });
}

void rex___tgt_target_data_end_mapper(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                      void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                      void **arg_mappers) {
  if (!is_for_device(place, device)) return;
  wait_for_batch_on(device);
  Call call = {CallKind::data_end, place, device, arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  if (asks_for_addresses(call)) return;
  SharedMemory::apart([&] {
    Observed observed(call);
    check_rows(call);
    CurrentCall current(call);
    MayUnmap may_unmap(call);
    Inside inside(call);
    KeptPointers kept(call);
    end_data(call, arg_types, inside);
    SeenAddresses::forget(call.device_number());
  });
}

void rex___tgt_target_data_update_mapper(__rex_ident *place, int64_t device, int32_t arg_num, void **args_base,
                                         void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,
                                         void **arg_mappers) {
  if (!is_for_device(place, device)) return;
  Call call = {CallKind::data_update, place, device, arg_num, args_base,
               args, arg_sizes, arg_types, arg_names, arg_mappers};
  SharedMemory::apart([&] {
    Observed observed(call);
    if (updated_directly(call)) return;
    check_rows(call);
    CurrentCall current(call);
    Inside inside(call);
    KeptPointers kept(call);
    update_data(call, arg_types);
  });
}

void *rex_address_on_device(const void *pointer, int64_t device) {
  ensure_registered();
  void *there = pointer == nullptr ? nullptr : omp_get_mapped_ptr(pointer, static_cast<int>(device_of_now(device)));
  return there != nullptr ? there : const_cast<void *>(pointer);
}

int64_t rex_device_of_now() {
  ensure_registered();
  return device_of_now(REX_DEVICE_DEFAULT);
}

// The device's own copy of a variable that is there; null for none, and where memory is shared.
static void *copy_on_device(void *original, int device) {
  bool may_have = has_own_variables() && device < omp_get_num_devices();
  void *there = may_have ? omp_get_mapped_ptr(original, device) : nullptr;
  return there != original ? there : nullptr;
}

void rex_fetch_original(void *original, size_t size, int64_t device) {
  int number = static_cast<int>(device_of_now(device));
  if (void *copy = copy_on_device(original, number))
    omp_target_memcpy(original, copy, size, 0, 0, omp_get_initial_device(), number);
}

void rex_store_original(void *original, size_t size, int64_t device) {
  int number = static_cast<int>(device_of_now(device));
  if (void *copy = copy_on_device(original, number))
    omp_target_memcpy(copy, original, size, 0, 0, number, omp_get_initial_device());
}
