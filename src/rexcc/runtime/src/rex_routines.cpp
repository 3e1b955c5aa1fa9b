// SPDX-License-Identifier: Apache-2.0
//
// OpenMP's device routines, for the code of this link unit that calls them itself: libomptarget's, once the link unit is
// registered, which may be long after the program has begun (rex_background.h).
#include "rex_internal.h"
#include "rex_messages.h"
#include "rex_registration.h"
#include "rex_shared_memory.h"
#include "rex_spread.h"

#include <cstdlib>
#include <string>

#include <dlfcn.h>

namespace __rex REX_HIDDEN {
namespace {

template <class Function> Function *routine_of_libomptarget(const char *name) {
  if (void *found = dlsym(RTLD_NEXT, name)) return reinterpret_cast<Function *>(found);
  say(std::string("this program calls ") + name + "(), which its libomptarget does not have");
  abort();
}

} // namespace
} // namespace __rex

#define REX_ROUTINE(result, name, parameters, arguments)                                                               \
  extern "C" REX_HIDDEN __attribute__((__weak__)) result name parameters {                                             \
    static auto *const theirs = __rex::routine_of_libomptarget<result parameters>(#name);                              \
    __rex::ensure_registered();                                                                                        \
    return __rex::SharedMemory::apart([&] { return theirs arguments; });                                               \
  }

#define REX_ROUTINE_FOR(device, result, name, parameters, arguments)                                                   \
  extern "C" REX_HIDDEN __attribute__((__weak__)) result name parameters {                                             \
    static auto *const theirs = __rex::routine_of_libomptarget<result parameters>(#name);                              \
    __rex::ensure_registered();                                                                                        \
    __rex::check_named_device(#name, device);                                                                          \
    return __rex::SharedMemory::apart([&] { return theirs arguments; });                                               \
  }

REX_ROUTINE(int, omp_get_num_devices, (void), ())
REX_ROUTINE(int, omp_get_initial_device, (void), ())
REX_ROUTINE(int, omp_get_default_device, (void), ())
REX_ROUTINE(int, omp_get_device_num, (void), ())
REX_ROUTINE(void, omp_target_free, (void *storage, int device), (storage, device))
REX_ROUTINE_FOR(device, int, omp_target_is_present, (const void *pointer, int device), (pointer, device))
REX_ROUTINE_FOR(device, void *, omp_get_mapped_ptr, (const void *pointer, int device), (pointer, device))
REX_ROUTINE_FOR(device, int, omp_target_associate_ptr,
            (const void *host, const void *storage, size_t size, size_t offset, int device),
            (host, storage, size, offset, device))
REX_ROUTINE(int, omp_target_disassociate_ptr, (const void *host, int device), (host, device))

REX_ROUTINE_FOR(to_device, int, omp_target_memcpy,
            (void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
             int from_device),
            (to, from, size, to_offset, from_offset, to_device, from_device))
REX_ROUTINE(int, omp_target_memcpy_async,
            (void *to, const void *from, size_t size, size_t to_offset, size_t from_offset, int to_device,
             int from_device, int depend_count, void *depends),
            (to, from, size, to_offset, from_offset, to_device, from_device, depend_count, depends))
REX_ROUTINE(int, omp_target_memcpy_rect,
            (void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
             const size_t *from_offsets, const size_t *to_extents, const size_t *from_extents, int to_device,
             int from_device),
            (to, from, element, dimensions, volume, to_offsets, from_offsets, to_extents, from_extents, to_device,
             from_device))
REX_ROUTINE(int, omp_target_memcpy_rect_async,
            (void *to, const void *from, size_t element, int dimensions, const size_t *volume, const size_t *to_offsets,
             const size_t *from_offsets, const size_t *to_extents, const size_t *from_extents, int to_device,
             int from_device, int depend_count, void *depends),
            (to, from, element, dimensions, volume, to_offsets, from_offsets, to_extents, from_extents, to_device,
             from_device, depend_count, depends))
REX_ROUTINE_FOR(device, void *, omp_target_memset, (void *storage, int value, size_t count, int device),
            (storage, value, count, device))
REX_ROUTINE(void *, omp_target_memset_async,
            (void *storage, int value, size_t count, int device, int depend_count, void *depends),
            (storage, value, count, device, depend_count, depends))

REX_ROUTINE_FOR(device, void *, llvm_omp_target_alloc_device, (size_t size, int device), (size, device))
REX_ROUTINE(void *, llvm_omp_target_alloc_host, (size_t size, int device), (size, device))
REX_ROUTINE_FOR(device, void *, llvm_omp_target_alloc_shared, (size_t size, int device), (size, device))
REX_ROUTINE(void, llvm_omp_target_free_device, (void *storage, int device), (storage, device))
REX_ROUTINE(void, llvm_omp_target_free_host, (void *storage, int device), (storage, device))
REX_ROUTINE(void, llvm_omp_target_free_shared, (void *storage, int device), (storage, device))

// The host may use what it gives where memory is shared.
extern "C" REX_HIDDEN __attribute__((__weak__)) void *omp_target_alloc(size_t size, int device) {
  using Routine = void *(size_t, int);
  static auto *const theirs = __rex::routine_of_libomptarget<Routine>("omp_target_alloc");
  __rex::ensure_registered();
  __rex::check_named_device("omp_target_alloc", device);
  bool is_shared = __rex::SharedMemory::of_link_unit() != nullptr && device != omp_get_initial_device();
  return is_shared ? llvm_omp_target_alloc_shared(size, device) : theirs(size, device);
}

// libomp looks these two up by name, for allocators with the trait 'pinned', and asks for the default device.
// libomptarget ends the program where there is no such device; memory that no device copies from needs no lock.
#define REX_FOUND_BY_NAME __attribute__((__weak__, __visibility__("default")))

extern "C" REX_FOUND_BY_NAME void *llvm_omp_target_lock_mem(void *storage, size_t size, int device) {
  using Lock = void *(void *, size_t, int);
  static auto *const theirs = reinterpret_cast<Lock *>(dlsym(RTLD_NEXT, "llvm_omp_target_lock_mem"));
  return theirs != nullptr && device < omp_get_num_devices() ? theirs(storage, size, device) : storage;
}

extern "C" REX_FOUND_BY_NAME void llvm_omp_target_unlock_mem(void *storage, int device) {
  using Unlock = void(void *, int);
  static auto *const theirs = reinterpret_cast<Unlock *>(dlsym(RTLD_NEXT, "llvm_omp_target_unlock_mem"));
  if (theirs != nullptr && device < omp_get_num_devices()) theirs(storage, device);
}

// libomptarget has this one from version 21 on. Before, only what is always or never true can be said: the CPU device reads
// host memory, a GPU does where it is shared.
extern "C" REX_HIDDEN __attribute__((__weak__)) int omp_target_is_accessible(const void *pointer, size_t size,
                                                                             int device) {
  using Question = int(const void *, size_t, int);
  __rex::ensure_registered();
  const __rex::SharedMemory *memory = __rex::SharedMemory::of_link_unit();
  if (memory != nullptr && device >= 0 && device < omp_get_num_devices()) {
    memory->share_thread();
    return memory->reads(pointer);
  }
  if (auto *theirs = reinterpret_cast<Question *>(dlsym(RTLD_NEXT, "omp_target_is_accessible")))
    return theirs(pointer, size, device);
  if (pointer == nullptr || device < 0 || device > omp_get_num_devices()) return 0;
  if (device == omp_get_initial_device() || rex_offload.kind != REX_ON_GPU) return 1;
  return __rex::Registration::of_link_unit().shares_memory;
}
