// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's routines as they answer inside a kernel: a team is a block, a thread of the team is a thread of the block.
// Setters of internal control variables have no effect on a device.
#ifndef REX_DEVICE_OMP_H
#define REX_DEVICE_OMP_H

#include <stdlib.h>

#include "rex_device_atomic.h"
#include "rex_omp_target.h"
#include "rex_omp_types.h"

namespace rex_detail {

// libomptarget fills a global of this name while it loads the image (its layout up to device_num has never changed; a
// libomptarget that expects another size leaves it alone, and the answers are those of a machine with one device).
struct device_environment {
  unsigned debug_kind, num_devices, device_num, shared_bytes;
  unsigned long long clock_frequency, indirect_calls, indirect_call_count, hardware_parallelism;
};

} // namespace rex_detail

#ifdef __CUDACC__
extern "C" {
static __device__ rex_detail::device_environment __omp_rtl_device_environment;
}

REX_DEVICE int omp_get_device_num() { return (int)__omp_rtl_device_environment.device_num; }
REX_DEVICE int omp_get_num_devices() {
  unsigned devices = __omp_rtl_device_environment.num_devices;
  return devices == 0 ? 1 : (int)devices;
}
REX_DEVICE double omp_get_wtime() {
  unsigned long long nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return (double)nanoseconds * 1e-9;
}
#else
REX_DEVICE int omp_get_device_num() { return 0; }
REX_DEVICE int omp_get_num_devices() { return 1; }
REX_DEVICE double omp_get_wtime() { return rex_host::seconds(); }
#endif
REX_DEVICE double omp_get_wtick() { return 1e-9; }
REX_DEVICE int omp_is_initial_device() { return 0; }
REX_DEVICE int omp_get_initial_device() { return omp_get_num_devices(); }
REX_DEVICE int omp_get_default_device() { return 0; }
REX_DEVICE void omp_set_default_device(int) {}

REX_DEVICE int omp_get_thread_num() { return (int)threadIdx.x; }
REX_DEVICE int omp_get_num_threads() { return (int)blockDim.x; }
REX_DEVICE int omp_get_max_threads() { return (int)blockDim.x; }
REX_DEVICE int omp_get_thread_limit() { return (int)blockDim.x; }
REX_DEVICE int omp_get_num_procs() { return (int)blockDim.x; }
REX_DEVICE int omp_get_team_num() { return (int)blockIdx.x; }
REX_DEVICE int omp_get_num_teams() { return (int)gridDim.x; }
REX_DEVICE int omp_get_max_teams() { return (int)gridDim.x; }
REX_DEVICE int omp_get_teams_thread_limit() { return (int)blockDim.x; }
REX_DEVICE int omp_in_parallel() { return blockDim.x > 1; }
REX_DEVICE int omp_get_level() { return omp_in_parallel(); }
REX_DEVICE int omp_get_active_level() { return omp_in_parallel(); }
REX_DEVICE int omp_get_ancestor_thread_num(int level) {
  if (level < 0 || level > omp_get_level()) return -1;
  return level == 0 ? 0 : omp_get_thread_num();
}
REX_DEVICE int omp_get_team_size(int level) {
  if (level < 0 || level > omp_get_level()) return -1;
  return level == 0 ? 1 : omp_get_num_threads();
}

REX_DEVICE void omp_set_num_threads(int) {}
REX_DEVICE void omp_set_num_teams(int) {}
REX_DEVICE void omp_set_teams_thread_limit(int) {}
REX_DEVICE void omp_set_dynamic(int) {}
REX_DEVICE int omp_get_dynamic() { return 0; }
REX_DEVICE void omp_set_nested(int) {}
REX_DEVICE int omp_get_nested() { return 0; }
REX_DEVICE void omp_set_max_active_levels(int) {}
REX_DEVICE int omp_get_max_active_levels() { return 1; }
REX_DEVICE int omp_get_supported_active_levels() { return 1; }
REX_DEVICE void omp_set_schedule(omp_sched_t, int) {}
REX_DEVICE void omp_get_schedule(omp_sched_t *kind, int *chunk_size) {
  *kind = omp_sched_static;
  *chunk_size = 0;
}
REX_DEVICE int omp_get_cancellation() { return 0; }
REX_DEVICE omp_proc_bind_t omp_get_proc_bind() { return omp_proc_bind_false; }
REX_DEVICE int omp_get_num_places() { return 0; }
REX_DEVICE int omp_get_place_num() { return -1; }
REX_DEVICE int omp_in_final() { return 1; } // tasks are run at once
REX_DEVICE int omp_in_explicit_task() { return 0; }
REX_DEVICE int omp_get_max_task_priority() { return 0; }

// A lock spins on its own storage. Threads of one warp may compete for it (sm_70 and later schedule them separately).
REX_DEVICE void omp_init_lock(omp_lock_t *lock) { lock->_lk = nullptr; }
REX_DEVICE void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t) { omp_init_lock(lock); }
REX_DEVICE void omp_destroy_lock(omp_lock_t *lock) { lock->_lk = nullptr; }
REX_DEVICE int omp_test_lock(omp_lock_t *lock) {
  bool taken = atomicCAS((unsigned long long *)&lock->_lk, 0ull, 1ull) == 0;
  if (taken) __threadfence();
  return taken;
}
REX_DEVICE void omp_set_lock(omp_lock_t *lock) {
  while (!omp_test_lock(lock)) {}
}
REX_DEVICE void omp_unset_lock(omp_lock_t *lock) {
  __threadfence();
  atomicExch((unsigned long long *)&lock->_lk, 0ull);
}

// One kind of memory: the device's heap.
REX_DEVICE void *omp_alloc(size_t size, omp_allocator_handle_t = omp_null_allocator) { return malloc(size); }
REX_DEVICE void omp_free(void *ptr, omp_allocator_handle_t = omp_null_allocator) { free(ptr); }

#endif
