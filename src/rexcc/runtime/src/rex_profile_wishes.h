// SPDX-License-Identifier: Apache-2.0
//
// What REX_PROFILE asks for: words with commas between them. "1" is a table on standard error, "FILE.json" a document that
// `rexcc --profile=` reads, "trace:FILE" a trace for Perfetto. "%p" in a file's name is the number of the process, as in
// NVIDIA's tools.
#ifndef REX_PROFILE_WISHES_H
#define REX_PROFILE_WISHES_H

#include "rex_internal.h"

#include <string>

namespace __rex REX_HIDDEN {

struct ProfileWishes {
  bool table = false;
  std::string document, trace; // files, empty for none
  std::string unknown;         // the first word that asks for nothing known

  bool any() const { return table || !document.empty() || !trace.empty(); }
};
ProfileWishes profile_wishes();

} // namespace __rex

#endif
