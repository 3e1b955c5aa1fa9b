// SPDX-License-Identifier: Apache-2.0
#include "rex_messages.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace __rex REX_HIDDEN {

void say(const std::string &sentence) { fprintf(stderr, "rex: %s\n", sentence.c_str()); }

std::string readable_place(const __rex_ident *place) {
  std::vector<std::string> fields(1);
  for (const char *c = place != nullptr && place->source != nullptr ? place->source : ""; *c != '\0'; c++)
    *c == ';' ? fields.emplace_back() : fields.back() += *c;
  return fields.size() < 4 ? "target region" : fields[1] + ":" + fields[3] + " " + fields[2];
}

Field field(const void *source, int number) {
  const char *at = source != nullptr ? static_cast<const char *>(source) : "";
  for (; number > 0 && *at != '\0'; at++) number -= *at == ';';
  Field found;
  found.text = at;
  found.length = static_cast<int>(strcspn(at, ";"));
  return found;
}

} // namespace __rex
