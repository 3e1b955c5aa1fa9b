// SPDX-License-Identifier: Apache-2.0
//
// The modules of this link unit: what each generated file of it says about its kernels, variables and images
// (rex_module.h), and the questions that are asked of them.
#ifndef REX_MODULES_H
#define REX_MODULES_H

#include "rex_internal.h"

#include <string>
#include <vector>

namespace __rex REX_HIDDEN {

using Modules = std::vector<const rex_offload_module *>;

Modules modules_of_link_unit();

// The images of a module for one kind of device, best architecture first: libomptarget takes the first that fits. Those of
// the group that it is in come in place of its own.
std::vector<rex_offload_image> images_for(const rex_offload_module &module, rex_offload_kind kind);
std::vector<rex_offload_image> images_for(const rex_offload_group &group, rex_offload_kind kind);

// The groups with an image for a kind of device, and the one of them that a module is in; null for none.
std::vector<const rex_offload_group *> groups_for(rex_offload_kind kind);
const rex_offload_group *group_of(const rex_offload_module &module, rex_offload_kind kind);

// The first module without an image for that kind of device; null when all have one.
const rex_offload_module *first_without(const Modules &modules, rex_offload_kind kind);

// Was anything here built for a GPU? `cubin` holds the bytes of REX_CUBIN's file, if there is one.
bool wants_gpu(const Modules &modules, const std::string &cubin);

// The name in the images of what a host address stands for; null for what no module has.
const char *symbol_of(const void *host_ptr);

// The architectures of a module's images, for a sentence.
std::string architectures(const rex_offload_module &module);

// What a module's `requires` directives ask of libomptarget, and one of it.
int32_t requirements(const rex_offload_module &module);
bool requires_shared_memory(const rex_offload_module &module);

// Device storage with the first value that a variable has on the host has to be made before main changes it.
bool have_values_of_host(const Modules &modules);

// What makes it impossible to go on: a complaint, or nothing.
std::string wrong_version(const Modules &modules);
std::string different_requirements(const Modules &modules);

} // namespace __rex

#endif
