// SPDX-License-Identifier: Apache-2.0
#include "reports.h"

#include "kernels.h"
#include "places.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

namespace rex_check REX_CHECK_HIDDEN {
namespace {

const char *const kNames[] = {"bounds", "unmapped", "undefined", "stale", "race"};
constexpr int kChecks = 5, kMostReports = 100;
int counts[kChecks];
int total;

std::set<std::string> &told() { return lasting<std::set<std::string>>(); }
std::vector<std::string> &files() { return lasting<std::vector<std::string>>(); }

// Whether there is something to tell of a place, for the first time.
bool is_new(Check check, const std::string &place) {
  if (!told().insert(kNames[static_cast<int>(check)] + (" " + place)).second) return false;
  counts[static_cast<int>(check)]++;
  if (++total == kMostReports + 1) fprintf(stderr, "rex: --check tells no more; the rest is counted\n");
  return total <= kMostReports;
}

void error(Check check, const std::string &place, const std::string &sentence) {
  fprintf(stderr, "%s: error: %s [check-%s]\n", place.c_str(), sentence.c_str(), kNames[static_cast<int>(check)]);
}
void note(const std::string &place, const std::string &sentence) {
  if (!place.empty()) fprintf(stderr, "%s: note: %s\n", place.c_str(), sentence.c_str());
}

std::string number(size_t value) { return std::to_string(value); }
std::string quoted(const Section &section) {
  if (section.name[0] != '\0') return std::string("'") + section.name + "'";
  return section.has_copies() ? "a section that a mapper maps" : "memory of the device's";
}
std::string bytes(size_t count) { return number(count) + (count == 1 ? " byte" : " bytes"); }
std::string verb(bool is_write) { return is_write ? "writes" : "reads"; }

std::string thread_of(uint32_t who) {
  unsigned threads = running_kernel->threads;
  return "team " + number(who / threads) + ", thread " + number(who % threads);
}
void note_kernel() {
  const Kernel &kernel = *running_kernel;
  note(kernel.place, "in this region, team " + number(kernel.team) + ", thread " + number(kernel.thread));
}
void note_mapping(const Section &section) { note(section.place, (section.name[0] != '\0' ? quoted(section) : "it") + " is mapped here"); }

// "byte 400 of 'a[0:n]'"
std::string part_of_section(const Section &section, uintptr_t offset) {
  return "byte " + number(offset) + " of " + quoted(section);
}

void finish(int status, void *) {
  inside++;
  for (const std::string &file : files()) unlink(file.c_str());
  if (total == 0) return;
  std::string list;
  for (int i = 0; i < kChecks; i++)
    if (counts[i] > 0) list += (list.empty() ? "" : ", ") + number(static_cast<size_t>(counts[i])) + " " + kNames[i];
  fprintf(stderr, "rex: --check has found: %s\n", list.c_str());
  const char *text = getenv("REX_CHECK_STATUS");
  int wanted = text != nullptr ? atoi(text) : 1;
  total = 0;
  inside--;
  if (status == 0 && wanted != 0) exit(wanted); // the handlers that are left follow
}

__attribute__((constructor)) void begin() { on_exit(finish, nullptr); }

} // namespace

bool is_wanted(Check check) {
  static const char *wanted = getenv("REX_CHECK");
  return wanted == nullptr || *wanted == '\0' || strstr(wanted, kNames[static_cast<int>(check)]) != nullptr;
}

void report_bounds(const Found &found, const Section &section) {
  Line line = line_of_stack(found.pc);
  if (!is_new(Check::bounds, line.text)) return;
  bool is_before = found.address < section.begin;
  size_t distance = is_before ? section.begin - found.address : found.address - section.end();
  std::string where = is_before ? bytes(distance) + " before the beginning of "
                                : (distance == 0 ? "just behind the end of " : bytes(distance) + " behind the end of ");
  error(Check::bounds, line.text, "the kernel " + verb(found.is_write) + " " + bytes(found.size) + " " + where +
                                      quoted(section) + ", of which the device has " + bytes(section.size));
  note_mapping(section);
  note_kernel();
}

void report_unmapped(const Found &found, const Section *section, const char *whose) {
  Line line = line_of_stack(found.pc);
  if (!is_new(Check::unmapped, line.text)) return;
  std::string object = section != nullptr ? "the host's " + part_of_section(*section, found.address - section->host)
                                          : std::string(whose);
  error(Check::unmapped, line.text, "the kernel " + verb(found.is_write) + " " + object +
                                        ": the address is the host's" +
                                        (section != nullptr ? "" : ", and nothing there is mapped"));
  if (section != nullptr) note(section->place, "it is mapped here, to another address");
  note_kernel();
}

void report_undefined(const Found &found, const Section &section) {
  Line line = line_of_stack(found.pc);
  if (!is_new(Check::undefined, line.text)) return;
  error(Check::undefined, line.text, "the kernel reads " + part_of_section(section, found.address - section.begin) +
                                         ", which has no value on the device: nothing was copied there or written");
  note_mapping(section);
  note_kernel();
}

void report_stale_on_device(const Found &found, const Section &section) {
  Line line = line_of_stack(found.pc);
  if (!is_new(Check::stale, line.text)) return;
  uintptr_t offset = found.address - section.begin;
  error(Check::stale, line.text, "the kernel reads " + part_of_section(section, offset) +
                                     ", which the host has changed since; 'target update to' is missing");
  if (uintptr_t pc = section.host_write != nullptr ? section.host_write[offset / 8] : 0)
    note(line_of(pc).text, "the host has changed it here");
  note_mapping(section);
  note_kernel();
}

void report_stale_on_host(const Found &found, const Section &section) {
  Line line = line_of_stack(found.pc);
  if (!is_new(Check::stale, line.text)) return;
  uintptr_t offset = found.address - section.host;
  error(Check::stale, line.text,
        "the host reads " + part_of_section(section, offset) + ", which the device has changed" +
            (section.gone ? " without copying it back; 'map(from:)' or 'tofrom' is missing"
                          : " since; 'target update from' is missing"));
  const Access &write = section.accesses[(section.begin % 4 + offset) / 4].write;
  if (write.bytes != 0 && write.time > section.since) note(line_of(write.pc).text, "the device has changed it here");
  note_mapping(section);
}

void report_undefined_on_host(const Found &found, const Section &section) {
  Line line = line_of_stack(found.pc);
  if (!is_new(Check::undefined, line.text)) return;
  error(Check::undefined, line.text, "the host reads " + part_of_section(section, found.address - section.host) +
                                         ", which was copied from the device and had no value there");
  note_mapping(section);
}

void report_race(const Section &section, uintptr_t address, const Access &access, bool is_write, const Access &earlier,
                 bool was_write) {
  if (!is_wanted(Check::race)) return;
  Inside in;
  Line line = line_of_stack(access.pc), other = line_of(earlier.pc);
  bool are_ours = (!access.atomic && line_of(access.pc).in_runtime) || (!earlier.atomic && other.in_runtime);
  if (are_ours) return; // what the runtime does in its own order: on the CPU device a team's threads take turns
  if (!is_new(Check::race, line.text + " " + other.text)) return;
  std::string object = section.kind == Kind::image || section.kind == Kind::team
                           ? section.name
                           : part_of_section(section, address - section.begin);
  error(Check::race, line.text, "race: " + thread_of(access.who) + " " + verb(is_write) + " " + object +
                                    (access.atomic ? " (atomic)" : ""));
  note(other.text, thread_of(earlier.who) + (was_write ? " has written it" : " has read it") +
                       (earlier.atomic ? " (atomic)" : "") + ", and nothing orders the two");
  if (section.has_copies()) note_mapping(section);
  note(running_kernel->place, "in this region");
}

void say_once(const char *sentence) {
  if (told().insert(sentence).second) fprintf(stderr, "rex: %s\n", sentence);
}

void remove_at_exit(const char *path) {
  Locked locked;
  files().emplace_back(path);
}

} // namespace rex_check
