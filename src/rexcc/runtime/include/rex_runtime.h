// SPDX-License-Identifier: Apache-2.0
//
// What generated code calls of the runtime (register_cubin.cpp): the wrappers of libomptarget's calls, the same calls as tasks, and what
// registration has found out. Part of rex_kmp.h.
#ifndef REX_RUNTIME_H
#define REX_RUNTIME_H

#include "rex_llvm_abi.h"

#ifdef __cplusplus
#define REX_DECLARED_IN_C extern "C"
#define REX_DEFINED_IN_C extern "C"
extern "C" {
#else
#define REX_DECLARED_IN_C extern
#define REX_DEFINED_IN_C
#endif

// Registers this link unit's images and loads them onto the default device. Generated as the first statement of main,
// so that no user timer sees the cost; harmless when called again. Where the GPU is started in the background
// (REX_INIT=overlap) all of that is left to the first construct.
void rex_offload_init(void) REX_HIDDEN;

// Returns when this link unit is registered.
void rex_offload_wait(void) REX_HIDDEN;

// Takes the images back and frees what registration holds. Never called by generated code: for long-lived callers that
// want controlled teardown. No other thread may be inside a target region; a later region registers again.
void rex_offload_fini(void) REX_HIDDEN;

// Same meaning as LLVM's functions. A launch returns 0 when the kernel has run; otherwise the caller runs the host
// version of the region.
int rex___tgt_target_kernel(struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ teams, __INT32_TYPE__ threads, void *host_ptr,
                            struct __tgt_kernel_arguments *kernel_args) REX_HIDDEN;
void rex___tgt_target_data_begin_mapper(struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ arg_num, void **args_base,
                                        void **args, __INT64_TYPE__ *arg_sizes, __INT64_TYPE__ *arg_types, void **arg_names,
                                        void **arg_mappers) REX_HIDDEN;
void rex___tgt_target_data_end_mapper(struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ arg_num, void **args_base,
                                      void **args, __INT64_TYPE__ *arg_sizes, __INT64_TYPE__ *arg_types, void **arg_names,
                                      void **arg_mappers) REX_HIDDEN;
void rex___tgt_target_data_update_mapper(struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ arg_num, void **args_base,
                                         void **args, __INT64_TYPE__ *arg_sizes, __INT64_TYPE__ *arg_types, void **arg_names,
                                         void **arg_mappers) REX_HIDDEN;

// The number of the default device, for constructs at whose end it may be another.
__INT64_TYPE__ rex_device_of_now(void) REX_HIDDEN;

// The host version of a region with `thread_limit`: sets the limit of the task that calls and returns the one before.
int rex_limit_threads(int limit) REX_HIDDEN;

// Where the host finishes a reduction: a buffer for the results of the blocks.
static __inline__ void *rex_new_buffer(__SIZE_TYPE__ size) {
  void *buffer = __builtin_malloc(size);
  if (buffer == 0) __builtin_abort();
  return buffer;
}
static __inline__ void rex_free_buffer(void *buffer) { __builtin_free(buffer); }

// ... the original value of a variable that is on the device, from there and back.
void rex_fetch_original(void *original, __SIZE_TYPE__ size, __INT64_TYPE__ device) REX_HIDDEN;
void rex_store_original(void *original, __SIZE_TYPE__ size, __INT64_TYPE__ device) REX_HIDDEN;

// ---------------------------------------------------------------------------------------------------------------------
// Constructs with `nowait` or `depend`: the same calls, as tasks. What they are given is copied, also the values of
// first-private variables.

// A dependence: where the list item begins, and the runtime's number for how the task uses it.
struct rex_depend {
  const volatile void *address;
  __INT64_TYPE__ how;
};
// The address is that of an omp_depend_t, which the compiler of the host file has laid out.
#define REX_DEPEND_OBJECT_OF_CLANG 0x100
#define REX_DEPEND_OBJECT_OF_GCC 0x200
#ifdef __clang__
#define REX_DEPEND_DEPOBJ REX_DEPEND_OBJECT_OF_CLANG
#else
#define REX_DEPEND_DEPOBJ REX_DEPEND_OBJECT_OF_GCC
#endif

// What a construct asks of its task. Undeferred ones (without `nowait`) wait for what they depend on. `room` is the
// length of a list that rex_depend_on has made; the calls that take the task give it back.
struct rex_task {
  __INT32_TYPE__ deferred;
  __INT32_TYPE__ depend_num;
  struct rex_depend *depends;
  __INT32_TYPE__ room;
};

// Adds a dependence to a list whose length an iterator decides.
void rex_depend_on(struct rex_task *task, const volatile void *address, __INT64_TYPE__ how) REX_HIDDEN;
void rex_forget_depends(struct rex_task *task) REX_HIDDEN;
void rex_wait_for_depends(struct rex_task *task, struct __rex_ident *place) REX_HIDDEN;

// Returns 0 when the region has run, or a task will run it; otherwise the caller makes a task of the host version, and
// the list is still there.
int rex_target_kernel_task(struct rex_task *task, struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ teams, __INT32_TYPE__ threads,
                           void *host_ptr, struct __tgt_kernel_arguments *kernel_args) REX_HIDDEN;
void rex_target_data_begin_task(struct rex_task *task, struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ arg_num,
                                void **args_base, void **args, __INT64_TYPE__ *arg_sizes, __INT64_TYPE__ *arg_types, void **arg_names,
                                void **arg_mappers) REX_HIDDEN;
void rex_target_data_end_task(struct rex_task *task, struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ arg_num,
                              void **args_base, void **args, __INT64_TYPE__ *arg_sizes, __INT64_TYPE__ *arg_types, void **arg_names,
                              void **arg_mappers) REX_HIDDEN;
void rex_target_data_update_task(struct rex_task *task, struct __rex_ident *place, __INT64_TYPE__ device, __INT32_TYPE__ arg_num,
                                 void **args_base, void **args, __INT64_TYPE__ *arg_sizes, __INT64_TYPE__ *arg_types,
                                 void **arg_names, void **arg_mappers) REX_HIDDEN;
// A task that does nothing (its `if` clause says so) but stands in its place between those it depends on and others.
void rex_empty_task(struct rex_task *task, struct __rex_ident *place, __INT64_TYPE__ device) REX_HIDDEN;

// What stands between these two cannot see whether the kernels that it launches have ended: they are queued, one behind
// the other, and the end waits for the last.
void rex_batch_begin(void) REX_HIDDEN;
// The same where something in between waits for tasks: those from before are waited for first, for they may do anything.
void rex_batch_begin_behind_tasks(void) REX_HIDDEN;
// The same where tasks are made in between, and nothing waits for them: what they bring home may arrive at the end.
void rex_batch_begin_of_tasks(void) REX_HIDDEN;
// In front of a `taskwait` in between: kernels of tasks that are queued behind it wait for those in front of it.
void rex_batch_taskwait(void) REX_HIDDEN;
// Behind the beginning: a member of an object of the host's that they use. Nothing is queued if kernels may have access.
void rex_batch_uses(const void *member, __SIZE_TYPE__ size) REX_HIDDEN;
// Before the host reads what may be memory that kernels of the batch write.
void rex_host_reads(const void *object) REX_HIDDEN;
void *rex_host_read(const void *object) REX_HIDDEN; // returns it
// An object that the host reads in the place of an expression: the expression is evaluated once, and read after that.
#ifdef __cplusplus // where enumerations may have an operator of their own that is written as the address is
#define REX_HOST_READ(...) \
  (*static_cast<__typeof__(__VA_ARGS__) *>(rex_host_read(__builtin_addressof((__VA_ARGS__)))))
#else
#define REX_HOST_READ(...) (*(__typeof__(__VA_ARGS__) *)rex_host_read(&(__VA_ARGS__)))
#endif
void rex_batch_end(void) REX_HIDDEN;
// In functions that are called in between: before what sees whether kernels have ended, all that is queued is waited for
// and the batch is left; behind it, what follows is queued again if that was so before. `rex_batch_depth` tells what
// `rex_batch_pause` does where the former may not be called at all. An exception, or a `return`, leaves the batch for good.
unsigned rex_batch_depth(void) REX_HIDDEN;
unsigned rex_batch_pause(void) REX_HIDDEN;
void rex_batch_resume(unsigned depth) REX_HIDDEN;
// Before the host executes a region itself, because of its `if` clause: all that is queued is waited for.
void rex_batch_wait(void) REX_HIDDEN;

// What glibc's assert calls when it fails, in files in which one stands in a batch: kernels that may print have ended before
// the program does, and a handler of the signal that leaves with longjmp leaves no batch open.
#if defined __cplusplus && __cplusplus >= 201103L
#define REX_NOTHROW noexcept(true)
#elif defined __cplusplus
#define REX_NOTHROW throw()
#else
#define REX_NOTHROW __attribute__((__nothrow__))
#endif
void rex_assert_fail(const char *assertion, const char *file, unsigned int line, const char *function) REX_NOTHROW
    __attribute__((__noreturn__, __visibility__("hidden")));

// Functions with kernels that see as little, called from other files. The file of such a function says so, of the
// function that itself defines (an alias cannot be preempted); the caller's asks whether a file of its link unit has said
// it of the one that a call reaches. The number in between is for compilers that warn of casts to other function types.
typedef void rex_any_function(void);
#define REX_ANY_FUNCTION(address) ((rex_any_function *)(__UINTPTR_TYPE__)(address))
#define REX_QUIET(symbol, type)                                                                                        \
  REX_DECLARED_IN_C type __rex_own_##symbol __attribute__((__alias__(#symbol), __visibility__("hidden")));             \
  REX_DEFINED_IN_C rex_any_function *const __rex_quiet_##symbol __attribute__((__visibility__("hidden"))) =            \
      (rex_any_function *)__rex_own_##symbol;
#define REX_ASKED_WHETHER_QUIET(symbol)                                                                                \
  REX_DECLARED_IN_C rex_any_function *const __rex_quiet_##symbol __attribute__((__weak__, __visibility__("hidden")));
#define REX_IS_QUIET(symbol, address)                                                                                  \
  (&__rex_quiet_##symbol != 0 && __rex_quiet_##symbol == REX_ANY_FUNCTION(address))

// Functions that several files may define, all with one text, as members of templates are: what is said of one is true of
// all, so it is enough that the one which a call reaches is of this link unit, and that it is not another one by its name.
int rex_is_own_function(rex_any_function *function) REX_HIDDEN;
#define REX_QUIET_MERGED(symbol, address)                                                                              \
  REX_DEFINED_IN_C rex_any_function *const __rex_quiet_##symbol                                                        \
      __attribute__((__weak__, __visibility__("hidden"))) = (rex_any_function *)(address);
#define REX_IS_QUIET_MERGED(symbol, address)                                                                           \
  (REX_IS_QUIET(symbol, address) && rex_is_own_function(REX_ANY_FUNCTION(address)))

// A file whose kernels join results of several teams says so, for that takes preparation.
extern __INT32_TYPE__ rex_has_reductions REX_HIDDEN;
#define REX_REDUCTIONS                                                                                                 \
  static void __attribute__((__constructor__(1000))) __rex_reductions(void) { rex_has_reductions = 1; }

// A file whose device code calls itself says so: threads get more stack on a GPU, unless the user says how much.
extern __INT32_TYPE__ rex_has_recursion REX_HIDDEN;
#define REX_RECURSION                                                                                                  \
  static void __attribute__((__constructor__(1000))) __rex_recursion(void) { rex_has_recursion = 1; }

// A file with constructs that may be deferred says so: libomp's threads for them begin before the program makes threads.
extern __INT32_TYPE__ rex_has_tasks REX_HIDDEN;
#define REX_TASKS                                                                                                      \
  static void __attribute__((__constructor__(1000))) __rex_tasks(void) { rex_has_tasks = 1; }

// A file that names devices, by `device` clauses or in calls of routines, says so: ranks of a node then all have the same
// default device. Null where no file does, of the whole program: the one name that link units have in common.
extern char rex_names_devices[] __attribute__((__weak__, __visibility__("default")));
#define REX_NAMES_DEVICES char rex_names_devices[1] __attribute__((__weak__, __visibility__("default"))) = {1};

// The generated code of this file calls the safe forms; the runtime itself wants LLVM's.
#ifndef REX_KMP_INTERNAL
#define __tgt_target_kernel rex___tgt_target_kernel
#define __tgt_target_data_begin_mapper rex___tgt_target_data_begin_mapper
#define __tgt_target_data_end_mapper rex___tgt_target_data_end_mapper
#define __tgt_target_data_update_mapper rex___tgt_target_data_update_mapper
#endif

// What registration has found out. Read through rex_offload_ready_state only.
enum rex_offload_kind { REX_ON_HOST, REX_ON_GPU, REX_ON_CPU_DEVICE };
struct rex_offload_state {
  __INT32_TYPE__ registration; // 2 when the rest is valid
  __INT32_TYPE__ kind;         // enum rex_offload_kind
  __INT32_TYPE__ units;        // multiprocessors of the GPU, or cores
  __INT32_TYPE__ most_threads; // of a block (OMP_TEAMS_THREAD_LIMIT), 0 for as many as there can be
  __INT32_TYPE__ most_teams;   // where the program names no number (OMP_NUM_TEAMS), 0 for as many as there can be
};
extern struct rex_offload_state rex_offload REX_HIDDEN;

static __inline__ const struct rex_offload_state *rex_offload_ready_state(void) {
  if (__atomic_load_n(&rex_offload.registration, __ATOMIC_ACQUIRE) != 2) rex_offload_wait();
  return &rex_offload;
}

#ifdef __cplusplus
}
#endif

#endif
