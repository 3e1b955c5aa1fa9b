// SPDX-License-Identifier: Apache-2.0
#include "rex_kept_memory.h"

#include "rex_settings.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace __rex REX_HIDDEN {

int64_t largest_kept(int64_t memory_of_device, const Rank &rank, int devices) {
  constexpr int64_t most = INT64_C(16) << 20, different = 2048;
  return shares_device(rank, devices) ? 0 : std::min(most, memory_of_device / different);
}

void keep_memory(const Gpu &gpu) {
  const char *threshold = "LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD";
  int64_t largest = largest_kept(gpu.memory, rank_of_node(), gpu.device_count);
  if (getenv(threshold) == nullptr && largest > 0) set_variable(threshold, std::to_string(largest));
}

} // namespace __rex
