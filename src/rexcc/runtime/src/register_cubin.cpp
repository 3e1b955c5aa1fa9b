// SPDX-License-Identifier: Apache-2.0
//
// Registers the device images of a program lowered by rexcc with LLVM's libomptarget and makes its launches safe.
// Compile once, link into every executable and every shared library that is made of generated files:
//
//   g++ -O2 -fPIC -c register_cubin.cpp -I <folder of rex_kmp.h>
//
// Every generated file leaves one rex_offload_module in the section rex_offload_modules. When the program is loaded (or
// at the latest in the first runtime call) this file decides where the regions run: on a GPU, on the CPU device, or on
// the host itself. It gives the fitting images to libomptarget once. From then on it forwards what the program asks of
// libomptarget, but for what it does itself: launches of present data (rex_direct.h, rex_batches.h) and large copies
// (rex_staging.h).
//
// Nothing is unregistered at exit: the process ends anyway, the user would wait for it, and his own destructors may
// still launch. rex_offload_fini() does it on request.
//
// Environment: OMP_TARGET_OFFLOAD (disabled, mandatory); REX_INFO=1 one line per launch; REX_CUBIN=file a cubin to use
// instead of the embedded ones; REX_WAIT=spin|yield|block how the host waits for the GPU; REX_INIT=eager|overlap when the
// GPU is started; REX_HOST_CORES=n the cores of the CPU device; REX_COPY_THREADS=n the threads that carry large copies;
// REX_SYNCHRONOUS=1 wait for every kernel and leave launches to libomptarget.
#define REX_KMP_INTERNAL
#include "rex_kmp.h"

// The order is that of what happens: where regions run, the launches, everything else that is asked of libomptarget.
#include "rex_registration.h"

#include "rex_launch.h"

#include "rex_data.h"

#include "rex_routines.h"

#include "rex_thread_limit.h"
