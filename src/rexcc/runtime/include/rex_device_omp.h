// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's routines as they answer inside a kernel. A league is the grid, a team of the league a block; where a thread
// stands in parallel regions is said by its state (rex_device_team.h), which the kernel must keep.
//
// Setters of internal control variables have no effect on a device. Routines about mapped memory are the host's.
#ifndef REX_DEVICE_OMP_H
#define REX_DEVICE_OMP_H

#include "rex_device_locks.h"
#include "rex_device_memory.h"
#include "rex_device_team.h"
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
REX_UNIT_STATE __device__ rex_detail::device_environment __omp_rtl_device_environment;
}

REX_DEVICE int omp_get_device_num() { return (int)__omp_rtl_device_environment.device_num; }
REX_DEVICE int omp_get_num_devices() {
  unsigned devices = __omp_rtl_device_environment.num_devices;
  return devices == 0 ? 1 : (int)devices;
}
// Seconds, rounded before another time is taken off: a compiler may join a multiplication with the difference, which is
// less than nothing then.
REX_DEVICE double omp_get_wtime() {
  unsigned long long nanoseconds;
  double seconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(seconds) : "d"((double)nanoseconds), "d"(1e-9));
  return seconds;
}
#else
REX_DEVICE int omp_get_device_num() { return rex_host::this_device.load(std::memory_order_relaxed); }
REX_DEVICE int omp_get_num_devices() { return rex_host::all_devices.load(std::memory_order_relaxed); }
REX_DEVICE double omp_get_wtime() { return rex_host::seconds(); }
#endif
REX_DEVICE double omp_get_wtick() { return 1e-9; }
REX_DEVICE int omp_is_initial_device() { return 0; }
REX_DEVICE int omp_get_initial_device() { return omp_get_num_devices(); }
REX_DEVICE int omp_get_default_device() { return 0; }
REX_DEVICE void omp_set_default_device(int) {}

// The league.
REX_DEVICE int omp_get_team_num() { return (int)blockIdx.x; }
REX_DEVICE int omp_get_num_teams() { return (int)gridDim.x; }
REX_DEVICE int omp_get_max_teams() { return 0; } // nteams-var as it is initially: the next league may have any size
REX_DEVICE int omp_get_teams_thread_limit() { return (int)blockDim.x; }
REX_DEVICE void omp_set_num_teams(int) {}
REX_DEVICE void omp_set_teams_thread_limit(int) {}

// Parallel regions. One at a time has more than one thread: a region inside of another gets one.
REX_DEVICE int omp_get_level() { return (int)rex_detail::my_state().level; }
REX_DEVICE int omp_get_active_level() { return rex_detail::my_state().team_at != 0; }
REX_DEVICE int omp_in_parallel() { return omp_get_active_level(); }
REX_DEVICE int omp_get_thread_num() { return rex_detail::thread_number_at(omp_get_level()); }
REX_DEVICE int omp_get_num_threads() { return rex_detail::threads_at(omp_get_level()); }

// In a function that only whole blocks execute unless device code of other files calls it, which is so in an image of its
// file alone (lowering/generic/block_uniform_functions.py): its team, by the names that it asks with.
#if defined(__CUDACC__) && !defined(REX_LINKED_UNITS)
#define REX_TEAM_OF_BLOCK                                                                                              \
  const auto omp_get_thread_num = [] { return (int)threadIdx.x; };                                                     \
  const auto omp_get_num_threads = [] { return (int)blockDim.x; };                                                     \
  const auto rex_barrier = [] { __syncthreads(); };
#else
#define REX_TEAM_OF_BLOCK
#endif
REX_DEVICE int omp_get_ancestor_thread_num(int level) {
  return level < 0 || level > omp_get_level() ? -1 : rex_detail::thread_number_at(level);
}
REX_DEVICE int omp_get_team_size(int level) {
  return level < 0 || level > omp_get_level() ? -1 : rex_detail::threads_at(level);
}
REX_DEVICE int omp_get_max_threads() { return omp_get_level() > 0 ? 1 : (int)blockDim.x; }
REX_DEVICE int omp_get_thread_limit() { return (int)blockDim.x; }
REX_DEVICE int omp_get_num_procs() { return (int)blockDim.x; }
REX_DEVICE int omp_get_max_active_levels() { return 1; }
REX_DEVICE int omp_get_supported_active_levels() { return 1; }
REX_DEVICE void omp_set_max_active_levels(int) {}
REX_DEVICE void omp_set_num_threads(int) {}
REX_DEVICE void omp_set_dynamic(int) {}
REX_DEVICE int omp_get_dynamic() { return 0; }
REX_DEVICE void omp_set_nested(int) {}
REX_DEVICE int omp_get_nested() { return 0; }
REX_DEVICE void omp_set_schedule(omp_sched_t, int) {}
REX_DEVICE void omp_get_schedule(omp_sched_t *kind, int *chunk_size) {
  *kind = omp_sched_static;
  *chunk_size = 0;
}
REX_DEVICE int omp_get_cancellation() { return 0; }

// Places: a device has none that a program could name.
REX_DEVICE omp_proc_bind_t omp_get_proc_bind() { return omp_proc_bind_false; }
REX_DEVICE int omp_get_num_places() { return 0; }
REX_DEVICE int omp_get_place_num() { return -1; }
REX_DEVICE int omp_get_place_num_procs(int) { return 0; }
REX_DEVICE void omp_get_place_proc_ids(int, int *) {}
REX_DEVICE int omp_get_partition_num_places() { return 0; }
REX_DEVICE void omp_get_partition_place_nums(int *) {}

// Tasks are run at once by the thread that meets them.
REX_DEVICE int omp_in_final() { return (int)rex_detail::my_state().in_final; }
REX_DEVICE int omp_in_explicit_task() { return 0; }
REX_DEVICE int omp_get_max_task_priority() { return 0; }
REX_DEVICE int omp_is_free_agent() { return 0; }
REX_DEVICE int omp_ancestor_is_free_agent(int) { return 0; }

#endif
