// SPDX-License-Identifier: Apache-2.0
#include "rex_heap_source.h"

#include <cstdlib>
#include <initializer_list>

#include <dlfcn.h>
#include <strings.h>

namespace rex_memory REX_HEAP_HIDDEN {
namespace {

enum Attribute { kManagedMemory = 83, kPageableMemoryAccess = 88, kConcurrentManagedAccess = 89 }; // CUdevice_attribute
constexpr unsigned kForAllDevices = 1;                                                             // CU_MEM_ATTACH_GLOBAL
constexpr unsigned kPortableAndMapped = 1 | 2;                                                     // CU_MEMHOSTALLOC_

struct Driver {
  void *library = nullptr;
  int (*attribute)(int *, int, int) = nullptr;
  int (*push)(void *) = nullptr;
  int (*pop)(void **) = nullptr;
  int (*managed)(uint64_t *, size_t, unsigned) = nullptr;
  int (*give_managed)(uint64_t) = nullptr;
  int (*pinned)(void **, size_t, unsigned) = nullptr;
  int (*give_pinned)(void *) = nullptr;
  void *context = nullptr;
  int devices = 0;
  rex_memory_kind kind = REX_MEMORY_PLAIN;

  template <class Function> bool find(const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(dlsym(library, name));
    return function != nullptr;
  }
};
Driver driver;

bool has(int device, Attribute which) {
  int value = 0;
  return driver.attribute(&value, which, device) == 0 && value != 0;
}

bool all_have(Attribute which) {
  for (int device = 0; device < driver.devices; device++)
    if (!has(device, which)) return false;
  return true;
}

// Whether there is a driver with a GPU, whose first context is then ours to allocate in.
bool start_driver() {
  int (*init)(unsigned) = nullptr, (*count)(int *) = nullptr, (*retain)(void **, int) = nullptr;
  driver.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL); // never closed
  if (driver.library == nullptr || !driver.find("cuInit", init) || !driver.find("cuDeviceGetCount", count)) return false;
  if (init(0) != 0 || count(&driver.devices) != 0 || driver.devices == 0) return false;
  bool all = driver.find("cuDeviceGetAttribute", driver.attribute) && driver.find("cuDevicePrimaryCtxRetain", retain);
  all = all && driver.find("cuCtxPushCurrent_v2", driver.push) && driver.find("cuCtxPopCurrent_v2", driver.pop);
  all = all && driver.find("cuMemAllocManaged", driver.managed) && driver.find("cuMemFree_v2", driver.give_managed);
  all = all && driver.find("cuMemHostAlloc", driver.pinned) && driver.find("cuMemFreeHost", driver.give_pinned);
  return all && retain(&driver.context, 0) == 0;
}

bool is_disabled() {
  const char *policy = getenv("OMP_TARGET_OFFLOAD");
  return policy != nullptr && strcasecmp(policy, "disabled") == 0;
}

// Null where memory of that kind is what the program needs.
const char *why_not(rex_memory_kind wanted) {
  if (wanted == REX_MEMORY_PINNED) return nullptr;
  if (!all_have(kManagedMemory)) return "the driver has no managed memory for all GPUs";
  if (!all_have(kConcurrentManagedAccess)) return "the host must not touch managed memory here while a kernel runs";
  return nullptr;
}

void *ask_driver(size_t size) {
  uint64_t address = 0;
  void *memory = nullptr;
  if (driver.kind == REX_MEMORY_PINNED) return driver.pinned(&memory, size, kPortableAndMapped) == 0 ? memory : nullptr;
  return driver.managed(&address, size, kForAllDevices) == 0 ? reinterpret_cast<void *>(address) : nullptr;
}

class InContext {
public:
  InContext() : entered(driver.push(driver.context) == 0) {}
  ~InContext() {
    void *left = nullptr;
    if (entered) driver.pop(&left);
  }
  InContext(const InContext &) = delete;
  const bool entered;
};

void give_to_driver(void *memory) {
  if (driver.kind == REX_MEMORY_PINNED) driver.give_pinned(memory);
  else driver.give_managed(reinterpret_cast<uint64_t>(memory));
}

} // namespace

const char *start_source(rex_memory_kind wanted, rex_memory_kind *found) {
  *found = REX_MEMORY_PLAIN;
  if (is_disabled() || !start_driver()) return nullptr;
  if (wanted == REX_MEMORY_MANAGED && all_have(kPageableMemoryAccess)) return nullptr;
  if (const char *reason = why_not(wanted)) return reason;
  driver.kind = *found = wanted;
  return nullptr;
}

// Drivers mostly align memory of this size to a granule.
Taken take_from_source(size_t size, size_t alignment) {
  KeepErrno kept;
  InContext context;
  if (!context.entered) return {nullptr, nullptr};
  for (size_t more : {size_t(0), alignment}) {
    if (size > SIZE_MAX / 2 - more) break;
    void *raw = ask_driver(size + more);
    if (raw == nullptr) break;
    uintptr_t begin = (reinterpret_cast<uintptr_t>(raw) + alignment - 1) / alignment * alignment;
    if (begin - reinterpret_cast<uintptr_t>(raw) <= more) return {reinterpret_cast<char *>(begin), raw};
    give_to_driver(raw);
  }
  return {nullptr, nullptr};
}

void give_to_source(void *raw) {
  KeepErrno kept;
  InContext context;
  if (context.entered) give_to_driver(raw);
}

} // namespace rex_memory
