// SPDX-License-Identifier: Apache-2.0
//
// The binary interface of LLVM's offloading, 17 to 22: structures that libomptarget and libomp read, the numbers in them,
// their entry points, and all that differs between the versions. Nothing else here knows a version. Part of rex_kmp.h; the
// entry points are for the runtime itself (rex_internal.h), because a host file may have declared some of them already.
//
// REX_LLVM_VERSION (default 19) is the version of the libomptarget that is linked: -DREX_LLVM_VERSION=22. What differs:
//
//   up to 19   a row of the entries has five fields, from 20 on nine (__tgt_offload_entry)
//   up to 21   cubins of CUDA 13 need the label of CUDA 12 (REX_CUBIN_ABI; target/nvptx_image.py writes it too)
//   from 18    __kmpc_set_thread_limit (declared weak)
//   from 21    omp_target_is_accessible (rex_routines.cpp looks for it)
//   up to 19   libomp begins after images are registered, from 22 on with them (rex_spread.h)
//   17 to 22   an `always` copy forgets attached pointers (rex_always.h); an update with gaps takes dimensions that are
//              joined (rex_merge_dimensions); no routine may ask for devices before something is registered
//              (register_nothing in rex_registration.cpp)
//
// Only the layout matters to LLVM; the field types are chosen so that a braced initialiser of plain ints is good C++ too
// (no narrowing).
#ifndef REX_LLVM_ABI_H
#define REX_LLVM_ABI_H

#ifndef REX_LLVM_VERSION
#define REX_LLVM_VERSION 19
#endif

#define REX_HIDDEN __attribute__((__visibility__("hidden")))

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Places and devices.

// A place in the user's source, ";file;function;line;column;;". LLVM shows it in its own messages.
struct __rex_ident {
  __INT32_TYPE__ reserved_1;
  __INT32_TYPE__ flags;
  __INT32_TYPE__ reserved_2;
  __INT32_TYPE__ reserved_3;
  const char *source;
};
#define REX_PLACE(source) {0, 2, 0, 0, source}

#define REX_DEVICE_DEFAULT (-1)

// How many devices the host plugin offers, all of them the CPU.
#define REX_CPU_DEVICES 4

// What a `device` clause says. -1 is OpenMP's omp_initial_device, but to LLVM's runtime the default device.
#define REX_DEVICE_INITIAL (-__INT64_MAX__ - 1)
static __inline__ __INT64_TYPE__ rex_device_number(__INT64_TYPE__ number) { return number == -1 ? REX_DEVICE_INITIAL : number; }

// ---------------------------------------------------------------------------------------------------------------------
// Images and entries.

// One row per kernel or device variable: the host address that stands for it and its symbol in the device image.
#if REX_LLVM_VERSION >= 20
struct __tgt_offload_entry {
  __UINT64_TYPE__ reserved;
  __UINT16_TYPE__ version;
  __UINT16_TYPE__ kind;
  __INT32_TYPE__ flags;
  void *address;
  char *symbol;
  __UINT64_TYPE__ size;
  __UINT64_TYPE__ data;
  void *auxiliary;
};
#define REX_ENTRY(address, symbol, size, flags, data)                                                                  \
  {0, 1, 1, flags, (void *)(address), (char *)(symbol), size, data, 0}
#else
struct __tgt_offload_entry {
  void *address;
  char *symbol;
  __SIZE_TYPE__ size;
  __INT32_TYPE__ flags;
  __INT32_TYPE__ data;
};
#define REX_ENTRY(address, symbol, size, flags, data) {(void *)(address), (char *)(symbol), size, flags, data}
#endif

// The data of a variable's row, which libomptarget does not read: the host's variable of that name is another one.
#define REX_ENTRY_IS_LOCAL 1
// The data of a kernel's row: its address is a rex_kernel's. Files that were compiled earlier may have one byte there.
#define REX_ENTRY_HAS_ROOM 2
// What a row's flags say: a `declare target link` variable, or a `requires` directive, whose data is a sum of clauses.
#define REX_ENTRY_LINK 0x1
#define REX_ENTRY_REQUIRES 0x10
#define REX_REQUIRES_REVERSE_OFFLOAD 0x2
#define REX_REQUIRES_UNIFIED_ADDRESS 0x4
#define REX_REQUIRES_UNIFIED_SHARED_MEMORY 0x8
#define REX_REQUIRES_DYNAMIC_ALLOCATORS 0x10
#define REX_REQUIRES_NOBODY_KNOWS 0x10000

// ---------------------------------------------------------------------------------------------------------------------
// Launches.

