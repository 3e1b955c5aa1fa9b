// SPDX-License-Identifier: Apache-2.0
#include "rex_gpu_failure.h"

#include "rex_cubin.h"
#include "rex_cuda.h"
#include "rex_images.h"
#include "rex_messages.h"
#include "rex_modules.h"
#include "rex_settings.h"

#include <algorithm>
#include <string>
#include <vector>

namespace __rex REX_HIDDEN {
namespace {

// The driver as libomptarget has left it, with its context of a device the thread's.
class FailedDriver {
public:
  FailedDriver() {
    void *driver = running_driver();
    all = driver != nullptr && find_call(driver, "cuCtxSynchronize", synchronise) &&
          find_call(driver, "cuModuleLoadData", load) && find_call(driver, "cuGetErrorString", describe);
  }
  explicit operator bool() const { return all; }

  // From these on, errors are those of the device's work: an address, an instruction, a launch.
  int failure() const {
    constexpr int first_of_device = 700, uncorrectable = 214;
    int error = synchronise();
    return error >= first_of_device || error == uncorrectable ? error : 0;
  }

  int load_any(const std::vector<rex_offload_image> &images) const {
    int error = 0;
    for (const rex_offload_image &image : images) {
      void *module = nullptr;
      error = load(&module, image.begin);
      if (error == 0) break;
    }
    return error;
  }

  std::string words(int error) const {
    const char *text = nullptr;
    return words_for(error, describe(error, &text) == 0 ? text : nullptr);
  }

private:
  int (*synchronise)() = nullptr;
  int (*load)(void **, const void *) = nullptr;
  int (*describe)(int, const char **) = nullptr;
  bool all = false;
};

bool tell_refused(const FailedDriver &driver, const std::string &what, const std::vector<rex_offload_image> &images) {
  constexpr int invalid_image = 200, out_of_memory = 2;
  int error = driver.load_any(images);
  if (error != invalid_image && error != out_of_memory) return false;
  say(what + " cannot be loaded onto the GPU: " + driver.words(error) +
      (error == invalid_image ? "; the file is damaged, or has been changed: build it again" : ""));
  return true;
}

// Whether kernels of this link unit ask for memory, and may use the null that they get where there is none.
bool kernels_allocate() {
  auto any = [](const std::vector<rex_offload_image> &images) {
    return std::any_of(images.begin(), images.end(), [](const rex_offload_image &image) {
      return Cubin(image.begin, image.end).calls("malloc");
    });
  };
  for (const rex_offload_group *group : groups_for(REX_ON_GPU))
    if (any(images_for(*group, REX_ON_GPU))) return true;
  for (const rex_offload_module *module : modules_of_link_unit())
    if (any(images_for(*module, REX_ON_GPU))) return true;
  return false;
}

} // namespace

std::string words_for(int error, const char *of_driver) {
  constexpr int illegal_address = 700, launch_failed = 719; // the second also of __trap()
  std::string words = of_driver != nullptr ? of_driver : "CUDA error " + std::to_string(error);
  if (error == illegal_address && kernels_allocate())
    return words + ", as where new or malloc() finds no room (LIBOMPTARGET_HEAP_SIZE gives kernels more)";
  if (error != launch_failed) return words;
  return words + ", as where it calls abort(), or no device memory is left for an array (LIBOMPTARGET_HEAP_SIZE gives"
                 " more)";
}

bool explain_failed_work(const Call &call) {
  FailedDriver driver;
  int error = driver ? driver.failure() : 0;
  if (error == 0) return false;
  const char *what = call.kind == CallKind::kernel ? ": this kernel has failed: " : ": a kernel or copy before this has failed: ";
  say(readable_place(call.place) + what + driver.words(error) + "; compute-sanitizer tells where");
  return true;
}

bool explain_refused_images() {
  FailedDriver driver;
  std::string cubin;
  if (!driver) return false;
  if (const char *file = setting("REX_CUBIN")) {
    if (!read_cubin(file, cubin).empty()) return false;
    return tell_refused(driver, "the image that REX_CUBIN names", {{cubin.data(), cubin.data() + cubin.size(), 0}});
  }
  for (const rex_offload_group *group : groups_for(REX_ON_GPU))
    if (tell_refused(driver, "the device code of this program", images_for(*group, REX_ON_GPU))) return true;
  for (const rex_offload_module *module : modules_of_link_unit())
    if (group_of(*module, REX_ON_GPU) == nullptr &&
        tell_refused(driver, std::string("the device code of ") + module->source, images_for(*module, REX_ON_GPU)))
      return true;
  return false;
}

void explain_refused_launch(const Call &call) {
  int (*memory)(size_t *, size_t *) = nullptr;
  size_t free = 0, total = 0;
  void *driver = running_driver();
  if (driver == nullptr || !find_call(driver, "cuMemGetInfo_v2", memory) || memory(&free, &total) != 0) return;
  say(readable_place(call.place) + ": this kernel cannot be launched; " + std::to_string(free >> 20) +
      " MiB of the GPU's memory are free, from which the stack of all its threads comes, too");
}

} // namespace __rex
