// SPDX-License-Identifier: Apache-2.0
//
// Which functions of others the objects of this process call, as their relocations say.
#ifndef REX_RELOCATIONS_H
#define REX_RELOCATIONS_H

#include "rex_internal.h"

#include <initializer_list>

namespace __rex REX_HIDDEN {

// The program and this link unit, or all objects.
enum class Asked { program, all_objects };

// Whether the code of these refers to one of the names.
bool refer_to(std::initializer_list<const char *> names, Asked asked);

} // namespace __rex

#endif