// The packet of a launch. Version 3 makes the runtime pass the hidden launch-environment pointer as first argument.
struct __tgt_kernel_arguments {
  __INT32_TYPE__ version;
  __INT32_TYPE__ arg_num;
  void **args_base;
  void **args;
  __INT64_TYPE__ *arg_sizes;
  __INT64_TYPE__ *arg_types;
  void **arg_names;
  void **arg_mappers;
  __INT64_TYPE__ tripcount;
  __UINT64_TYPE__ launch_flags;
  __INT32_TYPE__ teams[3];
  __INT32_TYPE__ threads[3];
  __UINT32_TYPE__ shared_bytes;
};
#define REX_KERNEL_ARGS_VERSION 3

// ---------------------------------------------------------------------------------------------------------------------
// How one argument is mapped (LLVM's bits).

#define REX_MAP_NONE ((__INT64_TYPE__)0x0)
#define REX_MAP_TO ((__INT64_TYPE__)0x1)
#define REX_MAP_FROM ((__INT64_TYPE__)0x2)
#define REX_MAP_TOFROM (REX_MAP_TO | REX_MAP_FROM)
#define REX_MAP_ALWAYS ((__INT64_TYPE__)0x4)
#define REX_MAP_DELETE ((__INT64_TYPE__)0x8)
#define REX_MAP_PTR_AND_OBJ ((__INT64_TYPE__)0x10)
#define REX_MAP_PARAM ((__INT64_TYPE__)0x20)
#define REX_MAP_RETURN_PARAM ((__INT64_TYPE__)0x40)
#define REX_MAP_PRIVATE ((__INT64_TYPE__)0x80)
#define REX_MAP_LITERAL ((__INT64_TYPE__)0x100)
#define REX_MAP_IMPLICIT ((__INT64_TYPE__)0x200)
#define REX_MAP_CLOSE ((__INT64_TYPE__)0x400)
#define REX_MAP_PRESENT ((__INT64_TYPE__)0x1000)
#define REX_MAP_OMPX_HOLD ((__INT64_TYPE__)0x2000)
#define REX_MAP_NON_CONTIG ((__INT64_TYPE__)0x100000000000)
// Ours: an `always` copy of pointers that may be attached (rex_always.h). LLVM's runtime does not know the bit.
#define REX_MAP_COPIES_POINTERS ((__INT64_TYPE__)0x10000000000)
// Ours too: where the memory for a reduction's partial results goes, and a variable that is reduced (rex_partials.h).
#define REX_MAP_PARTIALS ((__INT64_TYPE__)0x20000000000)
#define REX_MAP_REDUCED ((__INT64_TYPE__)0x40000000000)
// With REX_MAP_PARTIALS: memory of zeros, which the kernel leaves as it was.
#define REX_MAP_ZEROED ((__INT64_TYPE__)0x4000000000)
// Ours again: an object that is not mapped, whose address on the device the kernel gets, or null (rex_lookups.h).
#define REX_MAP_LOOKED_UP ((__INT64_TYPE__)0x80000000000)
// And: a row whose memory host and device share, or the program ends (rex_shared_rows.h).
#define REX_MAP_SELF ((__INT64_TYPE__)0x8000000000)
// Of an object: the kernel reads numbers in it and does no more, so that a copy will do (rex_objects.h).
#define REX_MAP_READ ((__INT64_TYPE__)0x2000000000)
#define REX_MAP_MEMBER_OF(index_from_0) ((__INT64_TYPE__)((__UINT64_TYPE__)((index_from_0) + 1) << 48))
#define REX_MAP_ALL_MEMBERS ((__INT64_TYPE__)(((__UINT64_TYPE__)0xffff) << 48))
// What LLVM's runtime calls an argument, and where it stands in the file of the construct's place.
#define REX_MAP_NAME(item, line, column) (void *)(";" item ";;" #line ";" #column ";;")
#define REX_MAP_LITERAL_PARAM (REX_MAP_PARAM | REX_MAP_LITERAL)
#define REX_MAP_IMPLICIT_LITERAL (REX_MAP_LITERAL_PARAM | REX_MAP_IMPLICIT)

// One dimension of a section with gaps, and the section's elements themselves as the last one: how many there are, and how
// many bytes apart. No offset: the base is the first element.
struct rex_dimension {
  __UINT64_TYPE__ offset;
  __UINT64_TYPE__ count;
  __UINT64_TYPE__ stride;
};
#define REX_DIMENSION(count, stride) {0, (__UINT64_TYPE__)(count), (__UINT64_TYPE__)(stride)}

// What a mapper asks, and whom it hands its parts.
__INT64_TYPE__ __tgt_mapper_num_components(void *handle);
void __tgt_push_mapper_component(void *handle, void *base, void *begin, __INT64_TYPE__ size, __INT64_TYPE__ type, void *name);

// ---------------------------------------------------------------------------------------------------------------------
// Dependences of tasks.

