// SPDX-License-Identifier: Apache-2.0
//
// The few questions that registration asks the NVIDIA driver.
#ifndef REX_GPU_H
#define REX_GPU_H

#include "rex_internal.h"
#include "rex_settings.h"

namespace __rex REX_HIDDEN {

class Gpu {
public:
  Gpu() = default;
  Gpu(const Gpu &) = delete;
  ~Gpu();

  // Loads and starts the driver, looks at device 0. Once.
  void start();

  // A driver without a device is an ordinary machine; any other error is worth telling.
  bool driver_is_broken() const;

  // A cubin runs on its own major architecture, from its own minor version on.
  bool runs(int cubin_arch) const { return cubin_arch / 10 == arch / 10 && cubin_arch % 10 <= arch % 10; }

  // Has the host wait in that way.
  void wait_by(Wait wait);

  // Bytes that a device has free; negative when the driver does not say.
  int64_t free_memory(int device) const;

  bool has_driver = false;
  int start_error = 0; // of cuInit
  int device_count = 0;
  int arch = 0; // of device 0: 90 is sm_90
  int multiprocessors = 0;
  struct Unit {
    int threads = 0, registers = 0, shared = 0; // bytes of shared memory
  } unit;                                       // what a multiprocessor has room for; zeros where the driver does not say
  int64_t memory = 0;             // bytes of device 0
  bool reads_host_memory = false; // any of it, as unified shared memory asks

private:
  int attribute(int which) const;

  int (*init)(unsigned) = nullptr;
  int (*get_count)(int *) = nullptr;
  int (*get_attribute)(int *, int, int) = nullptr;
  int (*total_memory)(size_t *, int) = nullptr;
  int (*set_flags)(int, unsigned) = nullptr;
  int (*retain)(void **, int) = nullptr;
  int (*release)(int) = nullptr;
  int (*push)(void *) = nullptr;
  int (*pop)(void **) = nullptr;
  int (*memory_info)(size_t *, size_t *) = nullptr;
  int retained = 0;
};

} // namespace __rex

#endif
