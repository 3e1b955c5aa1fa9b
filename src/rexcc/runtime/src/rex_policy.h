// SPDX-License-Identifier: Apache-2.0
//
// What a run may choose: how the host waits for the GPU, when the GPU is started, and how many threads carry large copies.
// The program was linked with one of the choices (rexcc's --rex-wait= and --rex-init=), and the environment may name
// another. Part of register_cubin.cpp.
#ifndef REX_POLICY_H
#define REX_POLICY_H

#include "rex_decide.h"
#include "rex_gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include <sched.h>

#ifndef REX_DEFAULT_WAIT
#define REX_DEFAULT_WAIT spin
#endif
#ifndef REX_DEFAULT_INIT
#define REX_DEFAULT_INIT eager
#endif

namespace {

// eager: before main begins, so that no timer of the program's sees it. overlap: beside the beginning of main.
enum class Init { eager, overlap };

template <class Choice> struct Named {
  const char *name;
  Choice choice;
};

// What an environment variable chooses; a word that it does not know is told, and changes nothing.
template <class Choice, size_t count>
Choice chosen(const char *variable, const Named<Choice> (&choices)[count], Choice otherwise) {
  const char *text = getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  std::string names;
  for (const Named<Choice> &named : choices) {
    if (strcmp(text, named.name) == 0) return named.choice;
    names += (names.empty() ? "" : ", ") + std::string(named.name);
  }
  say(std::string(variable) + "=" + text + " is none of " + names);
  return otherwise;
}

Wait wait_policy() {
  static const Named<Wait> choices[] = {{"spin", Wait::spin}, {"yield", Wait::yield}, {"block", Wait::block}};
  return chosen("REX_WAIT", choices, Wait::REX_DEFAULT_WAIT);
}

Init init_policy() {
  static const Named<Init> choices[] = {{"eager", Init::eager}, {"overlap", Init::overlap}};
  return chosen("REX_INIT", choices, Init::REX_DEFAULT_INIT);
}

int cores_of_process() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

// Threads that carry large copies (rex_staging.h); 0 leaves them to the driver. More than 8 are not faster. Who watches
// libomptarget wants to see its copies.
int copy_threads() {
  for (const char *variable : {"LIBOMPTARGET_INFO", "LIBOMPTARGET_PROFILE", "OMP_TOOL_LIBRARIES"})
    if (getenv(variable) != nullptr) return 0;
  const char *text = getenv("REX_COPY_THREADS");
  int threads = text != nullptr ? atoi(text) : std::min(cores_of_process() / 2, 8);
  return threads < 2 ? 0 : std::min(threads, 64);
}

} // namespace

#endif
