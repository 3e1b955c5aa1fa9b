// SPDX-License-Identifier: Apache-2.0
//
// What was found, as compilers say it: file and line, what is wrong, a code, and notes. Each place is told once.
#ifndef REX_CHECK_REPORTS_H
#define REX_CHECK_REPORTS_H

#include "sections.h"

namespace rex_check REX_CHECK_HIDDEN {

// Which checks there are. REX_CHECK names those that are wanted.
enum class Check : uint8_t { bounds, unmapped, undefined, stale, race };
bool is_wanted(Check check);

// An access: where, how much, and by which instruction.
struct Found {
  uintptr_t address;
  size_t size;
  bool is_write;
  uintptr_t pc;
};

// By a kernel, beside a section of the device's.
void report_bounds(const Found &found, const Section &section);
// ... of memory that the host has; `section` is mapped from there, null where none is.
void report_unmapped(const Found &found, const Section *section, const char *whose);
// ... of bytes without a value.
void report_undefined(const Found &found, const Section &section);
// ... of bytes that the host has changed since.
void report_stale_on_device(const Found &found, const Section &section);
// By the host, of bytes that a kernel has changed since, or that never had a value.
void report_stale_on_host(const Found &found, const Section &section);
void report_undefined_on_host(const Found &found, const Section &section);

void report_race(const Section &section, uintptr_t address, const Access &access, bool is_write, const Access &earlier,
                 bool was_write);

void say_once(const char *sentence);
void remove_at_exit(const char *path);

} // namespace rex_check

#endif
