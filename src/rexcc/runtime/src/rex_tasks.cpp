// SPDX-License-Identifier: Apache-2.0
#include "rex_tasks.h"

#include "rex_deferral.h"
#include "rex_registration.h"

#include <algorithm>
#include <cstdlib>

namespace __rex REX_HIDDEN {
namespace {

// A task of libomp's with room for what it works on.
struct TaskOfOurs {
  kmp_task head;
  std::function<void()> *work;
};

int32_t run_task(int32_t, kmp_task *task) {
  std::unique_ptr<std::function<void()>> work(reinterpret_cast<TaskOfOurs *>(task)->work);
  DeferredTasks::note_helper();
  (*work)();
  DeferredTasks::end();
  return 0;
}

// The dependences that an omp_depend_t stands for. clang's is a pointer behind a row that counts, gcc's an address and
// one of its own numbers.
void add_depend_object(std::vector<kmp_depend_info> &found, const rex_depend &object) {
  const void *address = const_cast<const void *>(object.address);
  if (object.how == REX_DEPEND_OBJECT_OF_CLANG) {
    const kmp_depend_info *rows = *static_cast<kmp_depend_info *const *>(address);
    found.insert(found.end(), rows, rows + rows[-1].address);
    return;
  }
  enum { kIn = 1, kMutexInOutSet = 4, kInOutSet = 5 };
  const intptr_t *pair = static_cast<const intptr_t *>(address);
  uint8_t how = pair[1] == kIn               ? REX_DEPEND_IN
                : pair[1] == kMutexInOutSet ? REX_DEPEND_MUTEXINOUTSET
                : pair[1] == kInOutSet      ? REX_DEPEND_INOUTSET
                                             : REX_DEPEND_INOUT;
  found.push_back({pair[0], sizeof(void *), how});
}

std::vector<kmp_depend_info> dependences(const rex_task &task) {
  std::vector<kmp_depend_info> found;
  for (const rex_depend *one = task.depends; one != task.depends + task.depend_num; one++)
    if (one->how >= REX_DEPEND_OBJECT_OF_CLANG)
      add_depend_object(found, *one);
    else
      found.push_back({reinterpret_cast<intptr_t>(one->address), one->address ? sizeof(void *) : 0,
                       static_cast<uint8_t>(one->how)});
  return found;
}

// Undeferred: after the tasks it depends on, in the calling thread. Nothing holds the lock of a mutexinoutset for it, so
// that it waits for these tasks too.
void run_undeferred(__rex_ident *place, int32_t thread, std::vector<kmp_depend_info> &depends,
                    const std::function<void()> &work) {
  for (kmp_depend_info &one : depends)
    if (one.how == REX_DEPEND_MUTEXINOUTSET) one.how = REX_DEPEND_INOUT;
  if (!depends.empty())
    __kmpc_omp_wait_deps(place, thread, static_cast<int32_t>(depends.size()), depends.data(), 0, nullptr);
  work();
}

void give_task(__rex_ident *place, int32_t thread, int64_t device, std::vector<kmp_depend_info> &depends,
               const std::function<void()> &work) {
  constexpr int32_t tied = 1;
  kmp_task *task = __kmpc_omp_target_task_alloc(place, thread, tied, sizeof(TaskOfOurs), 0, run_task, device);
  reinterpret_cast<TaskOfOurs *>(task)->work = new std::function<void()>(work);
  if (depends.empty())
    __kmpc_omp_task(place, thread, task);
  else
    __kmpc_omp_task_with_deps(place, thread, task, static_cast<int32_t>(depends.size()), depends.data(), 0, nullptr);
}

// OpenMP's program ends with a barrier, which LLVM's runtime leaves out: it ends in the middle of its helper threads.
void wait_at_exit() {
  static __rex_ident place = REX_PLACE(";exit;exit;0;0;;");
  DeferredTasks::note_thread();
  __kmpc_omp_taskwait(&place, __kmpc_global_thread_num(&place));
  bool are_here = rex_offload.registration == kRegistered; // not in a child process
  if (rex_offload.kind == REX_ON_GPU && are_here) DeferredTasks::wait(); // of all; the CPU device's may end the program
}

} // namespace

TaskArrays::TaskArrays(int32_t count, void **args_base, void **args, const int64_t *arg_sizes, const int64_t *arg_types,
                       void **arg_names, void **arg_mappers)
    : bases(args_base, args_base + count), begins(args, args + count), sizes(arg_sizes, arg_sizes + count),
      types(arg_types, arg_types + count) {
  if (arg_names != nullptr) names.assign(arg_names, arg_names + count);
  if (arg_mappers != nullptr) mappers.assign(arg_mappers, arg_mappers + count);
  for (int32_t i = 0; i < count; i++) keep(i);
}

// A first-private variable that travels by address has the value of now; the description of an update with gaps is a
// local array of the host file.
void TaskArrays::keep(int32_t i) {
  constexpr int64_t first_private = REX_MAP_PRIVATE | REX_MAP_TO;
  const char *bytes = static_cast<const char *>(begins[i]);
  if (types[i] & REX_MAP_NON_CONTIG) {
    begins[i] = copy(bytes, sizes[i] * static_cast<int64_t>(sizeof(rex_dimension)));
  } else if ((types[i] & first_private) == first_private && !(types[i] & REX_MAP_LITERAL) && sizes[i] > 0) {
    ptrdiff_t offset = bytes - static_cast<const char *>(bases[i]);
    begins[i] = copy(bytes, sizes[i]);
    bases[i] = static_cast<char *>(begins[i]) - offset;
  }
}

char *TaskArrays::copy(const char *bytes, int64_t size) {
  copies.emplace_back(new char[size]);
  std::copy(bytes, bytes + size, copies.back().get());
  return copies.back().get();
}

// They begin with the first task. A thread that libomp gets to know at that moment is taken for one of them.
void begin_helpers() {
  static __rex_ident place = REX_PLACE(";start;start;0;0;;");
  std::vector<kmp_depend_info> none;
  int32_t thread = __kmpc_global_thread_num(&place);
  if (!DeferredTasks::begin()) return;
  give_task(&place, thread, 0, none, [] {});
  __kmpc_omp_taskwait(&place, thread);
}

void run_as_task(__rex_ident *place, int64_t device, rex_task &asked, const std::function<void()> &work) {
  int32_t thread = __kmpc_global_thread_num(place);
  std::vector<kmp_depend_info> depends = dependences(asked);
  rex_forget_depends(&asked);
  if (!asked.deferred || omp_in_final() || !DeferredTasks::begin()) return run_undeferred(place, thread, depends, work);
  static const int waits_at_exit = atexit(wait_at_exit);
  (void)waits_at_exit;
  give_task(place, thread, device, depends, work);
}

} // namespace __rex

void rex_depend_on(rex_task *task, const volatile void *address, int64_t how) {
  if (task->depend_num == task->room) {
    int32_t room = task->room > 0 ? 2 * task->room : 16;
    rex_depend *longer = new rex_depend[room];
    std::copy(task->depends, task->depends + task->depend_num, longer);
    rex_forget_depends(task);
    task->depends = longer;
    task->room = room;
  }
  task->depends[task->depend_num++] = {address, how};
}

void rex_wait_for_depends(rex_task *task, __rex_ident *place) {
  using namespace __rex;
  std::vector<kmp_depend_info> depends = dependences(*task);
  rex_forget_depends(task);
  run_undeferred(place, __kmpc_global_thread_num(place), depends, [] {});
}

void rex_forget_depends(rex_task *task) {
  if (task->room > 0) delete[] task->depends;
  task->room = 0;
}
