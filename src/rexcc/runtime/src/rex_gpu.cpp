// SPDX-License-Identifier: Apache-2.0
#include "rex_gpu.h"

#include "rex_cuda.h"

#include <dlfcn.h>

namespace __rex REX_HIDDEN {
namespace {

enum DriverError { kNoDevice = 100, kStubDriver = 34, kNotFound = 500 };                                  // CUresult
enum Attribute { // CUdevice_attribute
  kMultiprocessors = 16,
  kThreadsOfUnit = 39,
  kComputeMajor = 75,
  kComputeMinor = 76,
  kSharedOfUnit = 81,
  kRegistersOfUnit = 82,
  kPageableMemoryAccess = 88,
};

} // namespace

Gpu::~Gpu() {
  for (int device = 0; device < retained; device++) release(device);
}

void Gpu::start() {
  if (has_driver) return;
  void *driver = dlopen(driver_library, RTLD_NOW | RTLD_GLOBAL); // never closed: libomptarget uses it too
  if (driver == nullptr) return;
  has_driver = true;
  find_call(driver, "cuInit", init);
  find_call(driver, "cuDeviceGetCount", get_count);
  find_call(driver, "cuDeviceGetAttribute", get_attribute);
  find_call(driver, "cuDeviceTotalMem_v2", total_memory);
  find_call(driver, "cuDevicePrimaryCtxSetFlags_v2", set_flags);
  find_call(driver, "cuDevicePrimaryCtxRetain", retain);
  find_call(driver, "cuDevicePrimaryCtxRelease_v2", release);
  find_call(driver, "cuCtxPushCurrent_v2", push);
  find_call(driver, "cuCtxPopCurrent_v2", pop);
  find_call(driver, "cuMemGetInfo_v2", memory_info);
  start_error = init != nullptr ? init(0) : kNotFound;
  if (start_error != 0 || get_count == nullptr || get_count(&device_count) != 0 || device_count == 0) return;
  arch = attribute(kComputeMajor) * 10 + attribute(kComputeMinor);
  multiprocessors = attribute(kMultiprocessors);
  unit = {attribute(kThreadsOfUnit), attribute(kRegistersOfUnit), attribute(kSharedOfUnit)};
  reads_host_memory = attribute(kPageableMemoryAccess) != 0;
  size_t bytes = 0;
  if (total_memory != nullptr && total_memory(&bytes, 0) == 0) memory = static_cast<int64_t>(bytes);
}

bool Gpu::driver_is_broken() const {
  return start_error != 0 && start_error != kNoDevice && start_error != kStubDriver;
}

// A launch takes about as long where the waiting host yields as where it spins, and more than twice as long where it
// sleeps (docs/decisions/032-direct-launches.md). libomptarget would choose sleeping, but it leaves the flags of a
// context that exists before it starts alone.
void Gpu::wait_by(Wait wait) {
  void *context = nullptr;
  if (set_flags == nullptr || retain == nullptr || release == nullptr) return;
  while (retained < device_count && set_flags(retained, static_cast<unsigned>(wait)) == 0 &&
         retain(&context, retained) == 0)
    retained++;
}

int64_t Gpu::free_memory(int device) const {
  void *context = nullptr;
  if (!retain || !release || !push || !pop || !memory_info || retain(&context, device) != 0) return -1;
  size_t free = 0, total = 0;
  bool known = push(context) == 0;
  if (known) {
    known = memory_info(&free, &total) == 0;
    pop(&context);
  }
  release(device);
  return known ? static_cast<int64_t>(free) : -1;
}

int Gpu::attribute(int which) const {
  int value = 0;
  return get_attribute != nullptr && get_attribute(&value, which, 0) == 0 ? value : 0;
}

} // namespace __rex
