// SPDX-License-Identifier: Apache-2.0
//
// Sentences for the user on stderr, and the places that they name.
#ifndef REX_MESSAGES_H
#define REX_MESSAGES_H

#include "rex_internal.h"

#include <string>

namespace __rex REX_HIDDEN {

void say(const std::string &sentence);

// ";nn.c;find_distances;12;1;;" -> "nn.c:12 find_distances"
std::string readable_place(const __rex_ident *place);

// A part of LLVM's ";a;b;c;" strings, found without allocating anything.
struct Field {
  int length = 0;
  const char *text = "";
};
Field field(const void *source, int number);

} // namespace __rex

#endif
