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
#include <unordered_map>

namespace __rex REX_HIDDEN {

// One for a process: CUPTI's buffers name none.
class KernelRecords {
public:
  // Whether kernels are recorded from now on; not where CUPTI is missing, or serves another tool.
  static bool begin();

  // What this thread launches until pop() is the construct's; null where nothing is recorded.
  static void push(const __rex_ident *place) {
    if (calls.push != nullptr) calls.push(kOurs, reinterpret_cast<uintptr_t>(place));
  }
  static void pop() {
    uint64_t place;
    if (calls.pop != nullptr) calls.pop(kOurs, &place);
  }

  // Nanoseconds of each construct's kernels, of all that have ended. Before the driver ends: it has the last records.
  static std::map<const __rex_ident *, int64_t> finish();

private:
  static constexpr int kOurs = 3; // CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0

  struct Calls {
    int (*register_buffers)(void (*)(uint8_t **, size_t *, size_t *), void (*)(void *, uint32_t, uint8_t *, size_t, size_t)) =
        nullptr;
    int (*enable)(int) = nullptr;
    int (*next)(uint8_t *, size_t, uint8_t **) = nullptr;
    int (*flush)(uint32_t) = nullptr;
    int (*push)(int, uint64_t) = nullptr;
    int (*pop)(int, uint64_t *) = nullptr;
  };

  // Of launches of which one record has come, and the other not yet.
  struct Launch {
    uint64_t place = 0;
    int64_t nanoseconds = -1;
  };

  static void give_buffer(uint8_t **buffer, size_t *size, size_t *records);
  static void take_buffer(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid);
  static void add(const uint8_t *record);

  static Calls calls;
  static std::mutex *lock;
  static std::unordered_map<uint32_t, Launch> *open_launches;
  static std::map<const __rex_ident *, int64_t> *sums;
};

} // namespace __rex

#endif
