// SPDX-License-Identifier: Apache-2.0
#include "rex_profile_rows.h"

#include "rex_messages.h"

#include <algorithm>
#include <cstdio>

namespace __rex REX_HIDDEN {
namespace {

std::string part(const std::string &source, int number) {
  Field found = field(source.c_str(), number);
  return std::string(found.text, static_cast<size_t>(found.length));
}

std::string time_text(int64_t nanoseconds) {
  char text[32];
  double amount = static_cast<double>(nanoseconds);
  if (nanoseconds >= 1000000000) snprintf(text, sizeof text, "%.3f s", amount / 1e9);
  else if (nanoseconds >= 1000000) snprintf(text, sizeof text, "%.3f ms", amount / 1e6);
  else snprintf(text, sizeof text, "%.3f us", amount / 1e3);
  return text;
}

std::string seconds(int64_t nanoseconds) {
  char text[32];
  snprintf(text, sizeof text, "%.9f", static_cast<double>(nanoseconds) / 1e9);
  return text;
}

struct Column {
  const char *title;
  int width;
};
constexpr Column columns[] = {{"time", 11},     {"share", 6},       {"calls", 9},      {"average", 11},
                              {"kernels", 11},  {"bytes to", 15},   {"bytes from", 15}};
constexpr size_t column_count = sizeof columns / sizeof *columns;

// The last one, the construct's name, is at the left of its column.
std::string line_of(const std::string (&cells)[column_count], const std::string &name) {
  std::string line;
  for (size_t i = 0; i < column_count; i++) {
    size_t width = static_cast<size_t>(columns[i].width);
    line.append(cells[i].size() < width ? width - cells[i].size() : 1, ' ') += cells[i];
  }
  return line + "  " + name + "\n";
}

std::string name_of(const std::string &source, const ProfileRow &row) {
  std::string name = part(source, 1) + ":" + part(source, 3) + " " + part(source, 2) + ": " + row.construct();
  int64_t calls = row.calls();
  if (row.on_host == 0) return name;
  if (row.on_host == calls) return name + " (on the host)";
  return name + " (" + std::to_string(row.on_host) + " on the host)";
}

} // namespace

int64_t ProfileRow::calls() const {
  return kernels + on_host > 0 ? kernels + on_host : std::max(begins, ends) + updates;
}

const char *ProfileRow::construct() const {
  if (kernels + on_host > 0) return "target";
  if (updates > 0) return "target update";
  if (begins > 0 && ends > 0) return "target data";
  return begins > 0 ? "target enter data" : "target exit data";
}

std::string ProfileRows::source_of(const __rex_ident *place) {
  return place != nullptr && place->source != nullptr ? place->source : ";;;0;0;;";
}

void ProfileRows::add(const Profiled &span, int64_t nanoseconds) {
  ProfileRow &row = rows[source_of(span.place)];
  switch (span.kind) {
  case CallKind::kernel: (span.on_host ? row.on_host : row.kernels)++; break;
  case CallKind::data_begin: row.begins++; break;
  case CallKind::data_end: row.ends++; break;
  case CallKind::data_update: row.updates++; break;
  }
  if (span.on_host) return; // which takes its time later
  row.nanoseconds += nanoseconds;
  row.in_kernels += span.in_kernels;
  row.bytes_to += span.bytes_to;
  row.bytes_from += span.bytes_from;
}

std::vector<ProfileRows::Named> ProfileRows::sorted() const {
  std::vector<Named> found(rows.begin(), rows.end());
  std::sort(found.begin(), found.end(), [](const Named &one, const Named &other) {
    if (one.second.nanoseconds != other.second.nanoseconds) return one.second.nanoseconds > other.second.nanoseconds;
    return one.first < other.first;
  });
  return found;
}

std::string ProfileRows::table(const std::string &device, bool sees_copies) const {
  int64_t whole = 0;
  for (const auto &[source, row] : rows) whole += row.nanoseconds;
  std::string cells[column_count], text = "rex: profile, " + device + ": " + time_text(whole) + " in ";
  text += std::to_string(rows.size()) + (rows.size() == 1 ? " construct" : " constructs");
  text += by_cupti ? ", kernels by CUPTI\n" : "\n";
  for (size_t i = 0; i < column_count; i++) cells[i] = columns[i].title;
  text += line_of(cells, "construct");
  for (const auto &[source, row] : sorted()) {
    bool is_timed = row.calls() > row.on_host;
    cells[0] = is_timed ? time_text(row.nanoseconds) : "-";
    cells[1] = is_timed ? std::to_string((row.nanoseconds * 100 + whole / 2) / std::max<int64_t>(whole, 1)) + "%" : "-";
    cells[2] = std::to_string(row.calls());
    cells[3] = is_timed ? time_text(row.nanoseconds / (row.calls() - row.on_host)) : "-";
    cells[4] = row.in_kernels > 0 ? time_text(row.in_kernels) : "-";
    cells[5] = std::to_string(row.bytes_to);
    cells[6] = std::to_string(row.bytes_from);
    text += line_of(cells, name_of(source, row));
  }
  if (outside.bytes_to + outside.bytes_from > 0)
    text += "rex: copied outside of constructs: " + std::to_string(outside.bytes_to) + " bytes to the device, " +
            std::to_string(outside.bytes_from) + " from it\n";
  if (!sees_copies)
    text += "rex: libomptarget has not told of its copies and kernels: another tool listens, no folder of "
            "LD_LIBRARY_PATH has a libomp.so, or it was built without OMPT, as the one of PyPI\n";
  return text;
}

std::string ProfileRows::document(const std::string &device, bool sees_copies) const {
  std::string text = "{\"version\": 1, \"device\": " + json_text(device) + ", \"sees_copies\": ";
  text += sees_copies ? "true" : "false";
  if (by_cupti) text += ", \"kernels_by\": \"CUPTI\"";
  text += ",\n \"outside\": {\"bytes_to\": " + std::to_string(outside.bytes_to) +
          ", \"bytes_from\": " + std::to_string(outside.bytes_from) + "},\n \"constructs\": [";
  const char *before = "\n";
  for (const auto &[source, row] : sorted()) {
    text += before;
    text += "  {\"file\": " + json_text(part(source, 1)) + ", \"line\": " + part(source, 3) +
            ", \"column\": " + part(source, 4) + ", \"function\": " + json_text(part(source, 2)) +
            ", \"construct\": " + json_text(row.construct()) + ", \"calls\": " + std::to_string(row.calls()) +
            ", \"on_host\": " + std::to_string(row.on_host) + ", \"seconds\": " + seconds(row.nanoseconds) +
            ", \"kernel_seconds\": " + seconds(row.in_kernels) + ", \"bytes_to\": " + std::to_string(row.bytes_to) +
            ", \"bytes_from\": " + std::to_string(row.bytes_from) + "}";
    before = ",\n";
  }
  return text + "\n]}\n";
}

std::string json_text(const std::string &text) {
  std::string found = "\"";
  for (char c : text) {
    char escaped[8];
    if (static_cast<unsigned char>(c) < ' ') snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
    else snprintf(escaped, sizeof escaped, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    found += escaped;
  }
  return found + "\"";
}

} // namespace __rex
