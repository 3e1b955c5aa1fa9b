// SPDX-License-Identifier: Apache-2.0
//
// The images of a link unit and how libomptarget gets them. Part of register_cubin.cpp.
#ifndef REX_IMAGES_H
#define REX_IMAGES_H

#include "rex_decide.h"
#include "rex_libomptarget.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

extern "C" {
// The bounds of the section, made by the linker.
extern rex_offload_module *__start_rex_offload_modules[] REX_HIDDEN;
extern rex_offload_module *__stop_rex_offload_modules[] REX_HIDDEN;
extern rex_offload_group *__start_rex_offload_groups[] REX_HIDDEN;
extern rex_offload_group *__stop_rex_offload_groups[] REX_HIDDEN;
}

// Empty rows, so that the sections and their bounds exist also where nothing is offloaded.
static rex_offload_module *no_module __attribute__((__used__, __section__("rex_offload_modules"))) REX_RETAIN = nullptr;
static rex_offload_group *no_group __attribute__((__used__, __section__("rex_offload_groups"))) REX_RETAIN = nullptr;

namespace {

// What libomptarget keeps pointers into, for one module. Registered while it exists.
class RegisteredModule {
public:
  RegisteredModule(__tgt_offload_entry *entries, int64_t count) {
    descriptor.entries_begin = entries;
    descriptor.entries_end = entries + count;
  }
  // Those of several modules, whose device code was linked together.
  explicit RegisteredModule(std::vector<__tgt_offload_entry> all) : joined(std::move(all)) {
    descriptor.entries_begin = joined.data();
    descriptor.entries_end = joined.data() + joined.size();
  }
  RegisteredModule(const RegisteredModule &) = delete;
  ~RegisteredModule() {
    if (registered) __rex_real___tgt_unregister_lib(&descriptor);
  }

  void add(const char *begin, const char *end) {
    images.push_back({begin, end, descriptor.entries_begin, descriptor.entries_end});
  }

  // libomptarget up to 21 gets its cubins with an older label, on a copy.
  void add_cubin(const char *begin, const char *end) {
    RexCubin cubin(begin, end);
    if (REX_LLVM_VERSION >= 22 || !cubin.valid() || !cubin.is_abi_8()) return add(begin, end);
    copies.push_back(std::make_unique<std::string>(begin, end));
    std::string &copy = *copies.back();
    RexCubin::relabel_as_abi_7(copy.data(), cubin.arch());
    add(copy.data(), copy.data() + copy.size());
  }

  void register_images() {
    descriptor.image_count = static_cast<int32_t>(images.size());
    descriptor.images = images.data();
    registered = true;
    __rex_real___tgt_register_lib(&descriptor);
  }

private:
  std::vector<__tgt_offload_entry> joined;
  std::vector<std::unique_ptr<std::string>> copies;
  std::vector<__tgt_device_image> images;
  __tgt_bin_desc descriptor{};
  bool registered = false;
};

Modules modules_of_link_unit() {
  Modules modules(__start_rex_offload_modules, __stop_rex_offload_modules);
  modules.erase(std::remove(modules.begin(), modules.end(), nullptr), modules.end());
  return modules;
}

// The groups with an image for a kind of device; their modules need no images of their own there.
std::vector<const rex_offload_group *> groups_for(rex_offload_kind kind) {
  std::vector<const rex_offload_group *> groups;
  for (rex_offload_group **row = __start_rex_offload_groups; row != __stop_rex_offload_groups; row++)
    if (*row != nullptr && ((*row)->images[0].arch == 0) == (kind == REX_ON_CPU_DEVICE)) groups.push_back(*row);
  return groups;
}

bool is_in_group(const rex_offload_module &module, rex_offload_kind kind) {
  for (const rex_offload_group *group : groups_for(kind))
    for (int64_t i = 0; i < group->module_count; i++)
      if (*group->modules[i] == &module) return true;
  return false;
}

// What makes it impossible to go on: the two functions return a complaint, or nothing.

std::string wrong_version(const Modules &modules) {
  for (const rex_offload_module *module : modules)
    if (module->entry_size != static_cast<int32_t>(sizeof(__tgt_offload_entry)))
      return module->source +
             std::string(" and register_cubin.cpp were compiled with different values of REX_LLVM_VERSION");
  return "";
}

// What one unit requires all others have to, for they share mapped data.
std::string different_requirements(const Modules &modules) {
  for (const rex_offload_module *module : modules)
    if (requirements(*module) != requirements(*modules.front()))
      return std::string("'requires unified_shared_memory' has to be in all files with target regions, but of ") +
             modules.front()->source + " and " + module->source + " only one has it";
  return "";
}

// A run that was pointed at a file must not quietly use another one.
std::string read_cubin(const char *path, std::string &bytes) {
  if (path == nullptr) return "";
  if (FILE *file = fopen(path, "rb")) {
    char chunk[65536];
    for (size_t count; (count = fread(chunk, 1, sizeof chunk, file)) > 0;) bytes.append(chunk, count);
    fclose(file);
  }
  if (RexCubin(bytes.data(), bytes.data() + bytes.size()).valid()) return "";
  return std::string("REX_CUBIN names ") + path + ", which " + (bytes.empty() ? "cannot be read" : "is not a cubin");
}

} // namespace

#endif
