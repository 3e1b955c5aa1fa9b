// SPDX-License-Identifier: Apache-2.0
//
// A launch: where it goes, what is checked before, and what REX_INFO tells. Part of register_cubin.cpp.
#ifndef REX_LAUNCH_H
#define REX_LAUNCH_H

#include "rex_always.h"
#include "rex_batches.h"
#include "rex_direct.h"
#include "rex_explain.h"
#include "rex_lookups.h"
#include "rex_objects.h"
#include "rex_registration.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

std::string why_on_host(int64_t device) {
  if (offload_policy_is("disabled")) return "OMP_TARGET_OFFLOAD=DISABLED";
  if (rex_offload.kind == REX_ON_HOST) return "no device, as said at the start";
  return device == omp_get_initial_device() ? "its device is the host" : "libomptarget refused the launch";
}

void show_launch(const __rex_ident *place, int64_t device, int teams, int threads, bool launched) {
  std::string line = readable_place(place) + ": ";
  if (launched && rex_offload.kind == REX_ON_GPU) line += "GPU sm_" + std::to_string(registration->gpu->arch);
  if (launched && rex_offload.kind == REX_ON_CPU_DEVICE) line += "CPU device";
  say(launched ? line + ", teams " + std::to_string(teams) + ", threads " + std::to_string(threads)
               : line + "host (" + why_on_host(device) + ")");
}

// An array of the packet with one more element. On the stack, but for kernels with very many arguments.
template <class Element> class Extended {
public:
  Extended(const Element *given, int32_t count, Element last) {
    if (count >= kFew) many.reset(new Element[count + 1]);
    for (int32_t i = 0; i < count; i++) data()[i] = given != nullptr ? given[i] : Element();
    data()[count] = last;
  }
  Element *data() { return many ? many.get() : few; }

private:
  static constexpr int32_t kFew = 64;
  Element few[kFew];
  std::unique_ptr<Element[]> many;
};

// The host plugin calls the kernel once and knows no teams or threads. They travel as one more argument: a pointer to
// the geometry, which the kernel's entry point in the host image takes as its last parameter.
int launch_on_cpu_device(__rex_ident *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
                         const __tgt_kernel_arguments &given) {
  struct Geometry {
    int32_t teams, threads, device, devices;
  } geometry = {teams, threads, static_cast<int32_t>(device), omp_get_num_devices()};
  int32_t count = given.arg_num;
  Extended<void *> args_base(given.args_base, count, &geometry), args(given.args, count, &geometry);
  Extended<int64_t> sizes(given.arg_sizes, count, sizeof(void *)), types(given.arg_types, count, REX_MAP_LITERAL_PARAM);
  Extended<void *> names(given.arg_names, count, nullptr), mappers(given.arg_mappers, count, nullptr);
  __tgt_kernel_arguments extended = given;
  extended.arg_num = count + 1;
  extended.args_base = args_base.data();
  extended.args = args.data();
  extended.arg_sizes = sizes.data();
  extended.arg_types = types.data();
  extended.arg_names = names.data();
  if (given.arg_mappers != nullptr) extended.arg_mappers = mappers.data();
  return __rex_real___tgt_target_kernel(place, device, teams, threads, host_ptr, &extended);
}

} // namespace

// Where the device has no room libomptarget ends the program with lines about pointers. Said here first, in one
// sentence; only large mappings are worth the question.
static void check_room(const Call &call) {
  constexpr int64_t large = INT64_C(1) << 30;
  if (rex_offload.kind != REX_ON_GPU) return;
  int number = call.device_number();
  int64_t wanted = 0;
  for (int32_t i = 0; i < call.count; i++)
    if (call.sizes[i] >= large && !(call.types[i] & REX_MAP_LITERAL) && !was_present(call.begins[i], number))
      wanted += call.sizes[i];
  int64_t free = wanted > 0 ? registration->gpu->free_memory(number) : -1;
  if (free < 0 || wanted <= free) return;
  say(readable_place(call.place) + ": mapping needs " + std::to_string(wanted >> 20) + " MiB on the GPU, which has " +
      std::to_string(free >> 20) + " MiB free; map less, or in parts");
}

// Shared memory needs no mapping, so nothing can be missing.
static void check_rows(const Call &call) {
  attach_globals(call.device);
  if (rex_offload.kind != REX_ON_HOST && !registration->shares_memory) check_present(call, load_images);
  if (call.kind == CallKind::data_begin || call.kind == CallKind::kernel) check_room(call);
}

