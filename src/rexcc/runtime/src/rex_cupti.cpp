// SPDX-License-Identifier: Apache-2.0
#include "rex_cupti.h"

#include "rex_cuda.h"
#include "rex_settings.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>

namespace __rex REX_HIDDEN {

KernelRecords::Calls KernelRecords::calls;
std::mutex *KernelRecords::lock;
std::unordered_map<uint32_t, KernelRecords::Launch> *KernelRecords::open_launches;
std::map<const __rex_ident *, int64_t> *KernelRecords::sums;

namespace {

enum Kind { kKernel = 10, kExternalCorrelation = 39 }; // CUpti_ActivityKind
constexpr size_t buffer_size = size_t{1} << 20;

// CUpti_ActivityKernel4 and later, CUpti_ActivityExternalCorrelation.
enum Offset { kKernelStart = 16, kKernelEnd = 24, kLaunchOfKernel = 92, kExternalKind = 4, kExternal = 8, kLaunchOfExternal = 16 };

template <class Value> Value value_at(const uint8_t *record, size_t offset) {
  Value value;
  memcpy(&value, record + offset, sizeof value);
  return value;
}

void *library() {
  for (const char *name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
    if (void *found = dlopen(name, RTLD_NOW)) return found;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", ""}) {
    const char *folder = *variable != '\0' ? setting(variable) : "/usr/local/cuda";
    for (const char *below : {"/lib64", "/extras/CUPTI/lib64", "/targets/x86_64-linux/lib"})
      if (void *found = folder != nullptr ? dlopen((folder + std::string(below) + "/libcupti.so").c_str(), RTLD_NOW) : nullptr)
        return found;
  }
  return nullptr;
}

} // namespace

bool KernelRecords::begin() {
  if (calls.push != nullptr) return true;
  void *cupti = library();
  Calls found;
  bool all = cupti != nullptr && find_call(cupti, "cuptiActivityRegisterCallbacks", found.register_buffers) &&
             find_call(cupti, "cuptiActivityEnable", found.enable) &&
             find_call(cupti, "cuptiActivityGetNextRecord", found.next) &&
             find_call(cupti, "cuptiActivityFlushAll", found.flush) &&
             find_call(cupti, "cuptiActivityPushExternalCorrelationId", found.push) &&
             find_call(cupti, "cuptiActivityPopExternalCorrelationId", found.pop);
  if (!all) return false;
  lock = new std::mutex; // records may come while the process ends
  open_launches = new std::unordered_map<uint32_t, Launch>;
  sums = new std::map<const __rex_ident *, int64_t>;
  calls.next = found.next;
  if (found.register_buffers(give_buffer, take_buffer) != 0) return false;
  if (found.enable(kExternalCorrelation) != 0 || found.enable(kKernel) != 0) return false;
  calls = found;
  return true;
}

void KernelRecords::give_buffer(uint8_t **buffer, size_t *size, size_t *records) {
  *buffer = static_cast<uint8_t *>(aligned_alloc(64, buffer_size));
  *size = *buffer != nullptr ? buffer_size : 0;
  *records = 0; // as many as there is room for
}

void KernelRecords::take_buffer(void *, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  std::lock_guard<std::mutex> guard(*lock);
  uint8_t *record = nullptr;
  while (valid > 0 && calls.next(buffer, valid, &record) == 0) add(record);
  free(buffer);
}

void KernelRecords::add(const uint8_t *record) {
  auto kind = value_at<uint32_t>(record, 0);
  uint32_t number = 0;
  if (kind == kKernel) {
    number = value_at<uint32_t>(record, kLaunchOfKernel);
    (*open_launches)[number].nanoseconds = value_at<int64_t>(record, kKernelEnd) - value_at<int64_t>(record, kKernelStart);
  } else if (kind == kExternalCorrelation && value_at<int32_t>(record, kExternalKind) == kOurs) {
    number = value_at<uint32_t>(record, kLaunchOfExternal);
    (*open_launches)[number].place = value_at<uint64_t>(record, kExternal);
  } else {
    return;
  }
  constexpr size_t many = 1 << 18;
  if (open_launches->size() > many) open_launches->clear(); // of calls of the driver's that launch nothing
  const Launch &launch = (*open_launches)[number];
  if (launch.place == 0 || launch.nanoseconds < 0) return;
  (*sums)[reinterpret_cast<const __rex_ident *>(launch.place)] += launch.nanoseconds;
  open_launches->erase(number);
}

std::map<const __rex_ident *, int64_t> KernelRecords::finish() {
  if (calls.flush == nullptr) return {};
  constexpr uint32_t forced = 1;
  calls.flush(forced);
  std::lock_guard<std::mutex> guard(*lock);
  return *sums;
}

} // namespace __rex
