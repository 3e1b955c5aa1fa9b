// SPDX-License-Identifier: Apache-2.0
#include "rex_decide.h"

#include "rex_cubin.h"
#include "rex_settings.h"
#include "rex_shared_memory.h"

#include <algorithm>

namespace __rex REX_HIDDEN {
namespace {

std::string why_heap_is_not_shared() {
  const rex_program_memory *memory = program_memory();
  if (memory == nullptr) return "the program was not linked with a heap that it can read (rexcc --memory=managed)";
  return memory->reason != nullptr ? memory->reason : "the program's heap is the C library's";
}

// Why the GPU cannot be used although there is one; empty when it can.
std::string misfit(const Gpu &gpu, const Modules &modules, const std::string &cubin) {
  std::string found = "the GPU is sm_" + std::to_string(gpu.arch) + " but ";
  if (!cubin.empty()) {
    int arch = Cubin(cubin.data(), cubin.data() + cubin.size()).arch();
    return gpu.runs(arch) ? "" : found + "the cubin that REX_CUBIN names was built for sm_" + std::to_string(arch);
  }
  for (const rex_offload_module *module : modules) {
    auto images = images_for(*module, REX_ON_GPU);
    if (!std::any_of(images.begin(), images.end(), [&](auto &image) { return gpu.runs(image.arch); }))
      return found + module->source + " was built for " + architectures(*module) +
             " (build it with --offload-arch=sm_" + std::to_string(gpu.arch) + ")";
    if (requires_shared_memory(*module) && !gpu.reads_host_memory && !is_heap_shared())
      return "the GPU cannot read the host's memory, as " + std::string(module->source) +
             " asks by 'requires unified_shared_memory', and " + why_heap_is_not_shared();
  }
  return "";
}

// Why there is no GPU to use; empty when that is nothing to speak of.
std::string no_gpu(const Gpu &gpu, const Modules &modules, bool for_gpu) {
  std::string reason = "no NVIDIA GPU was found", error = std::to_string(gpu.start_error);
  if (!gpu.has_driver) reason = "no NVIDIA driver (libcuda.so.1) was found";
  if (gpu.driver_is_broken()) reason = "the NVIDIA driver does not start (CUDA error " + error + ")";
  if (const rex_offload_module *module = first_without(modules, REX_ON_CPU_DEVICE))
    return for_gpu ? reason + " and " + module->source + " brings no CPU device image (--target=both)"
                   : module->source + std::string(" brings no device image");
  return for_gpu && gpu.driver_is_broken() ? reason : "";
}

std::string consequence(const Decision &decision) {
  if (decision.stop) return ", so the program stops, as OMP_TARGET_OFFLOAD=MANDATORY demands";
  return std::string(", so target regions run on the ") + (decision.kind == REX_ON_HOST ? "host" : "CPU device");
}

} // namespace

Decision decide(const Gpu &gpu, const Modules &modules, const std::string &cubin, OtherUnits others) {
  static const char *const kinds[] = {"host", "GPU", "CPU device"};
  bool for_gpu = wants_gpu(modules, cubin), has_gpu = for_gpu && gpu.device_count > 0;
  std::string reason = has_gpu ? misfit(gpu, modules, cubin) : no_gpu(gpu, modules, for_gpu);
  bool misfits = has_gpu && !reason.empty();
  Decision decision;
  if (has_gpu && !misfits) decision.kind = REX_ON_GPU;
  else if (first_without(modules, REX_ON_CPU_DEVICE) == nullptr) decision.kind = REX_ON_CPU_DEVICE;
  if (others.exist && others.kind != decision.kind && decision.kind != REX_ON_HOST) {
    if (!reason.empty()) reason += " and ";
    reason += std::string("another part of this program uses the ") + kinds[others.kind];
    decision.kind = REX_ON_HOST;
  }
  decision.stop = offload_policy_is("mandatory") && (misfits || decision.kind == REX_ON_HOST);
  if (!reason.empty()) decision.sentence = reason + consequence(decision);
  return decision;
}

Decision refused() {
  Decision decision;
  decision.stop = offload_policy_is("mandatory");
  decision.sentence = "libomptarget accepts none of this program's device images" + consequence(decision);
  return decision;
}

} // namespace __rex
