// SPDX-License-Identifier: Apache-2.0
//
// How a program and a tool find each other is NVIDIA's, as nvtx3/nvToolsExt.h does it (docs/decisions/
// 068-tools-and-hard-days.md): the tool's function is told where to ask for tables of the program's functions, and puts its
// own in their place.
#include "rex_nvtx.h"

#include "rex_messages.h"
#include "rex_settings.h"

#include <cstdint>
#include <string>

#include <dlfcn.h>

namespace __rex REX_HIDDEN {

const RangeTool *RangeTool::of_link_unit;

namespace {

using AnyFunction = void();
enum Table { kCallbacks = 1, kVersion = 3 };                  // NvtxExportTableID
enum Module { kCore = 1, kLastModule = 6 };                   // NvtxCallbackModule
enum Function { kRangePushA = 9, kRangePop = 11, kMost = 32 }; // NvtxCallbackIdCore

// Of each module, by how many functions it has; the first has none. Only those of the core are called here.
constexpr unsigned functions_of[] = {0, 16, 9, 15, 7, 16, 7};
AnyFunction *functions[kLastModule + 1][kMost];
AnyFunction **places[kLastModule + 1][kMost];

int find_functions(int module, AnyFunction ****table, unsigned *count) {
  if (module < kCore || module > kLastModule) return 0;
  for (unsigned i = 1; i < functions_of[module]; i++) places[module][i] = &functions[module][i];
  if (table != nullptr) *table = places[module];
  if (count != nullptr) *count = functions_of[module];
  return 1;
}

void take_version(uint32_t) {}

const void *export_table(uint32_t which) {
  struct Callbacks {
    size_t size;
    int (*find)(int, AnyFunction ****, unsigned *);
  };
  struct Version {
    size_t size;
    uint32_t version, reserved;
    void (*set)(uint32_t);
  };
  static const Callbacks callbacks = {sizeof callbacks, find_functions};
  static const Version version = {sizeof version, 3, 0, take_version};
  if (which == kCallbacks) return &callbacks;
  return which == kVersion ? &version : nullptr;
}

// With words as in the profile: "a.c:12 main: target".
const char *construct_of(CallKind kind) {
  switch (kind) {
  case CallKind::kernel: return ": target";
  case CallKind::data_begin: return ": data begin";
  case CallKind::data_end: return ": data end";
  default: return ": data update";
  }
}

} // namespace

bool RangeTool::attach(const char *library) {
  using Initialise = int(const void *(*)(uint32_t));
  void *tool = dlopen(library, RTLD_LAZY);
  auto *initialise = tool != nullptr ? reinterpret_cast<Initialise *>(dlsym(tool, "InitializeInjectionNvtx2")) : nullptr;
  if (initialise == nullptr || initialise(export_table) == 0) return false;
  begin_range = reinterpret_cast<int (*)(const char *)>(functions[kCore][kRangePushA]);
  end_range = reinterpret_cast<int (*)()>(functions[kCore][kRangePop]);
  return begin_range != nullptr && end_range != nullptr;
}

void RangeTool::begin() {
  const char *library = setting("NVTX_INJECTION64_PATH");
  if (library == nullptr || of_link_unit != nullptr) return;
  static RangeTool tool;
  if (tool.attach(library)) of_link_unit = &tool;
}

void RangeTool::push(const Call &call) const { begin_range((readable_place(call.place) + construct_of(call.kind)).c_str()); }

} // namespace __rex
