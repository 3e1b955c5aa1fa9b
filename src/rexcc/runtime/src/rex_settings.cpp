// SPDX-License-Identifier: Apache-2.0
#include "rex_settings.h"

#include "rex_messages.h"
#include "rex_profile_wishes.h"
#include "rex_ranks.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <sched.h>
#include <strings.h>

#ifndef REX_DEFAULT_INIT
#define REX_DEFAULT_INIT eager
#endif

namespace __rex REX_HIDDEN {
namespace {

template <class Choice> struct Named {
  const char *name;
  Choice choice;
};

// What an environment variable chooses; a word that it does not know changes nothing, and check_settings() tells of it.
template <class Choice, size_t count>
Choice chosen(const char *variable, const Named<Choice> (&choices)[count], Choice otherwise) {
  const char *text = setting(variable);
  for (const Named<Choice> &named : choices)
    if (text != nullptr && strcmp(text, named.name) == 0) return named.choice;
  return otherwise;
}

// Environment variables with a few legal words, and those that are numbers.
struct Words {
  const char *variable;
  std::vector<const char *> legal;
};
struct Range {
  const char *variable;
  int least, most;
};

constexpr Range copy_thread_range{"REX_COPY_THREADS", 0, 64}, host_core_range{"REX_HOST_CORES", 1, 1 << 20},
    watchdog_range{"REX_WATCHDOG", 0, 1000000};

// The number that an environment variable gives; any other text changes nothing, and check_settings() tells of it.
int number_of(const Range &range, int otherwise) {
  const char *text = setting(range.variable);
  if (text == nullptr) return otherwise;
  char *end;
  errno = 0;
  long number = strtol(text, &end, 10);
  bool is_none = end == text || *end != '\0' || errno != 0 || number < range.least || number > range.most;
  return is_none ? otherwise : static_cast<int>(number);
}

int cores_of_process() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

// Who spins takes the core from another rank where there are more ranks than cores.
Wait usual_wait() {
#ifdef REX_DEFAULT_WAIT
  return Wait::REX_DEFAULT_WAIT;
#else
  return cores_of_this_rank() > 0 ? Wait::spin : Wait::yield;
#endif
}

} // namespace

const char *setting(const char *variable) {
  const char *text = getenv(variable);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

bool switched_on(const char *variable) {
  const char *text = setting(variable);
  return text != nullptr && strcmp(text, "0") != 0;
}

void set_variable(const char *variable, const std::string &value) {
  using Set = int(const char *, const char *, int);
  static auto *const set = reinterpret_cast<Set *>(dlsym(RTLD_DEFAULT, "setenv"));
  if (set != nullptr) set(variable, value.c_str(), 1);
}

bool offload_policy_is(const char *policy) {
  const char *text = getenv("OMP_TARGET_OFFLOAD");
  return text != nullptr && strcasecmp(text, policy) == 0;
}

Wait wait_policy() {
  static const Named<Wait> choices[] = {{"spin", Wait::spin}, {"yield", Wait::yield}, {"block", Wait::block}};
  return chosen("REX_WAIT", choices, usual_wait());
}

Init init_policy() {
  static const Named<Init> choices[] = {{"eager", Init::eager}, {"overlap", Init::overlap}};
  return chosen("REX_INIT", choices, Init::REX_DEFAULT_INIT);
}

int host_cores() { return number_of(host_core_range, cores_of_process()); }

// More than 8 are not faster for one device. Who watches libomptarget wants to see its copies (also: prepare_own_calls()).
int copy_threads() {
  for (const char *variable : {"LIBOMPTARGET_INFO", "LIBOMPTARGET_PROFILE", "OMP_TOOL_LIBRARIES"})
    if (getenv(variable) != nullptr) return 0;
  int threads = number_of(copy_thread_range, std::min(cores_of_this_rank() / 2, 8));
  return threads < 2 ? 0 : threads;
}

int copy_threads_of_all_devices() { return cores_of_this_rank() / 2; }

int watchdog_seconds() { return number_of(watchdog_range, 0); }

void check_settings() {
  for (const Words &words : {Words{"REX_WAIT", {"spin", "yield", "block"}}, Words{"REX_INIT", {"eager", "overlap"}},
                             Words{"REX_INFO", {"0", "1"}}, Words{"REX_SYNCHRONOUS", {"0", "1"}},
                             Words{"REX_SPREAD_RANKS", {"0", "1"}}}) {
    const char *text = setting(words.variable);
    std::string names;
    bool known = text == nullptr;
    for (const char *name : words.legal) {
      known = known || strcmp(text, name) == 0;
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    if (!known) say(std::string(words.variable) + "=" + text + " is none of " + names);
  }
  std::string unknown = profile_wishes().unknown;
  if (!unknown.empty()) say("REX_PROFILE=" + unknown + " is none of 0, 1, FILE.json, trace:FILE");
  for (const Range &range : {copy_thread_range, host_core_range, watchdog_range})
    if (setting(range.variable) != nullptr && number_of(range, -1) < 0)
      say(std::string(range.variable) + "=" + setting(range.variable) + " is no number from " +
          std::to_string(range.least) + " to " + std::to_string(range.most));
}

} // namespace __rex
