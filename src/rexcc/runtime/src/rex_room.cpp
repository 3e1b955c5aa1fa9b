// SPDX-License-Identifier: Apache-2.0
#include "rex_room.h"

#include <algorithm>

namespace __rex REX_HIDDEN {

rex_kernel room_of(const Gpu &gpu, const Cubin::Needs &needs) {
  constexpr int unit = 256, parts = 4;     // a warp's registers come by so many, each in one of these parts
  constexpr uint64_t reserved = 1024;      // bytes of each block's shared memory that are the driver's
  const Gpu::Unit &has = gpu.unit;
  if (has.threads == 0 || has.registers == 0 || needs.registers == 0) return {0, 0};
  const int each = (needs.registers * REX_WARP + unit - 1) / unit * unit;
  const int warps = std::min(has.threads / REX_WARP, has.registers / parts / each * parts);
  const uint64_t blocks = static_cast<uint64_t>(has.shared) / (needs.shared + reserved);
  const auto most = [](auto number) { return static_cast<unsigned char>(std::min<uint64_t>(number, 255)); };
  return {most(static_cast<uint64_t>(std::max(warps, 1))), most(std::max<uint64_t>(blocks, 1))};
}

int threads_with_room(const rex_kernel &kernel, int asked) {
  return kernel.warps == 0 ? asked : std::min(asked, kernel.warps * REX_WARP);
}

void tell_room(const Gpu &gpu, const Modules &modules, const std::vector<rex_offload_image> &images,
               const std::string &cubin) {
  const auto used = std::find_if(images.begin(), images.end(), [&](auto &image) { return gpu.runs(image.arch); });
  if (cubin.empty() && used == images.end()) return;
  const Cubin image = cubin.empty() ? Cubin(used->begin, used->end) : Cubin(cubin.data(), cubin.data() + cubin.size());
  const auto needs = image.needs();
  for (const rex_offload_module *module : modules)
    for (int32_t i = 0; i < module->entry_count; i++) {
      const __tgt_offload_entry &entry = module->entries[i];
      if (entry.size != 0 || entry.flags != 0 || entry.data != REX_ENTRY_HAS_ROOM) continue; // no such kernel
      const auto found = needs.find(entry.symbol);
      if (found != needs.end()) *static_cast<rex_kernel *>(entry.address) = room_of(gpu, found->second);
    }
}

} // namespace __rex
