// SPDX-License-Identifier: Apache-2.0
//
// The types and constants of OpenMP's runtime API, with the values and sizes of LLVM's libomp. Shared by omp.h (host)
// and rex_device_omp.h (device). OpenMP 5.2 and the parts of 6.0 that libomp has.
#ifndef REX_OMP_TYPES_H
#define REX_OMP_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef intptr_t omp_intptr_t;
typedef uintptr_t omp_uintptr_t;

// Handles are enumerations of pointer size. C++ can say so; C compilers widen for the largest enumerator.
#if defined(__cplusplus) && __cplusplus >= 201103L
#define REX_OMP_HANDLE(name) typedef enum name : omp_uintptr_t
#else
#define REX_OMP_HANDLE(name) typedef enum name
#endif

// Numbers that mean a device without naming one.
enum { omp_initial_device = -1, omp_invalid_device = -2 };

// Parallel regions.

typedef enum omp_sched_t {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4,
  omp_sched_monotonic = (int)0x80000000
} omp_sched_t;

typedef enum omp_proc_bind_t {
  omp_proc_bind_false = 0,
  omp_proc_bind_true = 1,
  omp_proc_bind_master = 2,
  omp_proc_bind_primary = omp_proc_bind_master,
  omp_proc_bind_close = 3,
  omp_proc_bind_spread = 4
} omp_proc_bind_t;

// Locks.

typedef struct omp_lock_t {
  void *_lk;
} omp_lock_t;

typedef struct omp_nest_lock_t {
  void *_lk;
} omp_nest_lock_t;

typedef enum omp_sync_hint_t {
  omp_sync_hint_none = 0x0,
  omp_lock_hint_none = omp_sync_hint_none,
  omp_sync_hint_uncontended = 0x1,
  omp_lock_hint_uncontended = omp_sync_hint_uncontended,
  omp_sync_hint_contended = 0x2,
  omp_lock_hint_contended = omp_sync_hint_contended,
  omp_sync_hint_nonspeculative = 0x4,
  omp_lock_hint_nonspeculative = omp_sync_hint_nonspeculative,
  omp_sync_hint_speculative = 0x8,
  omp_lock_hint_speculative = omp_sync_hint_speculative,
  kmp_lock_hint_hle = 0x10000,
  kmp_lock_hint_rtm = 0x20000,
  kmp_lock_hint_adaptive = 0x40000
} omp_sync_hint_t;

typedef omp_sync_hint_t omp_lock_hint_t;

// Tasks.

// GCC knows this type by name and shape and refuses any other in depobj(); everyone else takes LLVM's.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
typedef struct omp_depend_t {
  void *rex_opaque[2];
} omp_depend_t;
#else
typedef void *omp_depend_t;
#endif

REX_OMP_HANDLE(omp_event_handle_t){KMP_EVENT_MAX_HANDLE = UINTPTR_MAX} omp_event_handle_t;

// Memory.

REX_OMP_HANDLE(omp_allocator_handle_t){
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    llvm_omp_target_host_mem_alloc = 100,
    llvm_omp_target_shared_mem_alloc = 101,
    llvm_omp_target_device_mem_alloc = 102,
    KMP_ALLOCATOR_MAX_HANDLE = UINTPTR_MAX} omp_allocator_handle_t;

REX_OMP_HANDLE(omp_memspace_handle_t){
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    llvm_omp_target_host_mem_space = 100,
    llvm_omp_target_shared_mem_space = 101,
    llvm_omp_target_device_mem_space = 102,
    KMP_MEMSPACE_MAX_HANDLE = UINTPTR_MAX} omp_memspace_handle_t;

