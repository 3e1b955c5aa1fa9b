// SPDX-License-Identifier: Apache-2.0
#include "rex_profile_trace.h"

#include "rex_profile_rows.h"

#include <unistd.h>

namespace __rex REX_HIDDEN {

// A child process has the stream too, so nothing may wait in it.
bool ProfileTrace::open(const std::string &file) {
  stream = fopen(file.c_str(), "w");
  if (stream == nullptr) return false;
  setvbuf(stream, nullptr, _IONBF, 0);
  process = getpid();
  zero = Profile::now();
  waiting = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " +
            std::to_string(process) + ", \"args\": {\"name\": \"target constructs\"}}";
  return true;
}

void ProfileTrace::add(const std::string &name, const char *category, int64_t thread, int64_t began, int64_t ended,
                       const std::string &arguments) {
  constexpr size_t many = 1 << 16;
  char times[96]; // microseconds
  snprintf(times, sizeof times, "\"ts\": %.3f, \"dur\": %.3f", static_cast<double>(began - zero) / 1e3,
           static_cast<double>(ended - began) / 1e3);
  waiting += ",\n{\"ph\": \"X\", \"name\": " + json_text(name) + ", \"cat\": \"" + category +
             "\", \"pid\": " + std::to_string(process) + ", \"tid\": " + std::to_string(thread) + ", " + times +
             ", \"args\": {" + arguments + "}}";
  if (waiting.size() > many) write_out();
}

void ProfileTrace::write_out() {
  fwrite(waiting.data(), 1, waiting.size(), stream);
  waiting.clear();
}

void ProfileTrace::close() {
  waiting += "\n]}\n";
  write_out();
  fclose(stream);
  stream = nullptr;
}

} // namespace __rex
