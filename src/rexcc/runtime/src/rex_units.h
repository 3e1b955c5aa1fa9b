// SPDX-License-Identifier: Apache-2.0
//
// What the link units of a process tell each other: an executable and its shared libraries register for themselves, but they
// share libomptarget and its devices. Part of register_cubin.cpp.
#ifndef REX_UNITS_H
#define REX_UNITS_H

#include "rex_decide.h"
#include "rex_libomptarget.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace {

// What the first link unit of a process tells the others, in an environment variable: where libomptarget is in this
// process (an inherited variable names another process) and the kind of device. libomptarget itself cannot be asked
// before something is registered.
const char *const unit_variable = "REX_PROCESS_DEVICES";

std::string unit_mark(const char *state) {
  auto place = reinterpret_cast<uintptr_t>(&__rex_real___tgt_register_lib);
  return std::to_string(getpid()) + ":" + std::to_string(place) + ":" + state;
}
std::string unit_mark(rex_offload_kind kind) {
  static const char *const kinds[] = {"host", "gpu", "cpu"};
  return unit_mark(kinds[kind]);
}

void tell_other_units(rex_offload_kind kind) { setenv(unit_variable, unit_mark(kind).c_str(), 1); }

// The program starts the GPU in the background. A library that is loaded meanwhile must not wait for that in its
// constructor: it holds the lock of the loader, which the start needs too.
const char *const starting = "starting";
void tell_other_units_of_start() { setenv(unit_variable, unit_mark(starting).c_str(), 1); }
bool another_unit_starts() {
  const char *text = getenv(unit_variable);
  return text != nullptr && text == unit_mark(starting);
}

OtherUnits other_units() {
  const char *text = getenv(unit_variable);
  for (rex_offload_kind kind : {REX_ON_HOST, REX_ON_GPU, REX_ON_CPU_DEVICE})
    if (text != nullptr && text == unit_mark(kind)) return {true, kind};
  return {false, REX_ON_HOST};
}

// Whether this link unit is the program itself, and no library.
bool is_program() {
  Dl_info unit, program;
  const void *entry = reinterpret_cast<const void *>(getauxval(AT_ENTRY));
  return dladdr(&rex_offload, &unit) != 0 && dladdr(entry, &program) != 0 && unit.dli_fbase == program.dli_fbase;
}

// libomptarget keeps pointers into this link unit, so a dlclose() must leave it where it is.
void stay_loaded() {
  Dl_info unit;
  if (dladdr(&rex_offload, &unit) != 0) dlopen(unit.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

} // namespace

#endif
