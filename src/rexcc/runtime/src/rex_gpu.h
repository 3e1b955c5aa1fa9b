// SPDX-License-Identifier: Apache-2.0
//
// The few questions register_cubin.cpp asks the NVIDIA driver, and the header fields of a cubin it looks at. The driver
// is loaded at run time: the same program starts on machines without one.
#ifndef REX_GPU_H
#define REX_GPU_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dlfcn.h>

namespace {

// How the host waits for the GPU; the values are the driver's.
enum class Wait { spin = 1, yield = 2, block = 4 };

class RexGpu {
public:
  RexGpu() = default;
  RexGpu(const RexGpu &) = delete;
  ~RexGpu() {
    for (int device = 0; device < retained; device++) release(device);
  }

  // Loads and starts the driver, looks at device 0. Once.
  void start() {
    if (has_driver) return;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL); // never closed: libomptarget uses it too
    if (driver == nullptr) return;
    has_driver = true;
    load(driver, "cuInit", init);
    load(driver, "cuDeviceGetCount", get_count);
    load(driver, "cuDeviceGetAttribute", get_attribute);
    load(driver, "cuDevicePrimaryCtxSetFlags_v2", set_flags);
    load(driver, "cuDevicePrimaryCtxRetain", retain);
    load(driver, "cuDevicePrimaryCtxRelease_v2", release);
    load(driver, "cuCtxPushCurrent_v2", push);
    load(driver, "cuCtxPopCurrent_v2", pop);
    load(driver, "cuMemGetInfo_v2", memory_info);
    start_error = init != nullptr ? init(0) : kNotFound;
    if (start_error != 0 || get_count == nullptr || get_count(&device_count) != 0 || device_count == 0) return;
    arch = attribute(kComputeMajor) * 10 + attribute(kComputeMinor);
    multiprocessors = attribute(kMultiprocessors);
    reads_host_memory = attribute(kPageableMemoryAccess) != 0;
  }

  // A driver without a device is an ordinary machine; any other error is worth telling.
  bool driver_is_broken() const { return start_error != 0 && start_error != kNoDevice && start_error != kStubDriver; }

  // A cubin runs on its own major architecture, from its own minor version on.
  bool runs(int cubin_arch) const { return cubin_arch / 10 == arch / 10 && cubin_arch % 10 <= arch % 10; }

  // A launch takes about as long where the waiting host yields as where it spins, and more than twice as long where it
  // sleeps (docs/decisions/032-direct-launches.md). libomptarget would choose sleeping, but it leaves the flags of a
  // context that exists before it starts alone.
  void wait_by(Wait wait) {
    void *context = nullptr;
    if (set_flags == nullptr || retain == nullptr || release == nullptr) return;
    while (retained < device_count && set_flags(retained, static_cast<unsigned>(wait)) == 0 &&
           retain(&context, retained) == 0)
      retained++;
  }

  // Bytes that a device has free; negative when the driver does not say.
  int64_t free_memory(int device) const {
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

  bool has_driver = false;
  int start_error = 0; // of cuInit
  int device_count = 0;
  int arch = 0; // of device 0: 90 is sm_90
  int multiprocessors = 0;
  bool reads_host_memory = false; // any of it, as unified shared memory asks

private:
  enum { kNoDevice = 100, kStubDriver = 34, kNotFound = 500 };              // CUresult
  enum { kMultiprocessors = 16, kComputeMajor = 75, kComputeMinor = 76, kPageableMemoryAccess = 88 }; // CUdevice_attribute

  template <class Function> static void load(void *driver, const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(dlsym(driver, name));
  }

  int attribute(int which) const {
    int value = 0;
    return get_attribute != nullptr && get_attribute(&value, which, 0) == 0 ? value : 0;
  }

  int (*init)(unsigned) = nullptr;
  int (*get_count)(int *) = nullptr;
  int (*get_attribute)(int *, int, int) = nullptr;
  int (*set_flags)(int, unsigned) = nullptr;
  int (*retain)(void **, int) = nullptr;
  int (*release)(int) = nullptr;
  int (*push)(void *) = nullptr;
  int (*pop)(void **) = nullptr;
  int (*memory_info)(size_t *, size_t *) = nullptr;
  int retained = 0;
};

// The header of a cubin (ELF64, machine 190). CUDA 13 writes ABI version 8, with the architecture in another place.
class RexCubin {
public:
  RexCubin(const char *begin, const char *end) : bytes(begin), size(end - begin) {}

  bool valid() const { return size >= 64 && memcmp(bytes, "\177ELF", 4) == 0 && machine() == 190; }
  bool is_abi_8() const { return bytes[kAbiVersion] == 8; }
  int arch() const { return static_cast<int>(is_abi_8() ? flags() >> 8 & 0xff : flags() & 0xff); }

  // libomptarget up to 21 knows ABI version 7 only, and the driver loads code relabelled this way just as well.
  static void relabel_as_abi_7(char *copy, int arch) {
    uint32_t flags = static_cast<uint32_t>(arch) << 16 | 0x500 | static_cast<uint32_t>(arch);
    copy[kOsAbi] = 0x33;
    copy[kAbiVersion] = 7;
    memcpy(copy + kFlags, &flags, sizeof flags);
  }

private:
  enum { kOsAbi = 7, kAbiVersion = 8, kMachine = 18, kFlags = 48 };

  uint16_t machine() const {
    uint16_t value;
    memcpy(&value, bytes + kMachine, sizeof value);
    return value;
  }
  uint32_t flags() const {
    uint32_t value;
    memcpy(&value, bytes + kFlags, sizeof value);
    return value;
  }

  const char *bytes;
  long size;
};

} // namespace

#endif
