// SPDX-License-Identifier: Apache-2.0
#include "sections.h"

#include "kernels.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

namespace rex_check REX_CHECK_HIDDEN {
namespace {

template <template <class...> class Container>
using Sections =
    Container<uintptr_t, Section *, std::less<uintptr_t>, Allocator<std::pair<const uintptr_t, Section *>>>;
Sections<std::map> &by_device() { return lasting<Sections<std::map>>(); }
// The memory of images and of their teams: what is mapped may lie in it.
Sections<std::map> &of_images() {
  static auto &made = *new (__libc_malloc(sizeof(Sections<std::map>))) Sections<std::map>();
  return made;
}
Sections<std::multimap> &by_host() { return lasting<Sections<std::multimap>>(); }

// Pages of the host's memory that are or were mapped: a table of tables, as processors have them.
constexpr int kPageBits = 12, kTableBits = 18, kAddressBits = 47;
uint8_t *pages[1 << (kAddressBits - kTableBits - kPageBits)];

void note_pages(uintptr_t begin, size_t size) {
  for (uintptr_t page = begin >> kPageBits; page <= (begin + size - 1) >> kPageBits; page++) {
    if (page >> (kAddressBits - kPageBits) != 0) return;
    uint8_t *&table = pages[page >> kTableBits];
    if (table == nullptr) table = static_cast<uint8_t *>(zeros(1 << kTableBits));
    if (table != nullptr) table[page & ((1 << kTableBits) - 1)] = 1;
  }
}

// Addresses at which one section was found, and no other is: accesses come in rows. It holds until a section changes.
struct Part {
  Section *section;
  uintptr_t begin, end;
  unsigned of;
};
unsigned changes;
Part latest_from; // of the host's
REX_CHECK_OF_THREAD Part latest_at;

bool holds(const Part &part, uintptr_t address) {
  return part.of == changes && part.section != nullptr && address - part.begin < part.end - part.begin;
}

void destroy(Section *section) {
  changes++;
  give_zeros_back(section->states, section->size);
  give_zeros_back(section->before, section->size);
  give_zeros_back(section->last, section->size);
  give_zeros_back(section->host_write, section->size + 8);
  give_old_back(section->accesses, (section->size / 4 + 2) * sizeof(Accesses));
  __libc_free(section);
}

void forget_host(Section *section) {
  changes++;
  auto range = by_host().equal_range(section->host);
  for (auto i = range.first; i != range.second; ++i)
    if (i->second == section) {
      by_host().erase(i);
      return;
    }
}

bool overlap(uintptr_t a, size_t a_size, uintptr_t b, size_t b_size) { return a < b + b_size && b < a + a_size; }

unsigned gone_sections;

void forget_gone(uintptr_t host, size_t size) {
  for (auto i = by_host().begin(); i != by_host().end();) {
    Section *section = i->second;
    bool goes = section->gone && overlap(section->host, section->size, host, size);
    i = goes ? by_host().erase(i) : std::next(i);
    if (goes) gone_sections--, destroy(section);
  }
}

// Whether anything has to be remembered of the host's bytes of a section that goes.
bool leaves_something(const Section &section) {
  if (section.host == 0 || section.states == nullptr) return false;
  for (size_t i = 0; i < section.size; i++)
    if ((section.states[i] & (kDeviceIsNewer | kHostHasNone)) != 0) return true;
  return false;
}

void keep_as_gone(Section &section) {
  section.gone = true;
  gone_sections++;
  section.last = static_cast<char *>(zeros(section.size));
  if (section.last != nullptr) memcpy(section.last, reinterpret_cast<void *>(section.begin), section.size);
}

Section *section_in(Sections<std::map> &sections, uintptr_t address) {
  auto next = sections.upper_bound(address);
  if (next == sections.begin()) return nullptr;
  Section *section = std::prev(next)->second;
  return address - section->begin < section->size ? section : nullptr;
}

Section *first_overlapping(uintptr_t begin, size_t size) {
  if (Section *around = section_in(by_device(), begin)) return around;
  auto next = by_device().lower_bound(begin);
  return next != by_device().end() && next->first < begin + size ? next->second : nullptr;
}

void remove_overlapping(Sections<std::map> &sections, uintptr_t begin, size_t size) {
  if (Section *around = section_in(sections, begin)) {
    sections.erase(around->begin);
    destroy(around);
  }
  for (auto i = sections.lower_bound(begin); i != sections.end() && i->first < begin + size;) {
    destroy(i->second);
    i = sections.erase(i);
  }
}

// Mapped memory may lie in an image's.
void leave_out_mapped(Part &part, uintptr_t address) {
  auto next = by_device().upper_bound(address);
  if (next != by_device().end()) part.end = std::min(part.end, next->first);
  if (next != by_device().begin()) part.begin = std::max(part.begin, std::prev(next)->second->end());
}

constexpr int kMostFrom = 16; // the same memory may be on several devices, from different beginnings

} // namespace

unsigned changes_of_sections() { return changes; }

Section *section_at(uintptr_t address) {
  if (holds(latest_at, address)) return latest_at.section;
  Section *section = section_in(by_device(), address);
  bool is_images = section == nullptr;
  if (is_images) section = section_in(of_images(), address);
  if (section == nullptr) return nullptr;
  Part part = {section, section->begin, section->end(), changes};
  if (is_images) leave_out_mapped(part, address);
  latest_at = part;
  return section;
}

bool is_image(uintptr_t begin) { return of_images().count(begin) != 0; }

Section *section_from(uintptr_t host, const Section *after) {
  auto i = by_host().upper_bound(host);
  bool found = after == nullptr;
  for (int steps = 0; steps < kMostFrom && i != by_host().begin(); steps++) {
    Section *section = (--i)->second;
    if (host - section->host >= section->size) continue;
    if (found) return section;
    found = section == after;
  }
  return nullptr;
}

Section *only_section_from(uintptr_t host) {
  if (holds(latest_from, host)) return latest_from.section;
  auto i = by_host().upper_bound(host);
  Part part = {nullptr, 0, i != by_host().end() ? i->first : UINTPTR_MAX, changes};
  for (int steps = 0; steps < kMostFrom && i != by_host().begin(); steps++) {
    Section *section = (--i)->second;
    uintptr_t end = section->host + section->size;
    if (host >= end) {
      part.begin = std::max(part.begin, end);
      continue;
    }
    if (part.section != nullptr) return nullptr;
    part = {section, std::max(part.begin, section->host), std::min(part.end, end), changes};
  }
  return part.section != nullptr ? (latest_from = part).section : nullptr;
}

bool may_be_mapped(uintptr_t host) {
  if (host >> kAddressBits != 0) return false;
  const uint8_t *table = pages[host >> (kPageBits + kTableBits)];
  return table != nullptr && table[host >> kPageBits & ((1 << kTableBits) - 1)] != 0;
}

size_t to_next_page(uintptr_t host) { return (size_t{1} << kPageBits) - (host & ((size_t{1} << kPageBits) - 1)); }

Section *add_section(Kind kind, uintptr_t begin, size_t size, uintptr_t host, int device, const char *name,
                     const char *place) {
  bool is_images = kind == Kind::image || kind == Kind::team;
  if (is_images) remove_overlapping(of_images(), begin, size);
  while (Section *old = is_images ? nullptr : first_overlapping(begin, size)) remove_section(old->begin);
  auto *section = static_cast<Section *>(__libc_calloc(1, sizeof(Section)));
  if (section == nullptr || size == 0) return nullptr;
  changes++;
  section->kind = kind;
  section->begin = begin;
  section->size = size;
  section->host = host;
  section->device = device;
  snprintf(section->name, sizeof section->name, "%s", name);
  snprintf(section->place, sizeof section->place, "%s", place);
  section->accesses = static_cast<Accesses *>(old_or_zeros((size / 4 + 2) * sizeof(Accesses)));
  section->since = now;
  (is_images ? of_images() : by_device())[begin] = section;
  if (is_images) return section;
  section->states = static_cast<uint8_t *>(zeros(size));
  if (host == 0) return section;
  section->before = static_cast<char *>(zeros(size));
  section->host_write = static_cast<uintptr_t *>(zeros(size + 8));
  forget_gone(host, size);
  by_host().emplace(host, section);
  note_pages(host, size);
  return section;
}

void remove_section(uintptr_t begin) {
  auto found = by_device().find(begin);
  if (found == by_device().end()) return;
  Section *section = found->second;
  by_device().erase(found);
  changes++;
  if (leaves_something(*section)) return keep_as_gone(*section);
  if (section->host != 0) forget_host(section);
  destroy(section);
}

// Moves the host's side of a section so that two addresses belong together, if a little is between.
static void align(Section &section, uintptr_t device, uintptr_t host) {
  constexpr uintptr_t most = 16;
  uintptr_t beginning = host - (device - section.begin);
  if (section.host == 0 || beginning >= section.host || section.host - beginning >= most) return;
  forget_host(&section);
  section.host = beginning;
  by_host().emplace(beginning, &section);
  note_pages(beginning, section.size);
}

void moved_to_device(uintptr_t device, uintptr_t host, size_t size) {
  Section *section = section_at(device);
  if (section == nullptr || section->states == nullptr) return;
  align(*section, device, host);
  for (size_t i = 0; i < size && device + i < section->end(); i++) section->states[device - section->begin + i] = kHasValue;
}

// What other devices have of the host's memory is no newer than what came from this one.
static void is_new_on_host(const Section &from, uintptr_t host, size_t size) {
  for (Section *other = section_from(host); other != nullptr; other = section_from(host, other))
    for (size_t i = host - other->host, end = i + size; other != &from && i < end && i < other->size; i++)
      if (other->states != nullptr) other->states[i] = static_cast<uint8_t>(other->states[i] & ~kDeviceIsNewer);
}

void moved_to_host(uintptr_t device, uintptr_t host, size_t size) {
  Section *section = section_at(device);
  if (section == nullptr || section->states == nullptr) return;
  align(*section, device, host);
  bool to_its_own = section->host != 0 && host - section->host == device - section->begin;
  for (size_t i = 0; i < size && device + i < section->end() && to_its_own; i++) {
    uint8_t &state = section->states[device - section->begin + i];
    if ((state & kHasValue) == 0) section->before[device - section->begin + i] = *reinterpret_cast<char *>(host + i);
    state = (state & kHasValue) != 0 ? kHasValue : kHostHasNone;
  }
  is_new_on_host(*section, host, size);
}

void forget_stack(uintptr_t begin, size_t size) {
  if (gone_sections == 0) return;
  Locked locked;
  forget_gone(begin, size);
}

void forget_host_memory(uintptr_t begin, size_t size) {
  bool may_be = false;
  for (uintptr_t page = begin >> kPageBits; !may_be && page <= (begin + size) >> kPageBits; page++)
    may_be = may_be_mapped(page << kPageBits);
  if (size == 0 || !may_be) return;
  forget_gone(begin, size);
  changes++;
  for (auto i = by_host().begin(); i != by_host().end();) {
    Section *section = i->second;
    bool goes = overlap(section->host, section->size, begin, size);
    i = goes ? by_host().erase(i) : std::next(i);
    if (goes) section->host = 0; // it is mapped still; what the host has there is something else
  }
}

} // namespace rex_check
