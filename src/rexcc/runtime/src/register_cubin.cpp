// SPDX-License-Identifier: Apache-2.0
//
// The runtime of a program lowered by rexcc as one translation unit: registers the program's device images with LLVM's
// libomptarget and makes its launches safe. Compile once, link into every executable and every shared library that is
// made of generated files:
//
//   g++ -O2 -fPIC -c register_cubin.cpp -I <folder of rex_kmp.h>
//
// Every generated file leaves one rex_offload_module in the section rex_offload_modules. When the program is loaded (or
// at the latest in the first runtime call) registration decides where the regions run: on a GPU, on the CPU device, or on
// the host itself. It gives the fitting images to libomptarget once. From then on the runtime forwards what the program
// asks of libomptarget, but for what it does itself: launches of present data (rex_direct.h, rex_batches.h) and large
// copies (rex_staging.h).
//
// Nothing is unregistered at exit: the process ends anyway, the user would wait for it, and his own destructors may
// still launch. rex_offload_fini() does it on request.
//
// Environment: OMP_TARGET_OFFLOAD (disabled, mandatory); REX_INFO=1 one line per launch; REX_CUBIN=file a cubin to use
// instead of the embedded ones; REX_WAIT=spin|yield|block how the host waits for the GPU; REX_INIT=eager|overlap when the
// GPU is started; REX_HOST_CORES=n the cores of the CPU device; REX_COPY_THREADS=n the threads that carry large copies;
// REX_SPREAD_RANKS=0|1 whether ranks of a node get different devices; REX_SYNCHRONOUS=1 wait for every kernel and leave
// launches to libomptarget; REX_PROFILE what each construct took (rex_profile_wishes.h); REX_WATCHDOG=seconds how long a call may
// take.
//
// Each unit below compiles on its own and has a header with its interface; the calls of generated code are declared in
// rex_runtime.h. The groups are layers: a unit includes headers of its own layer and of those before it, without cycles.

// machine: the user's settings and words, ranks of the node, threads, the NVIDIA driver, cubins.
#include "rex_cubin.cpp"
#include "rex_deferral.cpp"
#include "rex_gpu.cpp"
#include "rex_messages.cpp"
#include "rex_profile_wishes.cpp"
#include "rex_ranks.cpp"
#include "rex_settings.cpp"
#include "rex_threads.cpp"

// program: the modules of this link unit, the link units and the ranks beside it, and where they run.
#include "rex_background.cpp"
#include "rex_decide.cpp"
#include "rex_images.cpp"
#include "rex_kept_memory.cpp"
#include "rex_modules.cpp"
#include "rex_relocations.cpp"
#include "rex_room.cpp"
#include "rex_shared_memory.cpp"
#include "rex_spread.cpp"
#include "rex_units.cpp"

// calls: what libomptarget is asked for, by how many threads, why it could not do it, and how long it took.
#include "rex_call.cpp"
#include "rex_calls_inside.cpp"
#include "rex_cupti.cpp"
#include "rex_explain.cpp"
#include "rex_gate.cpp"
#include "rex_gpu_failure.cpp"
#include "rex_host_pointers.cpp"
#include "rex_nvtx.cpp"
#include "rex_profile.cpp"
#include "rex_profile_rows.cpp"
#include "rex_profile_tool.cpp"
#include "rex_profile_trace.cpp"
#include "rex_watchdog.cpp"

// rows: what some of a call's rows need besides.
#include "rex_absent_objects.cpp"
#include "rex_always.cpp"
#include "rex_attached_rows.cpp"
#include "rex_globals.cpp"
#include "rex_lookups.cpp"
#include "rex_objects.cpp"
#include "rex_partials.cpp"
#include "rex_seen_whole.cpp"
#include "rex_shared_rows.cpp"

// copies: copies of large rows that are ours.
#include "rex_copy_driver.cpp"
#include "rex_copy_ring.cpp"
#include "rex_rings.cpp"
#include "rex_staging.cpp"

// registration: the state of the link unit.
#include "rex_checks.cpp"
#include "rex_registration.cpp"

// launches: launches and updates that the driver gets from us, and tasks.
#include "rex_arguments.cpp"
#include "rex_batches.cpp"
#include "rex_direct.cpp"
#include "rex_kernel_clock.cpp"
#include "rex_ordered_tasks.cpp"
#include "rex_queue.cpp"
#include "rex_small_rows.cpp"
#include "rex_streams.cpp"
#include "rex_tasks.cpp"
#include "rex_updates.cpp"

// interface: what generated code and OpenMP's routines call.
#include "rex_allocators.cpp"
#include "rex_captures.cpp"
#include "rex_data.cpp"
#include "rex_launch.cpp"
#include "rex_routines.cpp"
#include "rex_start.cpp"
#include "rex_target_tasks.cpp"
#include "rex_thread_limit.cpp"
