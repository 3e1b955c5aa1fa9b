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
KernelRecords::Sums *KernelRecords::sums;

namespace {

constexpr int kernel_kind = 10; // CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
constexpr size_t buffer_size = size_t{1} << 20;

// CUpti_ActivityKernel4 and later.
enum Offset { kKernelStart = 16, kKernelEnd = 24, kKernelName = 104 };

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
  if (calls.flush != nullptr) return true;
  void *cupti = library();
  Calls found;
  bool all = cupti != nullptr && find_call(cupti, "cuptiActivityRegisterCallbacks", found.register_buffers) &&
             find_call(cupti, "cuptiActivityEnable", found.enable) &&
             find_call(cupti, "cuptiActivityGetNextRecord", found.next) &&
             find_call(cupti, "cuptiActivityFlushAll", found.flush);
  if (!all) return false;
  lock = new std::mutex; // records may come while the process ends
  sums = new Sums;
  calls.next = found.next;
  if (found.register_buffers(give_buffer, take_buffer) != 0 || found.enable(kernel_kind) != 0) return false;
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
  if (value_at<int32_t>(record, 0) != kernel_kind) return;
  auto *name = value_at<const char *>(record, kKernelName);
  if (name != nullptr) sums->by_name[name] += value_at<int64_t>(record, kKernelEnd) - value_at<int64_t>(record, kKernelStart);
}

std::map<std::string, int64_t> KernelRecords::finish() {
  if (calls.flush == nullptr) return {};
  constexpr uint32_t forced = 1;
  calls.flush(forced);
  std::lock_guard<std::mutex> guard(*lock);
  return sums->by_name;
}

} // namespace __rex
