// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's runtime API (5.2, and the 6.0 routines that LLVM has) for host code, as LLVM's libomp and libomptarget
// implement it. rexcc uses this file instead of the compiler's own: its front end reads C and C++ without OpenMP
// support, which LLVM's omp.h does not survive, and GCC's describes another library.
//
// Routines that libomp 19 lacks are declared all the same; using one is a link error that names it.
#ifndef REX_OMP_H
#define REX_OMP_H
// and no other omp.h after this one
#define __OMP_H
#define _OMP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "rex_omp_types.h"

#ifdef __cplusplus
extern "C" {
#define REX_OMP_DEFAULT(value) = value
#else
#define REX_OMP_DEFAULT(value)
#endif

// Parallel regions.
extern void omp_set_num_threads(int num_threads);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_thread_num(void);
extern int omp_in_parallel(void);
extern void omp_set_dynamic(int dynamic_threads);
extern int omp_get_dynamic(void);
extern int omp_get_cancellation(void);
extern void omp_set_nested(int nested);
extern int omp_get_nested(void);
extern void omp_set_schedule(omp_sched_t kind, int chunk_size);
extern void omp_get_schedule(omp_sched_t *kind, int *chunk_size);
extern int omp_get_thread_limit(void);
extern int omp_get_supported_active_levels(void);
extern void omp_set_max_active_levels(int max_levels);
extern int omp_get_max_active_levels(void);
extern int omp_get_level(void);
extern int omp_get_ancestor_thread_num(int level);
extern int omp_get_team_size(int level);
extern int omp_get_active_level(void);

// Places. The format routines have a C name of their own in libomp; the plain one is Fortran's.
extern omp_proc_bind_t omp_get_proc_bind(void);
extern int omp_get_num_places(void);
extern int omp_get_place_num_procs(int place_num);
extern void omp_get_place_proc_ids(int place_num, int *ids);
extern int omp_get_place_num(void);
extern int omp_get_partition_num_places(void);
extern void omp_get_partition_place_nums(int *place_nums);
extern void omp_set_affinity_format(const char *format) __asm__("ompc_set_affinity_format");
extern size_t omp_get_affinity_format(char *buffer, size_t size) __asm__("ompc_get_affinity_format");
extern void omp_display_affinity(const char *format) __asm__("ompc_display_affinity");
extern size_t omp_capture_affinity(char *buffer, size_t size, const char *format)
    __asm__("ompc_capture_affinity");

// Teams.
extern int omp_get_num_teams(void);
extern void omp_set_num_teams(int num_teams);
extern int omp_get_team_num(void);
extern int omp_get_max_teams(void);
extern void omp_set_teams_thread_limit(int thread_limit);
extern int omp_get_teams_thread_limit(void);

// Tasks.
extern int omp_get_max_task_priority(void);
extern int omp_in_explicit_task(void);
extern int omp_in_final(void);
extern int omp_is_free_agent(void);
extern int omp_ancestor_is_free_agent(int level);
extern void omp_fulfill_event(omp_event_handle_t event);

// Resources.
extern int omp_pause_resource(omp_pause_resource_t kind, int device_num);
extern int omp_pause_resource_all(omp_pause_resource_t kind);

// Devices.
extern int omp_get_num_procs(void);
extern void omp_set_default_device(int device_num);
extern int omp_get_default_device(void);
extern int omp_get_num_devices(void);
extern int omp_get_device_num(void);
extern int omp_is_initial_device(void);
extern int omp_get_initial_device(void);
extern const char *omp_get_uid_from_device(int device_num);
extern int omp_get_device_from_uid(const char *uid);

// Device memory.
#include "rex_omp_target.h"

// Locks.
extern void omp_init_lock(omp_lock_t *lock);
extern void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint);
extern void omp_destroy_lock(omp_lock_t *lock);
extern void omp_set_lock(omp_lock_t *lock);
extern void omp_unset_lock(omp_lock_t *lock);
extern int omp_test_lock(omp_lock_t *lock);
extern void omp_init_nest_lock(omp_nest_lock_t *lock);
extern void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint);
extern void omp_destroy_nest_lock(omp_nest_lock_t *lock);
extern void omp_set_nest_lock(omp_nest_lock_t *lock);
extern void omp_unset_nest_lock(omp_nest_lock_t *lock);
extern int omp_test_nest_lock(omp_nest_lock_t *lock);

// Time.
extern double omp_get_wtime(void);
extern double omp_get_wtick(void);

// Memory.
extern omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t memspace, int ntraits,
                                                 const omp_alloctrait_t traits[]);
