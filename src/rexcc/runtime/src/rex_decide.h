// SPDX-License-Identifier: Apache-2.0
//
// Where the target regions of a link unit run: on the GPU, on the CPU device, or on the host itself. Part of
// register_cubin.cpp. The answer is one for all modules, for regions share mapped data, and for all link units, for
// they share libomptarget's devices. Whenever it is not the expected one, a sentence says so.
#ifndef REX_DECIDE_H
#define REX_DECIDE_H

#include "rex_gpu.h"
#include "rex_kmp.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <strings.h>

namespace {

using Modules = std::vector<const rex_offload_module *>;

struct Decision {
  rex_offload_kind kind = REX_ON_HOST;
  bool stop = false;
  std::string sentence; // for stderr; empty when everything is as expected
};

// Link units that have registered before this one.
struct OtherUnits {
  bool exist;
  rex_offload_kind kind;
};

void say(const std::string &sentence) { fprintf(stderr, "rex: %s\n", sentence.c_str()); }

// The text of an environment variable; null where it is not set, or set to nothing.
const char *setting(const char *variable) {
  const char *text = getenv(variable);
  return text != nullptr && *text != '\0' ? text : nullptr;
}

bool switched_on(const char *variable) {
  const char *text = setting(variable);
  return text != nullptr && strcmp(text, "0") != 0;
}

bool offload_policy_is(const char *policy) {
  const char *text = getenv("OMP_TARGET_OFFLOAD");
  return text != nullptr && strcasecmp(text, policy) == 0;
}

// The images of a module for one kind of device, best architecture first: libomptarget takes the first that fits.
std::vector<rex_offload_image> images_for(const rex_offload_module &module, rex_offload_kind kind) {
  std::vector<rex_offload_image> images;
  for (int64_t i = 0; i < module.image_count; i++)
    if ((module.images[i].arch == 0) == (kind == REX_ON_CPU_DEVICE)) images.push_back(module.images[i]);
  std::sort(images.begin(), images.end(), [](auto &a, auto &b) { return a.arch > b.arch; });
  return images;
}

// The first module without an image for that kind of device; null when all have one.
const rex_offload_module *first_without(const Modules &modules, rex_offload_kind kind) {
  for (const rex_offload_module *module : modules)
    if (images_for(*module, kind).empty()) return module;
  return nullptr;
}

// Was anything here built for a GPU? `cubin` holds the bytes of REX_CUBIN's file, if there is one.
bool wants_gpu(const Modules &modules, const std::string &cubin) {
  return !cubin.empty() || std::any_of(modules.begin(), modules.end(), [](auto *module) {
    return !images_for(*module, REX_ON_GPU).empty();
  });
}

std::string architectures(const rex_offload_module &module) {
  std::string list;
  for (const rex_offload_image &image : images_for(module, REX_ON_GPU))
    list += (list.empty() ? "sm_" : ", sm_") + std::to_string(image.arch);
  return list.empty() ? "the CPU device only" : list;
}

// What a module's requires directives ask of libomptarget; its own words for the flags.
constexpr int32_t kRequiresRow = 0x10, kUnifiedSharedMemory = 8;
int32_t requirements(const rex_offload_module &module) {
  int32_t found = 0;
  for (int32_t i = 0; i < module.entry_count; i++)
    if (module.entries[i].flags == kRequiresRow) found |= static_cast<int32_t>(module.entries[i].data);
  return found;
}

// Why the GPU cannot be used although there is one; empty when it can.
std::string misfit(const RexGpu &gpu, const Modules &modules, const std::string &cubin) {
  std::string found = "the GPU is sm_" + std::to_string(gpu.arch) + " but ";
  if (!cubin.empty()) {
    int arch = RexCubin(cubin.data(), cubin.data() + cubin.size()).arch();
    return gpu.runs(arch) ? "" : found + "the cubin that REX_CUBIN names was built for sm_" + std::to_string(arch);
  }
  for (const rex_offload_module *module : modules) {
    auto images = images_for(*module, REX_ON_GPU);
    if (!std::any_of(images.begin(), images.end(), [&](auto &image) { return gpu.runs(image.arch); }))
      return found + module->source + " was built for " + architectures(*module) +
             " (build it with --offload-arch=sm_" + std::to_string(gpu.arch) + ")";
    if ((requirements(*module) & kUnifiedSharedMemory) != 0 && !gpu.reads_host_memory)
      return "the GPU cannot read the host's memory, as " + std::string(module->source) +
             " asks by 'requires unified_shared_memory'";
  }
  return "";
}

// Why there is no GPU to use; empty when that is nothing to speak of.
std::string no_gpu(const RexGpu &gpu, const Modules &modules, bool for_gpu) {
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

Decision decide(const RexGpu &gpu, const Modules &modules, const std::string &cubin, OtherUnits others) {
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

// libomptarget has got the images and offers no device all the same.
Decision refused() {
  Decision decision;
  decision.stop = offload_policy_is("mandatory");
  decision.sentence = "libomptarget accepts none of this program's device images" + consequence(decision);
  return decision;
}

} // namespace

#endif
