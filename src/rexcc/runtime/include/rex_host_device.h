// SPDX-License-Identifier: Apache-2.0
//
// CUDA's words for a host C++ compiler: a kernel file compiled with this header becomes a shared object whose kernels
// run on the CPU, started by libomptarget's host plugin. Teams run in parallel on the cores, the threads of a team one
// after another on one core (rex_host_teams.h). Compile the generated rex_host_*.cpp with
//
//   g++ -O3 -std=gnu++17 -shared -fPIC -pthread -Wl,-Bsymbolic -Wl,-z,nodelete -x c++ rex_host_foo.cpp -o foo.host.so
//
// -Bsymbolic: the image's functions and variables are its own, even where the program has some of the same name.
#ifndef REX_HOST_DEVICE_H
#define REX_HOST_DEVICE_H

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rex_device_warp.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
// (no __noinline__: the C++ library spells an attribute that way)

#if !defined(__clang__) && !defined(_Atomic)
#define _Atomic _Pragma("GCC error \"'_Atomic' in device code takes clang (--host-compiler=clang); or use '#pragma omp atomic'\"")
#endif

// A team runs on one OS thread from its first instruction to its last.
#define __shared__ thread_local

// What the launch asks for; the host plugin hands it over as the kernel's last argument.
struct rex_geometry {
  int32_t teams, threads, device = 0, devices = 1;
};

namespace rex_host {
struct index3 {
  unsigned x, y, z;
};
} // namespace rex_host

// What belongs to a team, not to a file: files whose device code is linked together have it in common.
#ifdef REX_LINKED_UNITS
#define REX_UNIT_STATE inline
#define REX_MERGED inline __attribute__((__used__)) // the runtime asks for it by name
#else
#define REX_UNIT_STATE static
#endif

REX_UNIT_STATE thread_local rex_host::index3 threadIdx = {0, 0, 0}, blockIdx = {0, 0, 0};
REX_UNIT_STATE thread_local rex_host::index3 blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
static const int warpSize = REX_WARP;

#include "rex_host_teams.h"

static inline void __syncthreads() { rex_host::barrier(); }
static inline void __syncwarp(rex_lanes lanes = rex_detail::all_lanes) { rex_host::barrier_of_warp(lanes); }
static inline void __nanosleep(unsigned) { rex_host::pause(); }
[[noreturn]] static inline void __trap() { abort(); }
[[noreturn]] static inline void rex_thrown(const char *what) {
  fprintf(stderr, "a library throws an exception, which ends a program on a device: %s\n", what);
  abort();
}
template <class T> [[noreturn]] static inline T rex_thrown_as(const char *what) { rex_thrown(what); }
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_block() { __threadfence(); }
static inline void __threadfence_system() { __threadfence(); }

template <class T> static inline T __ldg(const T *p) { return *p; }

// All atomics return the old value and are relaxed, as CUDA's are.
template <class T> static inline T atomicExch(T *x, T v) {
  T old;
  __atomic_exchange(x, &v, &old, __ATOMIC_RELAXED);
  return old;
}
template <class T> static inline T atomicCAS(T *x, T expected, T desired) {
  __atomic_compare_exchange(x, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
#define REX_HOST_ATOMIC(name, next)                                                                                    \
  template <class T> static inline T name(T *x, T v) {                                                                 \
    T old, desired;                                                                                                    \
    __atomic_load(x, &old, __ATOMIC_RELAXED);                                                                          \
    do desired = (T)(next);                                                                                            \
    while (!__atomic_compare_exchange(x, &old, &desired, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));                   \
    return old;                                                                                                        \
  }
REX_HOST_ATOMIC(atomicAdd, old + v)
REX_HOST_ATOMIC(atomicSub, old - v)
REX_HOST_ATOMIC(atomicMin, v < old ? v : old)
REX_HOST_ATOMIC(atomicMax, v > old ? v : old)
REX_HOST_ATOMIC(atomicAnd, old & v)
REX_HOST_ATOMIC(atomicOr, old | v)
REX_HOST_ATOMIC(atomicXor, old ^ v)
#undef REX_HOST_ATOMIC

// The host plugin writes the image into a file /tmp/tmpfile_*, loads it from there, and (LLVM 19) leaves it behind, one
// for every run. The loaded image needs its file no more; what reports its lines does (REX_KEEPS_IMAGE): then it goes when
// the program ends.
namespace rex_host __attribute__((visibility("hidden"))) {
static inline void remove_image() {
  Dl_info image;
  if (dladdr(reinterpret_cast<void *>(remove_image), &image) == 0) return;
  const char *slash = strrchr(image.dli_fname, '/');
  if (slash != nullptr && strncmp(slash, "/tmpfile_", 9) == 0) remove(image.dli_fname);
}
} // namespace rex_host

#ifdef REX_CHECK
__attribute__((constructor)) static void rex_keep_image() {
  Dl_info image;
  if (dladdr(reinterpret_cast<void *>(rex_host::remove_image), &image) != 0) rex_check_image(image.dli_fname);
}
#elif defined REX_KEEPS_IMAGE
// Sanitizers end a program with an error by themselves, and look for leaks when it has ended; both have the image's lines.
extern "C" void __sanitizer_set_death_callback(void (*)(void)) __attribute__((__weak__));
extern "C" void __lsan_do_leak_check(void) __attribute__((__weak__));
__attribute__((constructor)) static void rex_keep_image() {
  if (&__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(rex_host::remove_image);
}
__attribute__((destructor)) static void rex_leave_image() {
  if (&__lsan_do_leak_check != nullptr) __lsan_do_leak_check();
  rex_host::remove_image();
}
#else
__attribute__((constructor)) static void rex_remove_temporary_file() { rex_host::remove_image(); }
#endif

#endif
