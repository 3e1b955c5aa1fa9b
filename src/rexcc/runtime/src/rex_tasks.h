// SPDX-License-Identifier: Apache-2.0
//
// Constructs with `nowait` or `depend`: the target task, as a task of LLVM's OpenMP runtime. A deferred one is executed by
// the runtime's helper threads, so that it overlaps with the thread that met it, also outside of parallel regions.
//
// What the task works on is what the host file evaluated when the task was made: copies of the map arrays, and of the
// values of first-private variables, which the user may change, or leave behind, before the task runs.
#ifndef REX_TASKS_H
#define REX_TASKS_H

#include "rex_internal.h"

#include <functional>
#include <memory>
#include <vector>

namespace __rex REX_HIDDEN {

// The map arrays of a construct, copied.
class TaskArrays {
public:
  TaskArrays(int32_t count, void **args_base, void **args, const int64_t *arg_sizes, const int64_t *arg_types,
             void **arg_names, void **arg_mappers);
  TaskArrays(const TaskArrays &) = delete;

  // Null where the construct has none.
  void **names_or_null() { return names.empty() ? nullptr : names.data(); }
  void **mappers_or_null() { return mappers.empty() ? nullptr : mappers.data(); }

  std::vector<void *> bases, begins;
  std::vector<int64_t> sizes, types;

private:
  void keep(int32_t i);
  char *copy(const char *bytes, int64_t size);

  std::vector<void *> names, mappers;
  std::vector<std::unique_ptr<char[]>> copies;
};

// Has libomp make its threads for target tasks.
void begin_helpers();

// Runs work as the task that is asked for.
void run_as_task(__rex_ident *place, int64_t device, rex_task &asked, const std::function<void()> &work);

} // namespace __rex

#endif