#define REX_DEPEND_IN 1
#define REX_DEPEND_OUT 3
#define REX_DEPEND_INOUT 3
#define REX_DEPEND_MUTEXINOUTSET 4
#define REX_DEPEND_INOUTSET 8
#define REX_DEPEND_ALL_MEMORY 0x80 // omp_all_memory; the address is null

// ---------------------------------------------------------------------------------------------------------------------
// What the runtime itself asks of libomptarget and libomp.

#if defined REX_KMP_INTERNAL && defined __cplusplus

struct __tgt_device_image {
  const char *begin, *end;
  __tgt_offload_entry *entries_begin, *entries_end;
};
struct __tgt_bin_desc {
  __INT32_TYPE__ image_count;
  __tgt_device_image *images;
  __tgt_offload_entry *entries_begin, *entries_end;
};
void __tgt_register_lib(__tgt_bin_desc *);
void __tgt_unregister_lib(__tgt_bin_desc *);

// The ABI version in a cubin's ELF header that libomptarget takes: CUDA 12 writes 7, CUDA 13 writes 8.
#define REX_CUBIN_ABI (REX_LLVM_VERSION >= 22 ? 8 : 7)

// The variable of an image that libomptarget fills while it loads it, and the beginning of its layout
// (rex_device_omp.h).
#define REX_DEVICE_ENVIRONMENT "__omp_rtl_device_environment"
struct __tgt_device_environment {
  __UINT32_TYPE__ debug_kind, device_count, device_number;
};

int __tgt_target_kernel(__rex_ident *, __INT64_TYPE__ device, __INT32_TYPE__ teams, __INT32_TYPE__ threads, void *host_ptr,
                        __tgt_kernel_arguments *);
typedef void __tgt_data_call(__rex_ident *, __INT64_TYPE__ device, __INT32_TYPE__ count, void **bases, void **begins,
                             __INT64_TYPE__ *sizes, __INT64_TYPE__ *types, void **names, void **mappers);
__tgt_data_call __tgt_target_data_begin_mapper;
__tgt_data_call __tgt_target_data_end_mapper;
__tgt_data_call __tgt_target_data_update_mapper;

int omp_get_num_devices(void);
int omp_get_default_device(void);
int omp_get_initial_device(void);
int omp_get_thread_limit(void);
int omp_in_final(void);
int omp_get_level(void);
int omp_get_thread_num(void);
int omp_target_is_present(const void *, int);
void *omp_get_mapped_ptr(const void *, int);
void *omp_target_alloc(__SIZE_TYPE__, int);
void omp_target_free(void *, int);
int omp_target_memcpy(void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, __SIZE_TYPE__, int, int);
int omp_target_associate_ptr(const void *, const void *, __SIZE_TYPE__, __SIZE_TYPE__, int);
void *llvm_omp_target_alloc_host(__SIZE_TYPE__, int);
void llvm_omp_target_free_host(void *, int);

// A dependence, and the head of a task; behind it is room for what the task works on (kmp.h).
struct kmp_depend_info {
  __INTPTR_TYPE__ address;
  __SIZE_TYPE__ size;
  __UINT8_TYPE__ how;
};
struct kmp_task {
  void *shareds;
  __INT32_TYPE__ (*routine)(__INT32_TYPE__, kmp_task *);
  __INT32_TYPE__ part;
  void *data[2];
};
__INT32_TYPE__ __kmpc_global_thread_num(__rex_ident *);
kmp_task *__kmpc_omp_target_task_alloc(__rex_ident *, __INT32_TYPE__ thread, __INT32_TYPE__ flags, __SIZE_TYPE__ size,
                                       __SIZE_TYPE__ shareds_size, __INT32_TYPE__ (*routine)(__INT32_TYPE__, kmp_task *),
                                       __INT64_TYPE__ device);
__INT32_TYPE__ __kmpc_omp_task(__rex_ident *, __INT32_TYPE__ thread, kmp_task *);
__INT32_TYPE__ __kmpc_omp_taskwait(__rex_ident *, __INT32_TYPE__ thread);
__INT32_TYPE__ __kmpc_omp_task_with_deps(__rex_ident *, __INT32_TYPE__ thread, kmp_task *, __INT32_TYPE__ count,
                                         kmp_depend_info *, __INT32_TYPE__, kmp_depend_info *);
void __kmpc_omp_wait_deps(__rex_ident *, __INT32_TYPE__ thread, __INT32_TYPE__ count, kmp_depend_info *, __INT32_TYPE__,
                          kmp_depend_info *);
// It ignores limits below 1. The limit is that of the task, and its threads inherit it (OpenMP 5.2, 2.2).
void __kmpc_set_thread_limit(__rex_ident *, __INT32_TYPE__ thread, __INT32_TYPE__ limit) __attribute__((__weak__));

#endif

#ifdef __cplusplus
}
#endif

#endif
