// SPDX-License-Identifier: Apache-2.0
#include "rex_launch.h"

#include "rex_always.h"
#include "rex_attached_rows.h"
#include "rex_batches.h"
#include "rex_call.h"
#include "rex_checks.h"
#include "rex_direct.h"
#include "rex_gate.h"
#include "rex_host_pointers.h"
#include "rex_lookups.h"
#include "rex_messages.h"
#include "rex_modules.h"
#include "rex_objects.h"
#include "rex_observed.h"
#include "rex_partials.h"
#include "rex_registration.h"
#include "rex_room.h"
#include "rex_settings.h"
#include "rex_shared_memory.h"
#include "rex_small_rows.h"
#include "rex_staging.h"
#include "rex_unreferenced.h"

#include <memory>
#include <string>

namespace __rex REX_HIDDEN {
namespace {

std::string why_on_host(int64_t device) {
  if (offload_policy_is("disabled")) return "OMP_TARGET_OFFLOAD=DISABLED";
  if (rex_offload.kind == REX_ON_HOST) return "no device, as said at the start";
  return device == omp_get_initial_device() ? "its device is the host" : "libomptarget refused the launch";
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
  return __tgt_target_kernel(place, device, teams, threads, host_ptr, &extended);
}

// A launch with its mappings, large copies and `always` copies around it.
int launch_by_libomptarget(Call &call, const Shape &shape, __tgt_kernel_arguments *packet) {
  auto *place = const_cast<__rex_ident *>(call.place);
  auto *kernel = const_cast<void *>(shape.host_ptr);
  MayUnmap may_unmap(call);
  Inside inside(call);
  if (launched_with_small_rows(call, shape, inside)) return 0;
  const Call asked = call;
  LeftAttached left(asked);
  note_pointers(call);
  KeptPointers kept(call);
  MappedForLaunch mapped(call, inside);
  AlwaysCopies always(call);
  packet->args_base = call.bases;
  packet->args = call.begins;
  packet->arg_sizes = call.sizes;
  packet->arg_types = call.types = always.types_or(call.types);
  always.copy(REX_MAP_TO);
  int result = -1;
  if (rex_offload.kind == REX_ON_GPU)
    result = __tgt_target_kernel(place, call.device, shape.teams, shape.threads, kernel, packet);
  else if (rex_offload.kind == REX_ON_CPU_DEVICE)
    result = launch_on_cpu_device(place, call.device, shape.teams, shape.threads, kernel, *packet);
  always.copy(REX_MAP_FROM);
  mapped.finish(result == 0);
  if (result == 0) left.note();
  return result;
}

// The call with memory for what its teams reduce in its rows.
Call reduced_call(const Call &call, Reduction &reduction) {
  Call reduced = call;
  reduced.bases = reduction.bases_or(call.bases);
  reduced.begins = reduction.begins_or(call.begins);
  reduced.sizes = reduction.sizes_or(call.sizes);
  reduced.types = reduction.types_or(call.types);
  return reduced;
}

// Whether a launch brings something small home that is not on the device otherwise, so that the host waits for it.
bool has_results(const Call &call) {
  for (int32_t row = 0; row < call.count; row++) {
    bool comes_home = (call.types[row] & (REX_MAP_FROM | REX_MAP_LITERAL)) == REX_MAP_FROM;
    if (!comes_home || call.sizes[row] <= 0 || call.sizes[row] > Arguments::kMostBrought) continue;
    if (omp_get_mapped_ptr(call.begins[row], call.device_number()) == nullptr) return true;
  }
  return false;
}

// Whether a launch has been made in a batch, behind what is queued there, and waited for together with that.
bool launched_with_results(const Call &call, const Shape &shape) {
  constexpr size_t most_asked_for = Arguments::kMostAskedFor;
  if (!has_results(call) || !MayUnmap::is_alone(call.device_number())) return false;
  Registration &registration = Registration::of_link_unit();
  Reduction reduction(registration.partials, call, registration.shares_memory);
  if (!reduction.is_ready()) return false;
  bool launched = launched_behind_queue(reduced_call(call, reduction), shape, [&](const QueuedKernels &kernels) {
    return !reduction.has_read([&](const char *original, size_t size) {
      return size > most_asked_for || kernels.knows(original, size);
    });
  });
  if (launched) reduction.finish();
  return launched;
}

// The launch with memory for what its teams reduce.
int launch_with_reductions(Call &call, const Shape &shape, __tgt_kernel_arguments *packet) {
  Registration &registration = Registration::of_link_unit();
  Reduction reduction(registration.partials, call, registration.shares_memory);
  if (!reduction.is_ready()) {
    say(readable_place(call.place) + ": the device has no memory for the reduction's partial results");
    return -1;
  }
  Call reduced = reduced_call(call, reduction);
  bool is_tried = is_queueing() && reduced.types == call.types; // for a batch
  int result = !is_tried && launched_directly(reduced, shape) ? 0 : launch_by_libomptarget(reduced, shape, packet);
  if (result == 0) reduction.finish();
  return result;
}

} // namespace

int threads_to_launch(const void *host_ptr, int threads) {
  if (rex_offload.kind != REX_ON_GPU) return threads;
  return threads_with_room(*static_cast<const rex_kernel *>(host_ptr), threads < REX_MOST_THREADS ? threads : REX_MOST_THREADS);
}

void tell_launch(const __rex_ident *place, int64_t device, int teams, int threads, bool launched) {
  std::string line = readable_place(place) + ": ";
  if (launched && rex_offload.kind == REX_ON_GPU)
    line += "GPU sm_" + std::to_string(Registration::of_link_unit().gpu->arch);
  if (launched && rex_offload.kind == REX_ON_CPU_DEVICE) line += "CPU device";
  say(launched ? line + ", teams " + std::to_string(teams) + ", threads " + std::to_string(threads)
               : line + "host (" + why_on_host(device) + ")");
}

} // namespace __rex

static int launch(__rex_ident *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
                  __tgt_kernel_arguments *kernel_args) {
  using namespace __rex;
  device = device_of_now(device);
  check_process(place, device);
  kernel_args->threads[0] = threads = threads_to_launch(host_ptr, threads);
  const __tgt_kernel_arguments &given = *kernel_args;
  Call call = {CallKind::kernel, place, device, given.arg_num, given.args_base, given.args,
               given.arg_sizes, given.arg_types, given.arg_names, given.arg_mappers};
  prepare_launches(device);
  Observed observed(call);
  if (Profile::opened() != nullptr) observed.profiled.kernel = symbol_of(host_ptr);
  Lookups lookups(call, has_own_variables());
  Shape shape = {host_ptr, teams, threads, given.shared_bytes};
  if (is_queueing() && (launched_in_queue(call, shape, nullptr) || launched_with_results(call, shape))) {
    show_launch(place, device, teams, threads, true);
    return 0;
  }
  if (Batch::of_thread.depth > 0) wait_for_batch_on(device);
  check_rows(call);
  PartialObjects objects(call);
  objects.put_into(call);
  CurrentCall current(call);
  int result = launch_with_reductions(call, shape, kernel_args);
  show_launch(place, device, teams, threads, result == 0);
  return result;
}

int rex___tgt_target_kernel(__rex_ident *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
                            __tgt_kernel_arguments *kernel_args) {
  __rex::ensure_registered();
  return __rex::SharedMemory::apart([&] { return launch(place, device, teams, threads, host_ptr, kernel_args); });
}
