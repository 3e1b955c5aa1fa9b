// SPDX-License-Identifier: Apache-2.0
#include "rex_modules.h"

#include <algorithm>
#include <map>
#include <string>

extern "C" {
// The bounds of the sections, made by the linker.
extern rex_offload_module *__start_rex_offload_modules[] REX_HIDDEN;
extern rex_offload_module *__stop_rex_offload_modules[] REX_HIDDEN;
extern rex_offload_group *__start_rex_offload_groups[] REX_HIDDEN;
extern rex_offload_group *__stop_rex_offload_groups[] REX_HIDDEN;
extern rex_offload_name *__start_rex_offload_names[] REX_HIDDEN;
extern rex_offload_name *__stop_rex_offload_names[] REX_HIDDEN;
}

// Empty rows, so that the sections and their bounds exist also where nothing is offloaded.
static rex_offload_module *no_module __attribute__((__used__, __section__("rex_offload_modules"))) REX_RETAIN = nullptr;
static rex_offload_group *no_group __attribute__((__used__, __section__("rex_offload_groups"))) REX_RETAIN = nullptr;
static rex_offload_name *no_name __attribute__((__used__, __section__("rex_offload_names"))) REX_RETAIN = nullptr;

namespace __rex REX_HIDDEN {

Modules modules_of_link_unit() {
  Modules modules(__start_rex_offload_modules, __stop_rex_offload_modules);
  modules.erase(std::remove(modules.begin(), modules.end(), nullptr), modules.end());
  return modules;
}

namespace {

std::vector<rex_offload_image> of_kind(const rex_offload_image *all, int64_t count, rex_offload_kind kind) {
  std::vector<rex_offload_image> images;
  for (int64_t i = 0; i < count; i++)
    if ((all[i].arch == 0) == (kind == REX_ON_CPU_DEVICE)) images.push_back(all[i]);
  std::sort(images.begin(), images.end(), [](auto &a, auto &b) { return a.arch > b.arch; });
  return images;
}

using GroupOfModule = std::map<const rex_offload_module *, const rex_offload_group *>;

GroupOfModule find_groups() {
  std::map<std::string, const rex_offload_module *> named;
  for (rex_offload_name **row = __start_rex_offload_names; row != __stop_rex_offload_names; row++)
    if (*row != nullptr) named[(*row)->name] = (*row)->module;
  GroupOfModule found;
  for (rex_offload_group **row = __start_rex_offload_groups; row != __stop_rex_offload_groups; row++)
    for (int64_t i = 0; *row != nullptr && i < (*row)->module_count; i++) found[named[(*row)->modules[i]]] = *row;
  return found;
}

} // namespace

static const rex_offload_group *group_of(const rex_offload_module &module) {
  static const auto *const groups = new GroupOfModule(find_groups());
  const auto found = groups->find(&module);
  return found != groups->end() ? found->second : nullptr;
}

std::vector<rex_offload_image> images_for(const rex_offload_group &group, rex_offload_kind kind) {
  return of_kind(group.images, group.image_count, kind);
}

std::vector<rex_offload_image> images_for(const rex_offload_module &module, rex_offload_kind kind) {
  const rex_offload_group *group = group_of(module, kind);
  return group != nullptr ? images_for(*group, kind) : of_kind(module.images, module.image_count, kind);
}

std::vector<const rex_offload_group *> groups_for(rex_offload_kind kind) {
  std::vector<const rex_offload_group *> groups;
  for (rex_offload_group **row = __start_rex_offload_groups; row != __stop_rex_offload_groups; row++)
    if (*row != nullptr && !images_for(**row, kind).empty()) groups.push_back(*row);
  return groups;
}

const rex_offload_group *group_of(const rex_offload_module &module, rex_offload_kind kind) {
  const rex_offload_group *group = group_of(module);
  return group != nullptr && !images_for(*group, kind).empty() ? group : nullptr;
}

const rex_offload_module *first_without(const Modules &modules, rex_offload_kind kind) {
  for (const rex_offload_module *module : modules)
    if (images_for(*module, kind).empty()) return module;
  return nullptr;
}

bool wants_gpu(const Modules &modules, const std::string &cubin) {
  return !cubin.empty() || std::any_of(modules.begin(), modules.end(), [](auto *module) {
    return !images_for(*module, REX_ON_GPU).empty();
  });
}

const char *symbol_of(const void *host_ptr) {
  for (const rex_offload_module *module : modules_of_link_unit())
    for (int32_t i = 0; i < module->entry_count; i++)
      if (module->entries[i].address == host_ptr) return module->entries[i].symbol;
  return nullptr;
}

std::string architectures(const rex_offload_module &module) {
  std::string list;
  for (const rex_offload_image &image : images_for(module, REX_ON_GPU))
    list += (list.empty() ? "sm_" : ", sm_") + std::to_string(image.arch);
  return list.empty() ? "the CPU device only" : list;
}

int32_t requirements(const rex_offload_module &module) {
  int32_t found = 0;
  for (int32_t i = 0; i < module.entry_count; i++)
    if (module.entries[i].flags == REX_ENTRY_REQUIRES) found |= static_cast<int32_t>(module.entries[i].data);
  return found;
}

bool requires_shared_memory(const rex_offload_module &module) {
  return (requirements(module) & REX_REQUIRES_UNIFIED_SHARED_MEMORY) != 0;
}

bool have_values_of_host(const Modules &modules) {
  for (const rex_offload_module *module : modules)
    for (int64_t i = 0; i < module->global_count; i++)
      if (module->globals[i].size > 0) return true;
  return false;
}

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

} // namespace __rex
