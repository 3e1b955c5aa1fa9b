// SPDX-License-Identifier: Apache-2.0
//
// How libomptarget gets the images and entries of a module.
#ifndef REX_IMAGES_H
#define REX_IMAGES_H

#include "rex_internal.h"

#include <memory>
#include <string>
#include <vector>

namespace __rex REX_HIDDEN {

// What libomptarget keeps pointers into, for one module. Registered while it exists. Registration owns it.
class RegisteredModule {
public:
  RegisteredModule(__tgt_offload_entry *entries, int64_t count);
  // Those of several modules, whose device code was linked together.
  explicit RegisteredModule(std::vector<__tgt_offload_entry> all);
  RegisteredModule(const RegisteredModule &) = delete;
  ~RegisteredModule();

  void add(const char *begin, const char *end);

  // One that may need another label, which a copy of it gets.
  void add_cubin(const char *begin, const char *end);

  void register_images();

private:
  std::vector<__tgt_offload_entry> joined;
  std::vector<std::unique_ptr<std::string>> copies;
  std::vector<__tgt_device_image> images;
  __tgt_bin_desc descriptor{};
  bool registered = false;
};

// The bytes of REX_CUBIN's file, if it names one; a complaint if that is none, or nothing.
std::string read_cubin(const char *path, std::string &bytes);

} // namespace __rex

#endif
