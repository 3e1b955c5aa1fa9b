// SPDX-License-Identifier: Apache-2.0
#include "accesses.h"

#include "kernels.h"
#include "races.h"

#include <cstring>

#include <dlfcn.h>
#include <link.h>

namespace rex_check REX_CHECK_HIDDEN {
namespace {

// Whether all bytes of an access are in a state. A part that is not makes all of it good enough: what is read with a gap
// between members, or with neighbours, is no error.
bool all_are(const Section &section, size_t offset, size_t size, uint8_t mask, uint8_t wanted) {
  for (size_t i = offset; i < offset + size && i < section.size; i++)
    if ((section.states[i] & mask) != wanted) return false;
  return true;
}

char *hosts(const Section &section, size_t offset) { return reinterpret_cast<char *>(section.host + offset); }

// Whether two copies say the same: they are equal, or pointers of which the one is to the device's copy of what the other
// is to.
bool say_the_same(const char *device, const char *host, size_t size) {
  if (memcmp(device, host, size) == 0) return true;
  uintptr_t on_device, on_host;
  if (size != sizeof on_host) return false;
  memcpy(&on_device, device, size);
  memcpy(&on_host, host, size);
  for (Section *section = section_from(on_host); section != nullptr; section = section_from(on_host, section))
    if (on_host - section->host == on_device - section->begin) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// The host's.

// What instructions that nobody tells of have written since, the C library's, say, is seen by its value.
bool was_changed_unseen(const Section &section, size_t offset, size_t size) {
  return memcmp(hosts(section, offset), section.before + offset, size) != 0;
}

void host_reads(const Found &found, const Section &section) {
  size_t offset = found.address - section.host;
  size_t size = found.size < section.size - offset ? found.size : section.size - offset;
  if (all_are(section, offset, size, kHostHasNone, kHostHasNone)) {
    if (!is_wanted(Check::undefined) || was_changed_unseen(section, offset, size)) return;
    report_undefined_on_host(found, section);
  } else if (is_wanted(Check::stale) && all_are(section, offset, size, kDeviceIsNewer, kDeviceIsNewer)) {
    if (was_changed_unseen(section, offset, size)) return;
    auto *device = section.gone ? section.last + offset : reinterpret_cast<const char *>(section.begin + offset);
    if (!say_the_same(device, hosts(section, offset), size)) report_stale_on_host(found, section);
  }
}

void host_writes(const Found &found, Section &section) {
  size_t offset = found.address - section.host;
  for (size_t i = offset; i < offset + found.size && i < section.size; i++)
    section.states[i] = static_cast<uint8_t>((section.states[i] & kHasValue) | (section.gone ? 0 : kHostIsNewer));
  for (size_t i = offset / 8; i <= (offset + found.size - 1) / 8 && i <= section.size / 8; i++)
    section.host_write[i] = found.pc;
}

void host_accesses(const Found &found, Section &section) {
  if (section.states == nullptr) return;
  if (found.is_write) host_writes(found, section);
  else host_reads(found, section);
}

// ---------------------------------------------------------------------------------------------------------------------
// A kernel's.

void kernel_reads(const Found &found, const Section &section) {
  size_t offset = found.address - section.begin;
  if (all_are(section, offset, found.size, kHasValue, 0)) {
    if (is_wanted(Check::undefined)) report_undefined(found, section);
  } else if (section.host != 0 && all_are(section, offset, found.size, kHostIsNewer, kHostIsNewer)) {
    auto *device = reinterpret_cast<const char *>(section.begin + offset);
    size_t size = found.size < section.size - offset ? found.size : section.size - offset;
    if (is_wanted(Check::stale) && !say_the_same(device, hosts(section, offset), size))
      report_stale_on_device(found, section);
  }
}

void kernel_writes(const Found &found, Section &section) {
  size_t offset = found.address - section.begin;
  for (size_t i = offset; i < offset + found.size && i < section.size; i++) {
    if (section.host == 0) {
      section.states[i] = kHasValue;
    } else if ((section.states[i] & kDeviceIsNewer) == 0) {
      section.before[i] = *hosts(section, i);
      section.states[i] = kHasValue | kDeviceIsNewer;
    }
  }
}

// The program itself, without its libraries: dl_iterate_phdr names it first.
bool is_of_program(uintptr_t address) {
  auto look = [](dl_phdr_info *module, size_t, void *given) {
    uintptr_t address = *static_cast<uintptr_t *>(given);
    for (int i = 0; i < module->dlpi_phnum; i++) {
      const ElfW(Phdr) &part = module->dlpi_phdr[i];
      if (part.p_type == PT_LOAD && address - module->dlpi_addr - part.p_vaddr < part.p_memsz) return 2;
    }
    return 1;
  };
  if (dl_iterate_phdr(look, &address) != 2) return false;
  Dl_info symbol = {}; // streams of the C library's may have their place in the program
  if (dladdr(reinterpret_cast<void *>(address), &symbol) == 0 || symbol.dli_sname == nullptr) return true;
  for (const char *name : {"stdin", "stdout", "stderr", "environ"})
    if (strcmp(symbol.dli_sname, name) == 0) return false;
  return true;
}

bool wants_mapped_memory() { return is_wanted(Check::unmapped) && !running_kernel->shares_memory; }

// Addresses of memory that a kernel has itself: nothing was there to be told while blocks and sections are these.
struct OwnMemory {
  uintptr_t address;
  unsigned size, blocks, sections;
};
OwnMemory &own_memory_at(uintptr_t address) {
  constexpr unsigned most = 1024;
  static OwnMemory known[most];
  return known[(address >> 2 ^ address >> 12) % most];
}
bool is_own_memory(const Found &found) {
  const OwnMemory &known = own_memory_at(found.address);
  return known.address == found.address && known.size == found.size && known.blocks == changes_of_blocks() &&
         known.sections == changes_of_sections();
}

// No section is there. It may be memory that a kernel has itself; of the host's it must not be.
void kernel_accesses_other_memory(const Found &found) {
  if (is_own_memory(found)) return;
  if (const Block *block = block_at(found.address, true)) {
    bool is_within = found.address - block->begin < block->size;
    if (block->owner == Owner::host && is_within && wants_mapped_memory())
      report_unmapped(found, section_from(found.address), "memory that the host has allocated");
    if (block->owner == Owner::device && is_wanted(Check::bounds))
      if (const Section *section = section_at(block->begin)) report_bounds(found, *section);
    if (block->owner == Owner::host && !is_within && wants_mapped_memory())
      report_unmapped(found, nullptr, "beside memory that the host has allocated");
    return;
  }
  if (!wants_mapped_memory()) return;
  const Section *section = may_be_mapped(found.address) ? section_from(found.address) : nullptr;
  if (section != nullptr && section->gone) section = nullptr;
  if (section != nullptr) return report_unmapped(found, section, "");
  if (is_of_program(found.address)) return report_unmapped(found, nullptr, "a variable of the host's");
  own_memory_at(found.address) = {found.address, static_cast<unsigned>(found.size), changes_of_blocks(),
                                  changes_of_sections()};
}

// The stack that the kernel is executed on: its own part is below the frame.
bool is_on_own_stack(uintptr_t address) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  uintptr_t frame = running_kernel->frame;
  constexpr uintptr_t size_of_fiber = 1 << 20, below = 1 << 16;
  uintptr_t end = here < frame && frame - here < 8 * size_of_fiber ? frame : here + size_of_fiber;
  return address + below >= here && address < end;
}

bool is_on_hosts_stack(uintptr_t address) {
  return address >= running_kernel->frame && address < running_kernel->end_of_stack;
}

} // namespace

void host_accesses(const Found &found) {
  if (!may_be_mapped(found.address)) return;
  Locked locked;
  if (Section *only = only_section_from(found.address)) return host_accesses(found, *only);
  for (Section *section = section_from(found.address); section != nullptr;) {
    Section *next = section_from(found.address, section);
    host_accesses(found, *section);
    section = next;
  }
}

void kernel_accesses(const Found &found, bool is_atomic) {
  if (is_on_own_stack(found.address)) return;
  Locked locked;
  Section *section = section_at(found.address);
  if (section == nullptr) {
    if (is_on_hosts_stack(found.address) && wants_mapped_memory())
      return report_unmapped(found, section_from(found.address), "a variable on the host's stack");
    return kernel_accesses_other_memory(found);
  }
  fetch_early(*section, found.address, found.pc);
  if (found.address + found.size > section->end() && section->kind != Kind::image && section->kind != Kind::team &&
      is_wanted(Check::bounds))
    report_bounds(found, *section);
  if (section->states != nullptr && found.is_write) kernel_writes(found, *section);
  else if (section->states != nullptr) kernel_reads(found, *section);
  check_races(*section, found.address, found.size, found.is_write, is_atomic, found.pc);
}

} // namespace rex_check
