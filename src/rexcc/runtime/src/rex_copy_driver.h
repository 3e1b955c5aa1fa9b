// SPDX-License-Identifier: Apache-2.0
//
// The driver's calls that copy between host and GPU (rex_copy_ring.h). Part of register_cubin.cpp.
#ifndef REX_COPY_DRIVER_H
#define REX_COPY_DRIVER_H

#include <cstddef>
#include <cstdint>

#include <dlfcn.h>

namespace {

struct CopyDriver {
  // Of the driver that runs already; incomplete where there is none, or an old one.
  CopyDriver() {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (driver == nullptr) return;
    complete = load(driver, "cuCtxPushCurrent_v2", push) && load(driver, "cuCtxPopCurrent_v2", pop) &&
               load(driver, "cuPointerGetAttribute", attribute) && load(driver, "cuMemHostAlloc", pin) &&
               load(driver, "cuMemFreeHost", unpin) && load(driver, "cuStreamCreate", create_stream) &&
               load(driver, "cuStreamDestroy_v2", destroy_stream) && load(driver, "cuStreamSynchronize", wait) &&
               load(driver, "cuEventCreate", create_event) &&
               load(driver, "cuEventDestroy_v2", destroy_event) && load(driver, "cuEventRecord", record) &&
               load(driver, "cuEventSynchronize", wait_for) && load(driver, "cuMemcpyHtoDAsync_v2", up) && load(driver, "cuMemcpyDtoHAsync_v2", down) &&
               load(driver, "cuMemcpyDtoDAsync_v2", across) && load(driver, "cuMemAlloc_v2", allocate) &&
               load(driver, "cuMemFree_v2", free) && load(driver, "cuMemGetInfo_v2", memory_info);
  }

  // The context of an address in GPU memory; null for any other address.
  void *context_of(uint64_t address) const {
    constexpr int context_attribute = 1;
    void *context = nullptr;
    return attribute(&context, context_attribute, address) == 0 ? context : nullptr;
  }

  // Pinned and managed memory is known to the driver, which copies it as fast as the link goes.
  bool knows(const void *host) const {
    constexpr int memory_type = 2;
    unsigned type = 0;
    return attribute(&type, memory_type, reinterpret_cast<uintptr_t>(host)) == 0;
  }

  bool complete = false;
  int (*push)(void *context) = nullptr;
  int (*pop)(void **context) = nullptr;
  int (*attribute)(void *value, int which, uint64_t address) = nullptr;
  int (*pin)(void **memory, size_t size, unsigned flags) = nullptr;
  int (*unpin)(void *memory) = nullptr;
  int (*create_stream)(void **stream, unsigned flags) = nullptr;
  int (*destroy_stream)(void *stream) = nullptr;
  int (*wait)(void *stream) = nullptr;
  int (*create_event)(void **event, unsigned flags) = nullptr;
  int (*destroy_event)(void *event) = nullptr;
  int (*record)(void *event, void *stream) = nullptr;
  int (*wait_for)(void *event) = nullptr;
  int (*up)(uint64_t to, const void *from, size_t size, void *stream) = nullptr;
  int (*down)(void *to, uint64_t from, size_t size, void *stream) = nullptr;
  int (*across)(uint64_t to, uint64_t from, size_t size, void *stream) = nullptr;
  int (*allocate)(uint64_t *address, size_t size) = nullptr;
  int (*free)(uint64_t address) = nullptr;
  int (*memory_info)(size_t *free, size_t *total) = nullptr;

private:
  template <class Function> static bool load(void *driver, const char *name, Function *&function) {
    function = reinterpret_cast<Function *>(dlsym(driver, name));
    return function != nullptr;
  }
};

// Makes a context current while it lives.
class InContext {
public:
  InContext(const CopyDriver &given, void *context) : driver(given), entered(driver.push(context) == 0) {}
  ~InContext() {
    void *left = nullptr;
    if (entered) driver.pop(&left);
  }
  InContext(const InContext &) = delete;
  explicit operator bool() const { return entered; }

private:
  const CopyDriver &driver;
  bool entered;
};

} // namespace

#endif
