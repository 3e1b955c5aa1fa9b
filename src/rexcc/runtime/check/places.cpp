// SPDX-License-Identifier: Apache-2.0
#include "places.h"

#include <cstdio>
#include <cstring>
#include <map>

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

namespace rex_check REX_CHECK_HIDDEN {
namespace {

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

bool has_line(const std::string &text) {
  std::string line = text.substr(0, text.find(" ("));
  return !has(line, "??") && !has(line, ":?") && (line.size() < 2 || line.compare(line.size() - 2, 2, ":0") != 0);
}

bool is_users(const std::string &line) {
  size_t slash = line.rfind('/');
  std::string name = slash == std::string::npos ? line : line.substr(slash + 1);
  bool is_generated = name.rfind("rex_", 0) == 0 || name.rfind("rose_", 0) == 0;
  bool is_systems = line.rfind("/usr/include/", 0) == 0 || line.rfind("/usr/lib/", 0) == 0 || has(line, "/bits/") ||
                    has(line, "/include/c++/");
  bool is_runtimes = name.rfind("register_cubin.cpp", 0) == 0;
  return !is_generated && !is_systems && !is_runtimes && has_line(line) && !name.empty();
}

std::string quoted(const std::string &path) {
  std::string found = "'";
  for (char c : path) found += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return found + "'";
}

// The program without variables of the loader's, which may be for the checked program alone.
std::vector<std::string> output_of(const std::string &command) {
  std::vector<std::string> lines;
  FILE *pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  char line[4096];
  while (fgets(line, sizeof line, pipe) != nullptr) lines.emplace_back(line, strcspn(line, "\n"));
  pclose(pipe);
  return lines;
}

// As the user writes it: without the folder that the program runs in, and what else is said of the line.
std::string shown(const std::string &line) {
  static char folder[4096];
  std::string text = line.substr(0, line.find(" ("));
  if (folder[0] == '\0' && getcwd(folder, sizeof folder - 2) == nullptr) return text;
  std::string start = std::string(folder) + "/";
  return text.rfind(start, 0) == 0 ? text.substr(start.size()) : text;
}

std::string in_hex(uintptr_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%lx", static_cast<unsigned long>(value));
  return text;
}

// The lines of an instruction, the innermost function's first. A compiler that makes one store of those of two branches
// gives it no line: then those of what stands a little before.
std::vector<std::string> lines_of(const std::string &module, uintptr_t offset) {
  constexpr uintptr_t most = 64, step = 4;
  std::string words = " -a -i -e " + module;
  for (uintptr_t back = 0; back <= most && back < offset; back += step) words += " " + in_hex(offset - back);
  words += " 2>/dev/null";
  std::vector<std::string> first, found;
  for (const std::string &line : output_of("addr2line" + words + " || llvm-addr2line" + words)) {
    if (line.compare(0, 2, "0x") != 0) {
      found.push_back(line);
      continue;
    }
    if (!found.empty() && has_line(found[0])) return found;
    if (first.empty()) first = found;
    found.clear();
  }
  return !found.empty() && has_line(found[0]) ? found : first;
}

Line look_up(uintptr_t address) {
  Dl_info module = {};
  link_map *map = nullptr;
  if (dladdr1(reinterpret_cast<void *>(address), &module, reinterpret_cast<void **>(&map), RTLD_DL_LINKMAP) == 0)
    return {"unknown place", false, false};
  std::string path = map->l_name[0] != '\0' ? map->l_name : "/proc/self/exe";
  if (path == "/proc/self/exe") path = "/proc/" + std::to_string(getpid()) + "/exe";
  std::string offset = in_hex(address - map->l_addr - 1);
  std::vector<std::string> lines = lines_of(quoted(path), address - map->l_addr - 1);
  bool in_runtime = !lines.empty() && has(lines[0], "/rex_") && has(lines[0], ".h:");
  for (const std::string &line : lines)
    if (is_users(line)) return {shown(line), true, in_runtime};
  if (!lines.empty() && !has(lines[0], "??")) return {shown(lines[0]), false, in_runtime};
  return {std::string(module.dli_fname) + "+" + offset, false, false};
}

} // namespace

Line line_of(uintptr_t address) {
  static auto &known = lasting<std::map<uintptr_t, Line>>();
  auto found = known.find(address);
  return found != known.end() ? found->second : known[address] = look_up(address);
}

Line line_of_stack(uintptr_t address) {
  Line line = line_of(address);
  if (line.is_users) return line;
  void *stack[64];
  int count = backtrace(stack, 64), at = 0;
  while (at < count && reinterpret_cast<uintptr_t>(stack[at]) != address) at++;
  for (at++; at < count; at++) {
    Line outer = line_of(reinterpret_cast<uintptr_t>(stack[at]));
    if (outer.is_users) return outer;
  }
  return line;
}

} // namespace rex_check
