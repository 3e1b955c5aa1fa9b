// SPDX-License-Identifier: Apache-2.0
//
// Registers the device images of a program lowered by rexcc with LLVM's libomptarget and makes its launches safe.
// Compile once, link into every executable and every shared library that is made of generated files:
//
//   g++ -O2 -fPIC -c register_cubin.cpp -I <folder of rex_kmp.h>
//
// Every generated file leaves one rex_offload_module in the section rex_offload_modules. When the program is loaded (or
// at the latest in the first runtime call) this file decides where the regions run: on a GPU, on the CPU device, or on
// the host itself. It gives the fitting images to libomptarget once, and from then on it only forwards.
//
// Nothing is unregistered at exit: the process ends anyway, the user would wait for it, and his own destructors may
// still launch. rex_offload_fini() does it on request.
//
// Environment: OMP_TARGET_OFFLOAD (disabled, mandatory); REX_INFO=1 one line per launch; REX_CUBIN=file a cubin to use
// instead of the embedded ones; REX_BLOCKING_SYNC=1 sleep instead of spin while waiting for the GPU; REX_HOST_CORES=n.
#define REX_KMP_INTERNAL
#include "rex_kmp.h"

#include "rex_always.h"
#include "rex_decide.h"
#include "rex_explain.h"
#include "rex_globals.h"
#include "rex_gpu.h"
#include "rex_objects.h"
#include "rex_tasks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sched.h>

// libomptarget's side.
extern "C" {
struct __tgt_device_image {
  const char *begin, *end;
  __tgt_offload_entry *entries_begin, *entries_end;
};
struct __tgt_bin_desc {
  int32_t image_count;
  __tgt_device_image *images;
  __tgt_offload_entry *entries_begin, *entries_end;
};
void __rex_real___tgt_register_lib(__tgt_bin_desc *) __asm__("__tgt_register_lib");
void __rex_real___tgt_unregister_lib(__tgt_bin_desc *) __asm__("__tgt_unregister_lib");
int __rex_real___tgt_target_kernel(ident_t *, int64_t, int32_t, int32_t, void *,
                                   __tgt_kernel_arguments *) __asm__("__tgt_target_kernel");
using DataCall = void(ident_t *, int64_t, int32_t, void **, void **, int64_t *, int64_t *, void **, void **);
DataCall __rex_real___tgt_target_data_begin __asm__("__tgt_target_data_begin_mapper");
DataCall __rex_real___tgt_target_data_end __asm__("__tgt_target_data_end_mapper");
DataCall __rex_real___tgt_target_data_update __asm__("__tgt_target_data_update_mapper");
int omp_get_num_devices(void);
int omp_get_default_device(void);
int omp_get_initial_device(void);
int omp_target_is_present(const void *, int);

// The bounds of the section, made by the linker.
extern rex_offload_module *__start_rex_offload_modules[] REX_HIDDEN;
extern rex_offload_module *__stop_rex_offload_modules[] REX_HIDDEN;
}

// An empty row, so that the section and its bounds exist also where nothing is offloaded.
static rex_offload_module *no_module __attribute__((__used__, __section__("rex_offload_modules"))) REX_RETAIN = nullptr;

rex_offload_state rex_offload = {0, REX_ON_HOST, 1};

namespace {

enum RegistrationState { kUnregistered = 0, kBusy = 1, kRegistered = 2 };

// What libomptarget keeps pointers into, for one module. Registered while it exists.
class RegisteredModule {
public:
  RegisteredModule(__tgt_offload_entry *entries, int64_t count) {
    descriptor.entries_begin = entries;
    descriptor.entries_end = entries + count;
  }
  RegisteredModule(const RegisteredModule &) = delete;
  ~RegisteredModule() {
    if (registered) __rex_real___tgt_unregister_lib(&descriptor);
  }

  void add(const char *begin, const char *end) {
    images.push_back({begin, end, descriptor.entries_begin, descriptor.entries_end});
  }

