// SPDX-License-Identifier: Apache-2.0
#include "rex_registration.h"

#include "rex_background.h"
#include "rex_call.h"
#include "rex_explain.h"
#include "rex_gate.h"
#include "rex_kept_memory.h"
#include "rex_messages.h"
#include "rex_modules.h"
#include "rex_nvtx.h"
#include "rex_profile.h"
#include "rex_profile_tool.h"
#include "rex_rings.h"
#include "rex_room.h"
#include "rex_settings.h"
#include "rex_shared_memory.h"
#include "rex_spread.h"
#include "rex_staging.h"
#include "rex_watchdog.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include <pthread.h>
#include <sched.h>

rex_offload_state rex_offload = {__rex::kUnregistered, REX_ON_HOST, 1, 0, 0};
int32_t rex_has_reductions = 0, rex_has_recursion = 0;

namespace __rex REX_HIDDEN {

Registration *Registration::made;

namespace {

Registration &registration() { return Registration::of_link_unit(); }

void register_with(std::unique_ptr<RegisteredModule> registered, const std::vector<rex_offload_image> &images) {
  rex_offload_kind kind = registration().decision.kind;
  const std::string &cubin = registration().cubin;
  if (kind == REX_ON_CPU_DEVICE)
    for (const rex_offload_image &image : images) registered->add(image.begin, image.end);
  else if (kind == REX_ON_GPU && !cubin.empty())
    registered->add_cubin(cubin.data(), cubin.data() + cubin.size());
  else if (kind == REX_ON_GPU)
    for (const rex_offload_image &image : images) registered->add_cubin(image.begin, image.end);
  registered->register_images();
  registration().modules.push_back(std::move(registered));
}

void tell_room_of(const Modules &modules, const std::vector<rex_offload_image> &images) {
  if (registration().decision.kind == REX_ON_GPU)
    tell_room(*registration().gpu, modules, images, registration().cubin);
}

// Where memory is shared although nobody requires it, libomptarget is to believe that all do.
bool lacks_requirement(const rex_offload_module &module) {
  return registration().shares_memory && !requires_shared_memory(module);
}

constexpr __tgt_offload_entry shared_memory_entry = REX_REQUIRES_ENTRY(REX_REQUIRES_UNIFIED_SHARED_MEMORY);

void register_module(const rex_offload_module &module) {
  std::vector<__tgt_offload_entry> entries;
  if (lacks_requirement(module)) {
    entries.assign(module.entries, module.entries + module.entry_count);
    entries.push_back(shared_memory_entry);
  }
  auto registered = entries.empty() ? std::make_unique<RegisteredModule>(module.entries, module.entry_count)
                                    : std::make_unique<RegisteredModule>(std::move(entries));
  const std::vector<rex_offload_image> images = images_for(module, registration().decision.kind);
  tell_room_of({&module}, images);
  register_with(std::move(registered), images);
  registration().globals.add(module);
}

// Modules whose device code was linked together: one image, and the entries of all.
void register_group(const rex_offload_group &group, const Modules &modules) {
  std::vector<__tgt_offload_entry> entries;
  for (const rex_offload_module *module : modules) {
    entries.insert(entries.end(), module->entries, module->entries + module->entry_count);
    registration().globals.add(*module);
    if (lacks_requirement(*module)) entries.push_back(shared_memory_entry);
  }
  auto registered = std::make_unique<RegisteredModule>(std::move(entries));
  const std::vector<rex_offload_image> images = images_for(group, registration().decision.kind);
  tell_room_of(modules, images);
  register_with(std::move(registered), images);
}

// libomptarget 19 crashes in omp_get_num_devices() and its like until something is registered. A first registration
// that brings no device, though, makes it use host memory as device memory from then on, unless there is a requirement
// that says otherwise: any will do, also one that nobody knows.
void register_nothing() {
  static __tgt_offload_entry unknown_requirement[] = {REX_REQUIRES_ENTRY(REX_REQUIRES_NOBODY_KNOWS)};
  registration().modules.push_back(std::make_unique<RegisteredModule>(unknown_requirement, 1));
  registration().modules.back()->register_images();
}

// What would change the teams and threads that launches ask for, which kernels rely on (rex_geometry.h, rule 4). What the
// standard says of it is kept where the program names no number itself; a power of two, as kernels expect of blocks.
void take_limits() {
  if (const char *text = getenv("OMP_TEAMS_THREAD_LIMIT"))
    for (int threads = 1; threads > 0 && threads <= atoi(text) && threads <= REX_MOST_THREADS; threads *= 2)
      rex_offload.most_threads = threads;
  if (const char *text = getenv("OMP_NUM_TEAMS")) rex_offload.most_teams = atoi(text) > 0 ? atoi(text) : 0;
  unsetenv("OMP_TEAMS_THREAD_LIMIT");
  unsetenv("OMP_TEAM_LIMIT");
}

// libomptarget takes the stack of a GPU's threads from the environment. CUDA gives them 1 KiB, which a few calls take.
void give_stack() {
  const char *variable = "LIBOMPTARGET_STACK_SIZE", *enough = "16384";
  if (rex_has_recursion != 0 && setting(variable) == nullptr) set_variable(variable, enough);
}

Decision decide_for(const Modules &modules) {
  std::string &cubin = registration().cubin;
  std::string complaint = wrong_version(modules);
  if (complaint.empty()) complaint = different_requirements(modules);
  if (complaint.empty()) complaint = read_cubin(setting("REX_CUBIN"), cubin);
  if (!complaint.empty()) return {REX_ON_HOST, true, complaint};
  if (wants_gpu(modules, cubin)) registration().gpu->start();
  return decide(*registration().gpu, modules, cubin, registration().others);
}

// What the GPU needs to read the program's memory, where it cannot read all.
void share_memory() {
  const rex_program_memory *memory = program_memory();
  if (memory != nullptr && memory->reason != nullptr && !registration().others.exist)
    say(std::string("the program's heap is the C library's: ") + memory->reason);
  if (shares_unasked()) registration().shares_memory = true;
  if (registration().shares_memory && !registration().gpu->reads_host_memory) SharedMemory::begin();
}

int devices_for(rex_offload_kind kind) {
  if (kind == REX_ON_GPU) return registration().gpu->device_count;
  return kind == REX_ON_CPU_DEVICE ? REX_CPU_DEVICES : 0;
}

void register_all() {
  Registration::begin();
  registration().others = other_units();
  if (!registration().others.exist) check_settings();
  if (std::unique_ptr<Gpu> started = started_in_background()) registration().gpu = std::move(started);
  Decision &decision = registration().decision;
  Modules modules = modules_of_link_unit();
  stay_loaded();
  introduce_libomp();
  for (const rex_offload_module *module : modules)
    if (requires_shared_memory(*module)) registration().requires_shared_memory = true;
  registration().shares_memory = registration().requires_shared_memory;
  explain_failures();
  if (!offload_policy_is("disabled") && !modules.empty()) decision = decide_for(modules);
  Spread spread(registration().others.exist ? 0 : devices_for(decision.kind));
  if (decision.kind == REX_ON_GPU) {
    registration().gpu->wait_by(wait_policy());
    keep_memory(*registration().gpu);
    share_memory();
  }
  if (decision.kind != REX_ON_HOST) {
    take_limits();
    give_stack();
    std::map<const rex_offload_group *, Modules> members;
    for (const rex_offload_module *module : modules) {
      const rex_offload_group *group = group_of(*module, decision.kind);
      if (group == nullptr) register_module(*module);
      else members[group].push_back(module);
    }
    for (const rex_offload_group *group : groups_for(decision.kind)) register_group(*group, members[group]);
  } else if (!registration().others.exist) {
    register_nothing();
  }
  if (decision.kind != REX_ON_HOST && omp_get_num_devices() == 0) decision = refused();
  spread.finish();
  if (!modules.empty() && !registration().others.exist) tell_other_units(decision.kind);
}

// Our own copies and launches, where there is anything to copy.
void prepare_own_calls() {
  int threads = has_tool_of_others() ? 0 : copy_threads(); // who watches libomptarget wants to see its copies
  if (registration().shares_memory || registration().decision.kind == REX_ON_HOST) return;
  Gate::find();
  if (registration().decision.kind != REX_STAGING_KIND) return;
  Gate::open();
  if (threads > 0) Staging::begin(threads, copy_threads_of_all_devices());
}

// In a child process.
void note_fork() {
  if (rex_offload.registration == kRegistered) rex_offload.registration = kForked;
}

void publish() {
  rex_offload.kind = registration().decision.kind;
  if (rex_offload.kind == REX_ON_GPU) {
    static const int noted = pthread_atfork(nullptr, nullptr, note_fork);
    (void)noted;
  }
  rex_offload.units = rex_offload.kind == REX_ON_GPU ? registration().gpu->multiprocessors : host_cores();
  registration().shows_launches = switched_on("REX_INFO");
  Profile::open(rex_offload.kind);
  RangeTool::begin();
  if (rex_offload.kind != REX_ON_HOST) Watchdog::start();
  __atomic_store_n(&rex_offload.registration, kRegistered, __ATOMIC_RELEASE);
}

// This thread registers, and what it asks of libomptarget meanwhile is for libomptarget alone to answer.
REX_OF_THREAD bool registers;

// Whether anything is won, or lost, by starting the GPU in the background. Only the program itself does, and only alone.
bool may_overlap(const Modules &modules) {
  if (modules.empty() || offload_policy_is("disabled") || !is_program() || other_units().exist) return false;
  return wants_gpu(modules, "") || setting("REX_CUBIN") != nullptr;
}

} // namespace

bool register_when_loaded() {
  if (rex_offload.registration == kRegistered) return true;
  if (another_unit_starts()) return false;
  if (init_policy() == Init::overlap && may_overlap(modules_of_link_unit())) {
    tell_other_units_of_start();
    if (start_in_background(wait_policy())) return false;
  }
  ensure_registered();
  return true;
}

void register_link_unit() {
  for (;;) {
    int state = __atomic_load_n(&rex_offload.registration, __ATOMIC_ACQUIRE);
    if (state == kRegistered || state == kForked || registers) return;
    if (state == kUnregistered && __atomic_compare_exchange_n(&rex_offload.registration, &state, kBusy, false,
                                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      registers = true;
      register_all();
      prepare_own_calls();
      registers = false;
      publish(); // before a possible exit(), whose handlers may call the runtime again
      if (!registration().decision.sentence.empty()) say(registration().decision.sentence);
      if (registration().decision.stop) exit(EXIT_FAILURE);
      return;
    }
    sched_yield();
  }
}

void end_child(const __rex_ident *place) {
  say(readable_place(place) + ": this process was forked after its parent had started the GPU, and CUDA works in the "
      "parent alone; start the child as a program of its own (exec), use threads, or let the child's regions run on the "
      "host ('if', 'device')");
  CurrentCall::forget();
  abort();
}

bool load_images(int device) {
  static __rex_ident place = REX_PLACE(";rex_offload_init;rex_offload_init;0;0;;");
  if (device < 0 || device >= omp_get_num_devices()) return false;
  Call call = {CallKind::data_update, &place, device, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  CurrentCall current(call);
  __tgt_target_data_update_mapper(&place, device, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  return true;
}

void attach_globals_on(int64_t asked) {
  int device = asked < 0 ? omp_get_default_device() : static_cast<int>(asked);
  if (!registration().globals.wanted_on(device) || device >= omp_get_num_devices()) return;
  registration().globals.attach_on(device);
}

void prepare_reductions(int64_t device) {
  constexpr int64_t usual = 1 << 18;
  static std::atomic<bool> prepared[Gate::kDevices];
  if (rex_has_reductions == 0 || rex_offload.kind != REX_ON_GPU || device < 0 || device >= Gate::kDevices) return;
  if (prepared[device].load(std::memory_order_relaxed) || device >= omp_get_num_devices()) return;
  if (prepared[device].exchange(true)) return;
  auto partials = registration().partials.take(static_cast<int>(device), usual, false);
  if (partials) registration().partials.give_back(std::move(partials));
}

} // namespace __rex

void rex_offload_wait() { __rex::ensure_registered(); }

void rex_offload_fini() {
  using namespace __rex;
  int state = kRegistered;
  if (!__atomic_compare_exchange_n(&rex_offload.registration, &state, kBusy, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return;
  if (!registration().others.exist) forget_units();
  Staging::end();
  Registration::end();
  __atomic_store_n(&rex_offload.registration, kUnregistered, __ATOMIC_RELEASE);
}
