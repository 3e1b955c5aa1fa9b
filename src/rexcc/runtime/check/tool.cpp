// SPDX-License-Identifier: Apache-2.0
//
// What libomptarget does with the device's memory, as a tool of OpenMP's (OMPT; 5.2, chapter 19): each allocation, copy and
// release. The numbers and types are those of omp-tools.h.
#include "tool.h"

#include "reports.h"
#include "sections.h"
#include "units.h"

#include <cstring>

#include <dlfcn.h>

namespace rex_check REX_CHECK_HIDDEN {
namespace {

enum Operation { kAllocates = 1, kCopiesToDevice = 2, kCopiesFromDevice = 3, kReleases = 4 };
enum Endpoint { kBegins = 1, kEnds = 2 };
constexpr int kDataOperations = 34; // ompt_callback_target_data_op_emi

bool hears;

// Memory for a row that is mapped. For one that is private, and for what libomptarget puts together of small ones, nothing
// of the host's is the other copy. What a launch has besides is the runtime's, and not looked at.
void allocated(uintptr_t host, uintptr_t begin, size_t size, int device) {
  Row row = row_of(host, size);
  bool is_mapped = host != 0 && (row.is_found ? !row.is_private : !row.is_in_call || row.has_mappers);
  if (host == 0 && row.is_launch) return remove_section(begin);
  Kind kind = is_mapped ? Kind::mapped : Kind::allocated;
  std::string place = row.is_found || !is_mapped ? row.place : place_of_call(); // a mapper's have no row
  add_section(kind, begin, size, is_mapped ? host : 0, device, row.name.c_str(), place.c_str());
}

void data_operation(int endpoint, void *, void *, void *, int operation, void *from, int, void *to, int device,
                    size_t size, const void *) {
  hears = true;
  if (operation == kAllocates) allocates_for = endpoint == kBegins ? Owner::device : Owner::host;
  Locked locked;
  auto source = reinterpret_cast<uintptr_t>(from), target = reinterpret_cast<uintptr_t>(to);
  if (operation == kAllocates && endpoint == kEnds && target != 0) allocated(source, target, size, device);
  if (operation == kReleases && endpoint == kBegins) remove_section(source);
  if (operation == kCopiesToDevice && endpoint == kEnds) moved_to_device(target, source, size);
  if (operation == kCopiesFromDevice && endpoint == kEnds) moved_to_host(source, target, size);
}

using Callback = void (*)();
using SetCallback = int (*)(int which, Callback callback);
using LookUp = Callback (*)(const char *name);

int initialize(LookUp look_up, int, void *) {
  auto set = reinterpret_cast<SetCallback>(look_up("ompt_set_callback"));
  if (set != nullptr) set(kDataOperations, reinterpret_cast<Callback>(data_operation));
  return 1;
}
void finalize(void *) {}

// libomptarget asks for libomp by this name, by which the loader knows it only when it has been loaded so.
__attribute__((constructor(101))) void name_libomp() {
  Inside in;
  dlopen("libomp.so", RTLD_LAZY | RTLD_GLOBAL);
}

} // namespace

void look_for_tool() {
  if (!hears && maps_something() && !shares_memory())
    say_once("--check hears nothing of the device's memory, for libomptarget does not find libomp.so; set LD_LIBRARY_PATH "
             "to the folder of LLVM's runtime");
}

} // namespace rex_check

// The names of omp-tools.h.
struct ompt_start_tool_result_t {
  int (*initialize)(rex_check::LookUp, int, void *);
  void (*finalize)(void *);
  unsigned long data;
};
REX_CHECK_INTERFACE ompt_start_tool_result_t *ompt_start_tool(unsigned, const char *) {
  static ompt_start_tool_result_t tool = {rex_check::initialize, rex_check::finalize, 0};
  return &tool;
}