static void copy_always(const AlwaysCopies &always, int64_t direction, const Call &call) {
  always.copy(direction, [&](int32_t count, void **bases, void **begins, int64_t *sizes, int64_t *types) {
    __rex_ident place = *call.place;
    __rex_real___tgt_target_data_update(&place, call.device, count, bases, begins, sizes, types, nullptr, nullptr);
  });
}

// The number of the device that a construct means when it is met.
static int64_t device_of_now(int64_t device) {
  if (device == REX_DEVICE_DEFAULT) device = rex_device_number(omp_get_default_device());
  return device == REX_DEVICE_INITIAL ? omp_get_initial_device() : device;
}

void *rex_address_on_device(const void *pointer, int64_t device) {
  ensure_registered();
  void *there = pointer == nullptr ? nullptr : omp_get_mapped_ptr(pointer, (int)device_of_now(device));
  return there != nullptr ? there : const_cast<void *>(pointer);
}

int64_t rex_device_of_now() {
  ensure_registered();
  return device_of_now(REX_DEVICE_DEFAULT);
}

// A launch with its mappings, large copies and `always` copies around it.
static int launch_by_libomptarget(Call &call, const Shape &shape, __tgt_kernel_arguments *packet) {
  auto *place = const_cast<__rex_ident *>(call.place);
  auto *kernel = const_cast<void *>(shape.host_ptr);
  MayUnmap may_unmap(call);
  Inside inside;
  MappedForLaunch mapped(call, inside);
  AlwaysCopies always(call);
  packet->args_base = call.bases;
  packet->args = call.begins;
  packet->arg_sizes = call.sizes;
  packet->arg_types = call.types = always.types_or(call.types);
  copy_always(always, REX_MAP_TO, call);
  int result = -1;
  if (rex_offload.kind == REX_ON_GPU)
    result = __rex_real___tgt_target_kernel(place, call.device, shape.teams, shape.threads, kernel, packet);
  else if (rex_offload.kind == REX_ON_CPU_DEVICE)
    result = launch_on_cpu_device(place, call.device, shape.teams, shape.threads, kernel, *packet);
  copy_always(always, REX_MAP_FROM, call);
  mapped.finish(result == 0);
  return result;
}

int rex___tgt_target_kernel(__rex_ident *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
                            __tgt_kernel_arguments *kernel_args) {
  ensure_registered();
  device = device_of_now(device);
  int result = -1;
  // No GPU has larger blocks, and OpenMP's thread numbers are upper limits.
  if (rex_offload.kind == REX_ON_GPU && threads > 1024) kernel_args->threads[0] = threads = 1024;
  const __tgt_kernel_arguments &given = *kernel_args;
  Call call = {CallKind::kernel, place, device, given.arg_num, given.args_base, given.args,
               given.arg_sizes, given.arg_types, given.arg_names, given.arg_mappers};
  prepare_launches();
  Lookups lookups(call, rex_offload.kind != REX_ON_HOST && !registration->shares_memory);
  Shape shape = {host_ptr, teams, threads, given.shared_bytes};
  if (launched_in_batch(call, shape)) {
    if (show_launches) show_launch(place, device, teams, threads, true);
    return 0;
  }
  check_rows(call);
  PartialObjects objects(call);
  call.types = objects.types_or(call.types);
  CurrentCall current(call);
  note_pointers(call.count, call.bases, call.types);
  Reduction reduction(registration->partials, call, registration->shares_memory);
  if (!reduction.is_ready()) say(readable_place(place) + ": the device has no memory for the reduction's partial results");
  Call reduced = call;
  reduced.bases = reduction.bases_or(call.bases);
  reduced.begins = reduction.begins_or(call.begins);
  reduced.sizes = reduction.sizes_or(call.sizes);
  reduced.types = reduction.types_or(call.types);
  bool is_tried = batch.depth > 0 && reduced.types == call.types; // for a batch
  if (reduction.is_ready() && !is_tried && launched_directly(reduced, shape)) result = 0;
  else if (reduction.is_ready()) result = launch_by_libomptarget(reduced, shape, kernel_args);
  if (result == 0) reduction.finish();
  if (show_launches) show_launch(place, device, teams, threads, result == 0);
  return result;
}

// The device's own copy of a variable that is there; null for none, and where memory is shared.
static void *copy_on_device(void *original, int device) {
  bool has_copies = rex_offload.kind != REX_ON_HOST && !registration->shares_memory;
  return has_copies && device < omp_get_num_devices() ? omp_get_mapped_ptr(original, device) : nullptr;
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

#endif