  // libomptarget up to 21 gets its cubins with an older label, on a copy.
  void add_cubin(const char *begin, const char *end) {
    RexCubin cubin(begin, end);
    if (REX_LLVM_VERSION >= 22 || !cubin.valid() || !cubin.is_abi_8()) return add(begin, end);
    copies.push_back(std::make_unique<std::string>(begin, end));
    std::string &copy = *copies.back();
    RexCubin::relabel_as_abi_7(copy.data(), cubin.arch());
    add(copy.data(), copy.data() + copy.size());
  }

  void register_images() {
    descriptor.image_count = static_cast<int32_t>(images.size());
    descriptor.images = images.data();
    registered = true;
    __rex_real___tgt_register_lib(&descriptor);
  }

private:
  std::vector<std::unique_ptr<std::string>> copies;
  std::vector<__tgt_device_image> images;
  __tgt_bin_desc descriptor{};
  bool registered = false;
};

// All that registration owns. Never destroyed at exit, hence a plain pointer.
struct Registration {
  RexGpu gpu;
  std::string cubin; // the bytes of REX_CUBIN's file
  Decision decision;
  OtherUnits others{};
  Globals globals;
  bool shares_memory = false; // 'requires unified_shared_memory'
  std::vector<std::unique_ptr<RegisteredModule>> modules;
};
Registration *registration;
bool show_launches;

int host_cores() {
  if (const char *text = getenv("REX_HOST_CORES")) return std::max(1, atoi(text));
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

Modules modules_of_link_unit() {
  Modules modules(__start_rex_offload_modules, __stop_rex_offload_modules);
  modules.erase(std::remove(modules.begin(), modules.end(), nullptr), modules.end());
  return modules;
}

// ---------------------------------------------------------------------------------------------------------------------
// Registration.

// What makes it impossible to go on: the two functions return a complaint, or nothing.

std::string wrong_version(const Modules &modules) {
  for (const rex_offload_module *module : modules)
    if (module->entry_size != static_cast<int32_t>(sizeof(__tgt_offload_entry)))
      return module->source +
             std::string(" and register_cubin.cpp were compiled with different values of REX_LLVM_VERSION");
  return "";
}

// What one unit requires all others have to, for they share mapped data.
std::string different_requirements(const Modules &modules) {
  for (const rex_offload_module *module : modules)
    if (requirements(*module) != requirements(*modules.front()))
      return std::string("'requires unified_shared_memory' has to be in all files with target regions, but of ") +
             modules.front()->source + " and " + module->source + " only one has it";
  return "";
}

// A run that was pointed at a file must not quietly use another one.
std::string read_cubin(const char *path, std::string &bytes) {
  if (path == nullptr) return "";
  if (FILE *file = fopen(path, "rb")) {
    char chunk[65536];
    for (size_t count; (count = fread(chunk, 1, sizeof chunk, file)) > 0;) bytes.append(chunk, count);
    fclose(file);
  }
  if (RexCubin(bytes.data(), bytes.data() + bytes.size()).valid()) return "";
  return std::string("REX_CUBIN names ") + path + ", which " + (bytes.empty() ? "cannot be read" : "is not a cubin");
}

// What the first link unit of a process tells the others, in an environment variable: where libomptarget is in this
// process (an inherited variable names another place) and the kind of device. libomptarget itself cannot be asked
// before something is registered.
const char *const unit_variable = "REX_PROCESS_DEVICES";

std::string unit_mark(rex_offload_kind kind) {
  static const char *const kinds[] = {"host", "gpu", "cpu"};
  return std::to_string(reinterpret_cast<uintptr_t>(&__rex_real___tgt_register_lib)) + ":" + kinds[kind];
}

void tell_other_units(rex_offload_kind kind) { setenv(unit_variable, unit_mark(kind).c_str(), 1); }

OtherUnits other_units() {
  const char *text = getenv(unit_variable);
  for (rex_offload_kind kind : {REX_ON_HOST, REX_ON_GPU, REX_ON_CPU_DEVICE})
    if (text != nullptr && text == unit_mark(kind)) return {true, kind};
  return {false, REX_ON_HOST};
}

// libomptarget keeps pointers into this link unit, so a dlclose() must leave it where it is.
void stay_loaded() {
  Dl_info unit;
  if (dladdr(&rex_offload, &unit) != 0) dlopen(unit.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

void register_module(const rex_offload_module &module) {
  auto registered = std::make_unique<RegisteredModule>(module.entries, module.entry_count);
  rex_offload_kind kind = registration->decision.kind;
  const std::string &cubin = registration->cubin;
  if (kind == REX_ON_CPU_DEVICE)
    for (const rex_offload_image &image : images_for(module, kind)) registered->add(image.begin, image.end);
  else if (kind == REX_ON_GPU && !cubin.empty())
    registered->add_cubin(cubin.data(), cubin.data() + cubin.size());
  else if (kind == REX_ON_GPU)
    for (const rex_offload_image &image : images_for(module, kind)) registered->add_cubin(image.begin, image.end);
  registered->register_images();
  registration->modules.push_back(std::move(registered));
  registration->globals.add(module);
}

// libomptarget 19 crashes in omp_get_num_devices() and its like until something is registered. A first registration
// that brings no device, though, makes it use host memory as device memory from then on, unless there is a requirement
// that says otherwise: any will do, also one that nobody knows.
void register_nothing() {
  static __tgt_offload_entry unknown_requirement[] = {REX_REQUIRES_ENTRY(0x10000)};
  registration->modules.push_back(std::make_unique<RegisteredModule>(unknown_requirement, 1));
  registration->modules.back()->register_images();
}

Decision decide_for(const Modules &modules) {
  std::string &cubin = registration->cubin;
  std::string complaint = wrong_version(modules);
  if (complaint.empty()) complaint = different_requirements(modules);
  if (complaint.empty()) complaint = read_cubin(getenv("REX_CUBIN"), cubin);
  if (!complaint.empty()) return {REX_ON_HOST, true, complaint};
  if (wants_gpu(modules, cubin)) registration->gpu.start();
  return decide(registration->gpu, modules, cubin, registration->others);
}

void register_all() {
  registration = new Registration;
  registration->others = other_units();
  Decision &decision = registration->decision;
  Modules modules = modules_of_link_unit();
  stay_loaded();
  for (const rex_offload_module *module : modules)
    if ((requirements(*module) & kUnifiedSharedMemory) != 0) registration->shares_memory = true;
  explain_failures();
  if (!offload_policy_is("disabled") && !modules.empty()) decision = decide_for(modules);
  if (decision.kind == REX_ON_GPU && !switched_on("REX_BLOCKING_SYNC")) registration->gpu.spin_while_waiting();
  if (decision.kind != REX_ON_HOST)
    for (const rex_offload_module *module : modules) register_module(*module);
  else if (!registration->others.exist)
    register_nothing();
  if (decision.kind != REX_ON_HOST && omp_get_num_devices() == 0) decision = refused();
  if (!modules.empty() && !registration->others.exist) tell_other_units(decision.kind);
}

void publish() {
  const RexGpu &gpu = registration->gpu;
  rex_offload.kind = registration->decision.kind;
  rex_offload.units = rex_offload.kind == REX_ON_GPU ? gpu.multiprocessors : host_cores();
  show_launches = switched_on("REX_INFO");
  __atomic_store_n(&rex_offload.registration, kRegistered, __ATOMIC_RELEASE);
}

// One thread registers, all others wait until it has.
void ensure_registered() {
  for (;;) {
    int state = __atomic_load_n(&rex_offload.registration, __ATOMIC_ACQUIRE);
    if (state == kRegistered) return;
    if (state == kUnregistered && __atomic_compare_exchange_n(&rex_offload.registration, &state, kBusy, false,
                                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      register_all();
      publish(); // before a possible exit(), whose handlers may call the runtime again
      if (!registration->decision.sentence.empty()) say(registration->decision.sentence);
      if (registration->decision.stop) exit(EXIT_FAILURE);
      return;
    }
    sched_yield();
  }
}

// Also programs whose main was not generated find their devices, and omp_get_num_devices() is right from the start.
__attribute__((constructor)) void register_when_loaded() { ensure_registered(); }

// ---------------------------------------------------------------------------------------------------------------------
// Launches.

// ";nn.c;find_distances;12;1;;" -> "nn.c:12 find_distances"
std::string readable_place(const ident_t *place) {
  std::vector<std::string> fields(1);
  for (const char *c = place != nullptr && place->source != nullptr ? place->source : ""; *c != '\0'; c++)
    *c == ';' ? fields.emplace_back() : fields.back() += *c;
  return fields.size() < 4 ? "target region" : fields[1] + ":" + fields[3] + " " + fields[2];
}

std::string why_on_host(int64_t device) {
  if (offload_policy_is("disabled")) return "OMP_TARGET_OFFLOAD=DISABLED";
  if (rex_offload.kind == REX_ON_HOST) return "no device, as said at the start";
  return device == omp_get_initial_device() ? "its device is the host" : "libomptarget refused the launch";
}

void show_launch(const ident_t *place, int64_t device, int teams, int threads, bool launched) {
  std::string line = readable_place(place) + ": ";
  if (launched && rex_offload.kind == REX_ON_GPU) line += "GPU sm_" + std::to_string(registration->gpu.arch);
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
int launch_on_cpu_device(ident_t *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
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

static void attach_globals(int64_t asked) {
  if (rex_offload.kind == REX_ON_HOST || !registration->globals.any() || registration->shares_memory) return;
  int device = asked < 0 ? omp_get_default_device() : static_cast<int>(asked);
  if (!registration->globals.wanted_on(device)) return;
  if (device >= omp_get_num_devices()) return;
  static ident_t place = REX_PLACE(";global variables;attached;0;0;;");
  auto map = [=](int32_t count, void **bases, void **begins, int64_t *sizes, int64_t *types) {
    __rex_real___tgt_target_data_begin(&place, device, count, bases, begins, sizes, types, nullptr, nullptr);
  };
  registration->globals.attach_on(device, map);
}

// Has libomptarget load the images on a device, by an empty update; whether there is such a device.
static bool load_images(int device) {
  static ident_t place = REX_PLACE(";rex_offload_init;rex_offload_init;0;0;;");
  if (device < 0 || device >= omp_get_num_devices()) return false;
  __rex_real___tgt_target_data_update(&place, device, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  return true;
}

void rex_offload_init() {
  ensure_registered();
  if (rex_offload.kind == REX_ON_HOST) return;
  // Now and not in the first region, which the user may time.
  int device = omp_get_default_device();
  if (!load_images(device)) return;
  attach_globals(device); // now, while the host's variables have their first values
}

void rex_offload_fini() {
  int state = kRegistered;
  if (!__atomic_compare_exchange_n(&rex_offload.registration, &state, kBusy, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return;
  if (!registration->others.exist) unsetenv(unit_variable);
  delete registration;
  registration = nullptr;
  __atomic_store_n(&rex_offload.registration, kUnregistered, __ATOMIC_RELEASE);
}

// Where the device has no room libomptarget ends the program with lines about pointers. Said here first, in one
// sentence; only large mappings are worth the question.
static void check_room(const Call &call) {
  constexpr int64_t large = INT64_C(1) << 30;
  if (rex_offload.kind != REX_ON_GPU) return;
  int number = call.device_number();
  int64_t wanted = 0;
  for (int32_t i = 0; i < call.count; i++)
    if (call.sizes[i] >= large && !(call.types[i] & REX_MAP_LITERAL) && !omp_target_is_present(call.begins[i], number))
      wanted += call.sizes[i];
  int64_t free = wanted > 0 ? registration->gpu.free_memory(number) : -1;
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
    ident_t place = *call.place;
    __rex_real___tgt_target_data_update(&place, call.device, count, bases, begins, sizes, types, nullptr, nullptr);
  });
}

// The number of the device that a construct means when it is met.
static int64_t device_of_now(int64_t device) {
  if (device == REX_DEVICE_DEFAULT) device = rex_device_number(omp_get_default_device());
  return device == REX_DEVICE_INITIAL ? omp_get_initial_device() : device;
}

int64_t rex_device_of_now() {
  ensure_registered();
  return device_of_now(REX_DEVICE_DEFAULT);
}

int rex___tgt_target_kernel(ident_t *place, int64_t device, int32_t teams, int32_t threads, void *host_ptr,
                            __tgt_kernel_arguments *kernel_args) {
  ensure_registered();
  device = device_of_now(device);
  int result = -1;
  // No GPU has larger blocks, and OpenMP's thread numbers are upper limits.
  if (rex_offload.kind == REX_ON_GPU && threads > 1024) kernel_args->threads[0] = threads = 1024;
  const __tgt_kernel_arguments &given = *kernel_args;
  Call call = {CallKind::kernel, place, device, given.arg_num, given.args_base, given.args,
               given.arg_sizes, given.arg_types, given.arg_names, given.arg_mappers};
  check_rows(call);
  PartialObjects objects(call);
  call.types = objects.types_or(given.arg_types);
  CurrentCall current(call);
  AlwaysCopies always(call);
  kernel_args->arg_types = always.types_or(call.types);
  copy_always(always, REX_MAP_TO, call);
  if (rex_offload.kind == REX_ON_GPU)
    result = __rex_real___tgt_target_kernel(place, device, teams, threads, host_ptr, kernel_args);
  else if (rex_offload.kind == REX_ON_CPU_DEVICE)
    result = launch_on_cpu_device(place, device, teams, threads, host_ptr, given);
  copy_always(always, REX_MAP_FROM, call);
  if (show_launches) show_launch(place, device, teams, threads, result == 0);
  return result;
}

// Where the regions run on the host there is nothing to map, and other link units' devices must not hear of it.
#define REX_DATA_WRAPPER(name)                                                                                         \
  void rex___tgt_target_data_##name##_mapper(ident_t *place, int64_t device, int32_t arg_num, void **args_base,        \
                                             void **args, int64_t *arg_sizes, int64_t *arg_types, void **arg_names,    \
                                             void **arg_mappers) {                                                     \
    ensure_registered();                                                                                               \
    device = device_of_now(device);                                                                                    \
    if (rex_offload.kind == REX_ON_HOST) return;                                                                       \
    Call call = {CallKind::data_##name, place, device, arg_num, args_base,                                             \
                 args, arg_sizes, arg_types, arg_names, arg_mappers};                                                  \
    check_rows(call);                                                                                                  \
    CurrentCall current(call);                                                                                         \
    AlwaysCopies always(call);                                                                                         \
    if (#name[0] == 'b') copy_always(always, REX_MAP_TO, call);                                                        \
    __rex_real___tgt_target_data_##name(place, device, arg_num, args_base, args, arg_sizes,                            \
                                        #name[0] == 'b' ? always.types_or(arg_types) : arg_types, arg_names,           \
                                        arg_mappers);                                                                  \
  }
REX_DATA_WRAPPER(begin)
REX_DATA_WRAPPER(end)
REX_DATA_WRAPPER(update)

// libomptarget has this one from version 21 on. Before, only what is always or never true can be said: the CPU device reads
// host memory, a GPU does where it is shared.
extern "C" __attribute__((__weak__)) int omp_target_is_accessible(const void *pointer, size_t size, int device) {
  using Question = int(const void *, size_t, int);
  if (auto *theirs = reinterpret_cast<Question *>(dlsym(RTLD_NEXT, "omp_target_is_accessible")))
    return theirs(pointer, size, device);
  ensure_registered();
  if (pointer == nullptr || device < 0 || device > omp_get_num_devices()) return 0;
  if (device == omp_get_initial_device() || rex_offload.kind != REX_ON_GPU) return 1;
  return registration->shares_memory;
}

// ---------------------------------------------------------------------------------------------------------------------
// Target tasks.

int rex_target_kernel_task(rex_task *task, ident_t *place, int64_t device, int32_t teams, int32_t threads,
                           void *host_ptr, __tgt_kernel_arguments *kernel_args) {
  ensure_registered();
  device = device_of_now(device);
  if (rex_offload.kind == REX_ON_HOST || device == omp_get_initial_device()) {
    if (show_launches) show_launch(place, device, teams, threads, false);
    return -1;
  }
  __tgt_kernel_arguments packet = *kernel_args;
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
  void rex_target_data_##name##_task(rex_task *task, ident_t *place, int64_t device, int32_t arg_num,                  \
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

void rex_empty_task(rex_task *task, ident_t *place, int64_t device) {
  ensure_registered();
  run_as_task(place, device_of_now(device), *task, [] {});
}
