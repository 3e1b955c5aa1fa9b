// SPDX-License-Identifier: Apache-2.0
#include "rex_copy_driver.h"

#include "rex_cuda.h"

namespace __rex REX_HIDDEN {

CopyDriver::CopyDriver() {
  void *driver = running_driver();
  if (driver == nullptr) return;
  bool all = find_call(driver, "cuCtxPushCurrent_v2", push) && find_call(driver, "cuCtxPopCurrent_v2", pop);
  all &= find_call(driver, "cuPointerGetAttributes", attributes);
  all &= find_call(driver, "cuMemHostAlloc", pin) && find_call(driver, "cuMemFreeHost", unpin);
  all &= find_call(driver, "cuStreamCreate", create_stream) && find_call(driver, "cuStreamDestroy_v2", destroy_stream);
  all &= find_call(driver, "cuStreamSynchronize", wait);
  all &= find_call(driver, "cuEventCreate", create_event) && find_call(driver, "cuEventDestroy_v2", destroy_event);
  all &= find_call(driver, "cuEventRecord", record) && find_call(driver, "cuEventSynchronize", wait_for);
  all &= find_call(driver, "cuMemcpyHtoDAsync_v2", up) && find_call(driver, "cuMemcpyDtoHAsync_v2", down);
  all &= find_call(driver, "cuMemcpyDtoDAsync_v2", across);
  all &= find_call(driver, "cuMemAlloc_v2", allocate) && find_call(driver, "cuMemFree_v2", free);
  complete = all && find_call(driver, "cuMemGetInfo_v2", memory_info);
}

void *CopyDriver::context_of(uint64_t address) const {
  void *context = nullptr;
  return get_pointer_attribute(attributes, kPointerContext, address, context) ? context : nullptr;
}

bool CopyDriver::knows(const void *host) const {
  unsigned type = 0;
  return get_pointer_attribute(attributes, kPointerMemoryType, reinterpret_cast<uintptr_t>(host), type) && type != 0;
}

} // namespace __rex
