// SPDX-License-Identifier: Apache-2.0
//
// A trace in the form that Perfetto and Chrome read ("Trace Event Format", complete events): spans of each thread, those
// of kernels and copies within those of constructs. It is written while the program runs.
#ifndef REX_PROFILE_TRACE_H
#define REX_PROFILE_TRACE_H

#include "rex_internal.h"

#include <cstdio>
#include <string>

namespace __rex REX_HIDDEN {

class ProfileTrace {
public:
  // Whether the file can be written.
  bool open(const std::string &file);
  bool is_open() const { return stream != nullptr; }

  // Times in nanoseconds; `arguments` is what stands in an object of JSON.
  void add(const std::string &name, const char *category, int64_t thread, int64_t began, int64_t ended,
           const std::string &arguments);
  void close();

private:
  void write_out();

  FILE *stream = nullptr;
  int64_t process = 0, zero = 0;
  std::string waiting; // for the file
};

} // namespace __rex

#endif
