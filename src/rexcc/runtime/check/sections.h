// SPDX-License-Identifier: Apache-2.0
//
// The device's memory: sections, each with the host's memory that it is mapped from, and what is known of each byte.
//
// A byte of a section that is mapped is one of two copies. Whoever writes one makes the other stale; a transfer makes them
// equal. A byte that neither a transfer nor a kernel has written has no value. What was stale or without a value on the
// host when its section went stays known (`gone`) until the host writes it, or frees it.
#ifndef REX_CHECK_SECTIONS_H
#define REX_CHECK_SECTIONS_H

#include "memory.h"

namespace rex_check REX_CHECK_HIDDEN {

enum ByteState : uint8_t {
  kHasValue = 1,     // the device's copy
  kHostIsNewer = 2,
  kDeviceIsNewer = 4,
  kHostHasNone = 8,  // a transfer has brought the host what had no value
};

// An access that races are found by: by whom, when, and by which instruction.
struct Access {
  uint32_t who, time;
  uint64_t pc : 56, bytes : 4, atomic : 1, same : 1; // a write of what was there already
};
// Of four bytes: the last write, the first read since the kernel began, and the last read.
struct Accesses {
  Access write, reads[2];
};

enum class Kind : uint8_t { mapped, allocated, variable, image, team };

struct Section {
  uintptr_t begin;
  size_t size;
  uintptr_t host; // 0 without
  int device;
  Kind kind;
  bool gone;
  char name[96], place[160]; // of the list item; where it was mapped
  uint8_t *states;
  char *before;          // what the host had when the device wrote, or got what had no value
  char *last;            // of one that is gone: what the device had
  uintptr_t *host_write; // for each eight bytes: by which instruction the host wrote last
  Accesses *accesses;    // for each four bytes; those of another section may be left in it
  uint32_t since;        // before its first access

  uintptr_t end() const { return begin + size; }
  bool has_copies() const { return kind == Kind::mapped || kind == Kind::variable; }
};

// The section at an address of the device's; null for none.
Section *section_at(uintptr_t address);

// How often sections have come, gone or moved.
unsigned changes_of_sections();
// Whether the memory of an image or of a team is known that begins there.
bool is_image(uintptr_t begin);
// The same for an address of the host's, one after the other: the first, and the next behind `after`.
Section *section_from(uintptr_t host, const Section *after = nullptr);
// The section there if it is the only one; found sooner, for accesses come in rows.
Section *only_section_from(uintptr_t host);
// Whether there may be one; costs two loads.
bool may_be_mapped(uintptr_t host);
size_t to_next_page(uintptr_t host); // of those that may

// Adds a section. What was known of the same memory of the device is forgotten, and what is gone of the same of the host.
Section *add_section(Kind kind, uintptr_t begin, size_t size, uintptr_t host, int device, const char *name,
                     const char *place);
void remove_section(uintptr_t begin);

// Memory has moved to the device or to the host. libomptarget tells of an allocation with what it has put before a structure
// that begins at an odd place; where the structure begins shows only here.
void moved_to_device(uintptr_t device, uintptr_t host, size_t size);
void moved_to_host(uintptr_t device, uintptr_t host, size_t size);

// The host has freed memory.
void forget_host_memory(uintptr_t begin, size_t size);

// A function begins whose variables may lie where others' were: its part of the stack and all below.
void forget_stack(uintptr_t begin, size_t size);

} // namespace rex_check

#endif
