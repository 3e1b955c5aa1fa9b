// SPDX-License-Identifier: Apache-2.0
//
// How long kernels took by the GPU's own clock, for a profile: CUPTI's records, where the CUDA toolkit's library is found. It
// is found at run time, and its records are read by where their fields are, which versions of CUDA have in common
// (docs/decisions/068-tools-and-hard-days.md).
#ifndef REX_CUPTI_H
#define REX_CUPTI_H

#include "rex_internal.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace __rex REX_HIDDEN {

// One for a process: CUPTI's buffers name none.
class KernelRecords {
public:
  // Whether kernels are recorded from now on; not where CUPTI is missing, or serves another tool.
  static bool begin();

  // Nanoseconds of all kernels that have ended, by their names. Before the driver ends: it has the last records.
  static std::map<std::string, int64_t> finish();

private:
  struct Calls {
    int (*register_buffers)(void (*)(uint8_t **, size_t *, size_t *), void (*)(void *, uint32_t, uint8_t *, size_t, size_t)) =
        nullptr;
    int (*enable)(int) = nullptr;
    int (*next)(uint8_t *, size_t, uint8_t **) = nullptr;
    int (*flush)(uint32_t) = nullptr;
  };

  struct Sums {
    std::map<std::string, int64_t> by_name;
  };

  static void give_buffer(uint8_t **buffer, size_t *size, size_t *records);
  static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
  static void add(const uint8_t *record);

  static Calls calls;
  static std::mutex *lock;
  static Sums *sums;
};

} // namespace __rex

#endif
