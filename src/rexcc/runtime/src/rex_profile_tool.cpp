// SPDX-License-Identifier: Apache-2.0
#include "rex_profile_tool.h"

#include "rex_cuda.h"
#include "rex_profile.h"
#include "rex_profile_wishes.h"
#include "rex_settings.h"
#include "rex_units.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <strings.h>

namespace __rex REX_HIDDEN {

// OpenMP 5.2, 19.2.1 and 19.6.
using FoundEntry = void();
using Lookup = FoundEntry *(const char *name);
struct ToolData {
  int (*initialize)(Lookup *lookup, int device, void *data);
  void (*finalize)(void *data);
  uint64_t data;
};

namespace {

enum Endpoint { kBegin = 1, kEnd = 2 };           // ompt_scope_endpoint_t
enum Event { kDevice = 12, kDataOperation = 34, kSubmit = 35 }; // ompt_callbacks_t, the latter with `_emi`
enum Operation { kTo = 2, kFrom = 3, kToLater = 18, kFromLater = 19 }; // ompt_target_data_op_t
constexpr int kNever = 1;                         // ompt_set_result_t: an error is 0, and so many more

REX_OF_THREAD int64_t operation_began;

// Waits for what the GPU of the thread's context does; nothing where there is none.
void wait_for_device() {
  static int (*const synchronise)() = [] {
    int (*found)() = nullptr;
    void *driver = running_driver();
    if (driver != nullptr) find_call(driver, "cuCtxSynchronize", found);
    return found;
  }();
  if (synchronise != nullptr) synchronise();
}

int64_t time_of_idle_device() {
  wait_for_device();
  return Profile::now();
}

void on_data_operation(int endpoint, void *, void *, uint64_t *, int operation, void *, int, void *, int, size_t bytes,
                       const void *) {
  Profile *profile = Profile::opened();
  bool up = operation == kTo || operation == kToLater, down = operation == kFrom || operation == kFromLater;
  if (profile == nullptr || (!up && !down)) return;
  int64_t time = time_of_idle_device();
  if (endpoint == kBegin) operation_began = time;
  else profile->copied(up, bytes, operation_began);
}

void on_submit(int endpoint, void *, uint64_t *, unsigned) {
  Profile *profile = Profile::opened();
  if (profile == nullptr) return;
  int64_t time = time_of_idle_device();
  if (endpoint == kBegin) operation_began = time;
  else profile->ran_kernel(operation_began, time - operation_began);
}

// What all link units know of the tool: that libomptarget tells ours, or that there is no other.
const char *const tool_variable = "REX_PROCESS_TOOL";
bool tool_is(const char *state) {
  const char *text = getenv(tool_variable);
  return text != nullptr && text == mark_of_process() + state;
}
void tell_tool(const char *state) { set_variable(tool_variable, mark_of_process() + state); }

// A device begins, so libomptarget knows of the tool.
void on_device(int, const char *, void *, Lookup *, const char *) { tell_tool("told"); }

int begin_tool(Lookup *lookup, int, void *) {
  using Set = int(int event, FoundEntry *callback);
  auto *set = reinterpret_cast<Set *>(lookup("ompt_set_callback"));
  if (set == nullptr) return 0;
  return set(kDevice, reinterpret_cast<FoundEntry *>(on_device)) > kNever &&
         set(kDataOperation, reinterpret_cast<FoundEntry *>(on_data_operation)) > kNever &&
         set(kSubmit, reinterpret_cast<FoundEntry *>(on_submit)) > kNever;
}

void end_tool(void *) {}

ToolData *start_tool(unsigned version, const char *runtime) {
  using Start = ToolData *(unsigned, const char *);
  auto *next = reinterpret_cast<Start *>(dlsym(RTLD_NEXT, "ompt_start_tool"));
  if (ToolData *found = next != nullptr ? next(version, runtime) : nullptr) return found;
  tell_tool("none");
  static ToolData ours = {begin_tool, end_tool, 0};
  return profile_wishes().any() && setting("OMP_TOOL_LIBRARIES") == nullptr ? &ours : nullptr;
}

// Whether a function is libomp's own; it has one of the name itself.
bool is_of_libomp(void *function) {
  Dl_info tool, libomp;
  void *theirs = dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num");
  if (theirs == nullptr || dladdr(function, &tool) == 0 || dladdr(theirs, &libomp) == 0) return false;
  return tool.dli_fbase == libomp.dli_fbase;
}

} // namespace

// libomp has asked when it begins: ours has said then whether there is another.
bool has_tool_of_others() {
  const char *use = setting("OMP_TOOL");
  if (use != nullptr && strcasecmp(use, "disabled") == 0) return false;
  void *start = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  if (start == nullptr || is_of_libomp(start)) return false;
  static __rex_ident place = REX_PLACE(";ompt_start_tool;ompt_start_tool;0;0;;");
  __kmpc_global_thread_num(&place);
  return !tool_is("none") && !tool_is("told");
}

bool profile_tool_listens() { return tool_is("told"); }

// It loads "libomp.so" by this name, and where libomp has only been found as "libomp.so.5", in a folder that the program
// names, it finds none and tells no tool of anything. The loader keeps each name by which a library has been found.
void introduce_libomp() {
  dlopen("libomp.so", RTLD_NOW | RTLD_NOLOAD);
}

} // namespace __rex

extern "C" __attribute__((__weak__, __visibility__("default"))) __rex::ToolData *ompt_start_tool(unsigned version,
                                                                                                 const char *runtime) {
  return __rex::start_tool(version, runtime);
}
