// SPDX-License-Identifier: Apache-2.0
#include "rex_gate.h"

#include "rex_settings.h"
#include "rex_units.h"

#include <cstdio>
#include <cstdlib>
#include <string>

// Where clang lists what its images have, if this link unit has any; since version 20 under another name.
extern const char __start_omp_offloading_entries[] __attribute__((__weak__, __visibility__("hidden")));
extern const char __start_llvm_offload_entries[] __attribute__((__weak__, __visibility__("hidden")));

namespace __rex REX_HIDDEN {

Gate *Gate::of_process;
bool Gate::is_open;
REX_OF_THREAD SeenAddresses::Seen SeenAddresses::of_thread[8];

void AttachedPointers::add(const void *pointer) {
  uintptr_t place = reinterpret_cast<uintptr_t>(pointer) >> kStep;
  if (latest.load(std::memory_order_relaxed) == place || any_in(place, place)) return;
  std::lock_guard<std::mutex> lock(adding);
  int known = count.load(std::memory_order_relaxed);
  if (known == kRoom || any_in(place, place)) return;
  places[known] = place;
  count.store(known + 1, std::memory_order_release);
  latest.store(place, std::memory_order_relaxed);
}

void Gate::open() {
  find();
  if (__start_omp_offloading_entries != nullptr || __start_llvm_offload_entries != nullptr)
    of_process->attached.may_lie_anywhere(), of_process->attachments.may_be_others();
  is_open = true;
}

void Gate::find() {
  const char *const variable = "REX_PROCESS_GATE";
  const char *text = getenv(variable);
  std::string mine = mark_of_process() + std::to_string(sizeof(Gate)) + ":"; // of the same version
  if (text != nullptr && mine.compare(0, mine.size(), text, mine.size()) == 0) {
    of_process = reinterpret_cast<Gate *>(strtoull(text + mine.size(), nullptr, 16));
    return;
  }
  char address[32];
  of_process = new Gate;
  snprintf(address, sizeof address, "%llx", reinterpret_cast<unsigned long long>(of_process));
  set_variable(variable, mine + address);
}

} // namespace __rex
