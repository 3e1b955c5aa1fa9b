// SPDX-License-Identifier: Apache-2.0
#include "rex_units.h"

#include "rex_settings.h"

#include <cstdlib>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace __rex REX_HIDDEN {
namespace {

const char *const unit_variable = "REX_PROCESS_DEVICES";

std::string unit_mark(const char *state) { return mark_of_process() + state; }
std::string unit_mark(rex_offload_kind kind) {
  static const char *const kinds[] = {"host", "gpu", "cpu"};
  return unit_mark(kinds[kind]);
}

const char *const starting = "starting";

} // namespace

// Where libomptarget is in this process: an inherited variable names another process. libomptarget itself cannot be asked
// before something is registered.
std::string mark_of_process() {
  auto place = reinterpret_cast<uintptr_t>(&__tgt_register_lib);
  return std::to_string(getpid()) + ":" + std::to_string(place) + ":";
}

OtherUnits other_units() {
  const char *text = getenv(unit_variable);
  for (rex_offload_kind kind : {REX_ON_HOST, REX_ON_GPU, REX_ON_CPU_DEVICE})
    if (text != nullptr && text == unit_mark(kind)) return {true, kind};
  return {false, REX_ON_HOST};
}

void tell_other_units(rex_offload_kind kind) { set_variable(unit_variable, unit_mark(kind)); }
void forget_units() { unsetenv(unit_variable); }

void tell_other_units_of_start() { set_variable(unit_variable, unit_mark(starting)); }
bool another_unit_starts() {
  const char *text = getenv(unit_variable);
  return text != nullptr && text == unit_mark(starting);
}

bool is_program() {
  Dl_info unit, program;
  const void *entry = reinterpret_cast<const void *>(getauxval(AT_ENTRY));
  return dladdr(&rex_offload, &unit) != 0 && dladdr(entry, &program) != 0 && unit.dli_fbase == program.dli_fbase;
}

void stay_loaded() {
  Dl_info unit;
  if (dladdr(&rex_offload, &unit) != 0) dlopen(unit.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

} // namespace __rex
