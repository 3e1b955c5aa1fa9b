// SPDX-License-Identifier: Apache-2.0
//
// The sums of a profile, a row for each construct, and their two texts: the table and the document. The document's form is
// that of rexcc's report/profile.py.
#ifndef REX_PROFILE_ROWS_H
#define REX_PROFILE_ROWS_H

#include "rex_internal.h"
#include "rex_profile.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace __rex REX_HIDDEN {

// What a construct did in all its calls. `begins` and `ends` are calls of data constructs: a region has one of each.
struct ProfileRow {
  int64_t kernels = 0, begins = 0, ends = 0, updates = 0, on_host = 0;
  int64_t nanoseconds = 0, in_kernels = 0, bytes_to = 0, bytes_from = 0;

  int64_t calls() const;
  const char *construct() const;
};

class ProfileRows {
public:
  void add(const Profiled &span, int64_t nanoseconds);
  void add_on_host(const __rex_ident *place) { rows[source_of(place)].on_host++; }

  // How long the kernels of a construct took by records of CUPTI's, in place of the sum of what its calls have told.
  void set_kernels(const __rex_ident *place, int64_t nanoseconds) {
    rows[source_of(place)].in_kernels = nanoseconds;
    by_cupti = true;
  }

  // Copies that no construct asked for: those of OpenMP's routines.
  void add_outside(bool up, uint64_t bytes) { (up ? outside.bytes_to : outside.bytes_from) += static_cast<int64_t>(bytes); }

  // `sees_copies`: libomptarget has told of its copies and kernels.
  std::string table(const std::string &device, bool sees_copies) const;
  std::string document(const std::string &device, bool sees_copies) const;

private:
  using Named = std::pair<std::string, ProfileRow>;
  static std::string source_of(const __rex_ident *place);
  std::vector<Named> sorted() const;

  std::map<std::string, ProfileRow> rows; // by what the place says
  ProfileRow outside;
  bool by_cupti = false;
};

// A text as JSON has it, with its quotes.
std::string json_text(const std::string &text);

} // namespace __rex

#endif