typedef enum omp_alloctrait_key_t {
  omp_atk_sync_hint = 1,
  omp_atk_alignment = 2,
  omp_atk_access = 3,
  omp_atk_pool_size = 4,
  omp_atk_fallback = 5,
  omp_atk_fb_data = 6,
  omp_atk_pinned = 7,
  omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
  omp_atv_false = 0,
  omp_atv_true = 1,
  omp_atv_contended = 3,
  omp_atv_uncontended = 4,
  omp_atv_serialized = 5,
  omp_atv_sequential = omp_atv_serialized,
  omp_atv_private = 6,
  omp_atv_all = 7,
  omp_atv_thread = 8,
  omp_atv_pteam = 9,
  omp_atv_cgroup = 10,
  omp_atv_default_mem_fb = 11,
  omp_atv_null_fb = 12,
  omp_atv_abort_fb = 13,
  omp_atv_allocator_fb = 14,
  omp_atv_environment = 15,
  omp_atv_nearest = 16,
  omp_atv_blocked = 17,
  omp_atv_interleaved = 18
} omp_alloctrait_value_t;
#define omp_atv_default ((omp_uintptr_t)-1)

typedef struct omp_alloctrait_t {
  omp_alloctrait_key_t key;
  omp_uintptr_t value;
} omp_alloctrait_t;

// Handles in kernels, of allocators with traits: REX_WITH_TRAITS + 2 * logarithm of the alignment + whether failure
// aborts. They need no memory, so the host can make one (`uses_allocators`).
#define REX_WITH_TRAITS ((omp_uintptr_t)0x10000)
#ifdef REX_DEVICE
REX_DEVICE
#else
static __inline__
#endif
omp_allocator_handle_t rex_device_allocator(size_t count, const omp_alloctrait_t *traits) {
  omp_uintptr_t alignment = 1, logarithm = 0, aborts = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    if (traits[i].value == omp_atv_default) continue;
    if (traits[i].key == omp_atk_pool_size) return omp_null_allocator;
    if (traits[i].key == omp_atk_alignment) alignment = traits[i].value;
    if (traits[i].key == omp_atk_fallback) aborts = traits[i].value == omp_atv_abort_fb;
  }
  for (; alignment > 1; alignment /= 2) logarithm++;
  return (omp_allocator_handle_t)(REX_WITH_TRAITS + 2 * logarithm + aborts);
}

// Interoperability.

typedef void *omp_interop_t;
#define omp_interop_none 0

typedef enum omp_interop_property_t {
  omp_ipr_fr_id = -1,
  omp_ipr_fr_name = -2,
  omp_ipr_vendor = -3,
  omp_ipr_vendor_name = -4,
  omp_ipr_device_num = -5,
  omp_ipr_platform = -6,
  omp_ipr_device = -7,
  omp_ipr_device_context = -8,
  omp_ipr_targetsync = -9,
  omp_ipr_first = -9
} omp_interop_property_t;

typedef enum omp_interop_rc_t {
  omp_irc_no_value = 1,
  omp_irc_success = 0,
  omp_irc_empty = -1,
  omp_irc_out_of_range = -2,
  omp_irc_type_int = -3,
  omp_irc_type_ptr = -4,
  omp_irc_type_str = -5,
  omp_irc_other = -6
} omp_interop_rc_t;

typedef enum omp_interop_fr_t {
  omp_ifr_cuda = 1,
  omp_ifr_cuda_driver = 2,
  omp_ifr_opencl = 3,
  omp_ifr_sycl = 4,
  omp_ifr_hip = 5,
  omp_ifr_level_zero = 6,
  omp_ifr_last = 7
} omp_interop_fr_t;

// Resources and tools.

typedef enum omp_pause_resource_t { omp_pause_resume = 0, omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

typedef enum omp_control_tool_t {
  omp_control_tool_start = 1,
  omp_control_tool_pause = 2,
  omp_control_tool_flush = 3,
  omp_control_tool_end = 4
} omp_control_tool_t;

typedef enum omp_control_tool_result_t {
  omp_control_tool_notool = -2,
  omp_control_tool_nocallback = -1,
  omp_control_tool_success = 0,
  omp_control_tool_ignored = 1
} omp_control_tool_result_t;

#undef REX_OMP_HANDLE

#endif