extern void omp_destroy_allocator(omp_allocator_handle_t allocator);
extern void omp_set_default_allocator(omp_allocator_handle_t allocator);
extern omp_allocator_handle_t omp_get_default_allocator(void);
extern void *omp_alloc(size_t size, omp_allocator_handle_t allocator REX_OMP_DEFAULT(omp_null_allocator));
extern void *omp_aligned_alloc(size_t alignment, size_t size,
                               omp_allocator_handle_t allocator REX_OMP_DEFAULT(omp_null_allocator));
extern void *omp_calloc(size_t nmemb, size_t size,
                        omp_allocator_handle_t allocator REX_OMP_DEFAULT(omp_null_allocator));
extern void *omp_aligned_calloc(size_t alignment, size_t nmemb, size_t size,
                                omp_allocator_handle_t allocator REX_OMP_DEFAULT(omp_null_allocator));
extern void *omp_realloc(void *ptr, size_t size,
                         omp_allocator_handle_t allocator REX_OMP_DEFAULT(omp_null_allocator),
                         omp_allocator_handle_t free_allocator REX_OMP_DEFAULT(omp_null_allocator));
extern void omp_free(void *ptr, omp_allocator_handle_t allocator REX_OMP_DEFAULT(omp_null_allocator));

// Interoperability.
extern int omp_get_num_interop_properties(const omp_interop_t interop);
extern omp_intptr_t omp_get_interop_int(const omp_interop_t interop, omp_interop_property_t property_id,
                                        int *ret_code);
extern void *omp_get_interop_ptr(const omp_interop_t interop, omp_interop_property_t property_id,
                                 int *ret_code);
extern const char *omp_get_interop_str(const omp_interop_t interop, omp_interop_property_t property_id,
                                       int *ret_code);
extern const char *omp_get_interop_name(const omp_interop_t interop,
                                        omp_interop_property_t property_id);
extern const char *omp_get_interop_type_desc(const omp_interop_t interop,
                                             omp_interop_property_t property_id);
extern const char *omp_get_interop_rc_desc(const omp_interop_t interop, omp_interop_rc_t ret_code);

// Tools and the environment.
extern int omp_control_tool(int command, int modifier, void *arg);
extern void omp_display_env(int verbose);

// libomptarget's own.
extern void ompx_dump_mapping_tables(void);
extern void *llvm_omp_target_alloc_host(size_t size, int device_num);
extern void *llvm_omp_target_alloc_shared(size_t size, int device_num);
extern void *llvm_omp_target_alloc_device(size_t size, int device_num);
extern void llvm_omp_target_free_host(void *ptr, int device_num);
extern void llvm_omp_target_free_shared(void *ptr, int device_num);
extern void llvm_omp_target_free_device(void *ptr, int device_num);
extern void *llvm_omp_target_dynamic_shared_alloc(void);

// libomp's own.
extern void kmp_set_blocktime(int milliseconds);
extern int kmp_get_blocktime(void);
extern void kmp_set_stacksize(int bytes);
extern int kmp_get_stacksize(void);
extern void kmp_set_stacksize_s(size_t bytes);
extern size_t kmp_get_stacksize_s(void);
extern void kmp_set_library(int mode);
extern int kmp_get_library(void);
extern void kmp_set_library_serial(void);
extern void kmp_set_library_turnaround(void);
extern void kmp_set_library_throughput(void);
extern void kmp_set_defaults(const char *setting);
extern void kmp_set_disp_num_buffers(int count);
extern void kmp_set_warnings_on(void);
extern void kmp_set_warnings_off(void);
extern void *kmp_malloc(size_t size);
extern void *kmp_aligned_malloc(size_t size, size_t alignment);
extern void *kmp_calloc(size_t nmemb, size_t size);
extern void *kmp_realloc(void *ptr, size_t size);
extern void kmp_free(void *ptr);

typedef void *kmp_affinity_mask_t;
extern void kmp_create_affinity_mask(kmp_affinity_mask_t *mask);
extern void kmp_destroy_affinity_mask(kmp_affinity_mask_t *mask);
extern int kmp_set_affinity(kmp_affinity_mask_t *mask);
extern int kmp_get_affinity(kmp_affinity_mask_t *mask);
extern int kmp_get_affinity_max_proc(void);
extern int kmp_set_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask);
extern int kmp_unset_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask);
extern int kmp_get_affinity_mask_proc(int proc, kmp_affinity_mask_t *mask);

#ifdef __cplusplus
}
#endif

#undef REX_OMP_DEFAULT

#endif
