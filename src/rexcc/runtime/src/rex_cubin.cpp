// SPDX-License-Identifier: Apache-2.0
#include "rex_cubin.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace __rex REX_HIDDEN {

struct Cubin::Header {
  char magic[7];
  uint8_t os_abi, abi_version;
  char padding[7];
  uint16_t type, machine;
  uint32_t version;
  uint64_t entry, programs, sections;
  uint32_t flags;
  uint16_t header_size, program_size, program_count, section_size, section_count, names;
};
struct Cubin::Section {
  uint32_t name, type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment, entry_size;
};
struct Cubin::Symbol {
  uint32_t name;
  uint8_t info, other;
  uint16_t section;
  uint64_t value, size;

  bool is_object() const { return (info & 15) == 1; }
  bool is_code() const { return (info & 15) == 2; }
  bool is_local() const { return info >> 4 == 0; }
};

template <class What> bool Cubin::read(uint64_t offset, What &what) const {
  if (offset > size || size - offset < sizeof what) return false;
  memcpy(&what, bytes + offset, sizeof what);
  return true;
}

bool Cubin::is_valid() const {
  Header header;
  return read(0, header) && memcmp(header.magic, "\177ELF", 4) == 0 && header.machine == 190;
}

int Cubin::arch() const {
  Header header{};
  read(0, header);
  return static_cast<int>(header.abi_version == 8 ? header.flags >> 8 & 0xff : header.flags & 0xff);
}

bool Cubin::needs_older_label() const {
  Header header;
  return REX_CUBIN_ABI < 8 && is_valid() && read(0, header) && header.abi_version == 8;
}

void Cubin::relabel_as_abi_7(char *copy, int arch) {
  Header header;
  memcpy(&header, copy, sizeof header);
  header.os_abi = 0x33;
  header.abi_version = 7;
  header.flags = static_cast<uint32_t>(arch) << 16 | 0x500 | static_cast<uint32_t>(arch);
  memcpy(copy, &header, sizeof header);
}

// Whether the answer is yes for every symbol and the offset of its name. A table that cannot be read has one with no.
template <class Question> bool Cubin::every_symbol(const Header &header, Question question) const {
  constexpr uint32_t symbols = 2;
  for (uint16_t i = 0; i < header.section_count; i++) {
    Section section, names;
    if (!read(header.sections + i * sizeof section, section)) return false;
    if (section.type != symbols) continue;
    if (!read(header.sections + section.link * sizeof names, names)) return false;
    for (uint64_t at = 0; at + sizeof(Symbol) <= section.size; at += sizeof(Symbol)) {
      Symbol symbol;
      if (!read(section.offset + at, symbol) || !question(symbol, names.offset + symbol.name)) return false;
    }
  }
  return true;
}

bool Cubin::has_no_variables_of_users(const rex_offload_constant *constants, int64_t constant_count) const {
  Header header;
  if (!read(0, header) || header.section_size != sizeof(Section)) return false;
  const Known known = {constants, constants + constant_count};
  return every_symbol(header, [&](const Symbol &symbol, uint64_t name) {
    return is_none_of_users(header, symbol, name, known);
  });
}

bool Cubin::has_kernel(const char *name) const { return has_code(name, true); }
bool Cubin::calls(const char *name) const { return has_code(name, false); }

bool Cubin::has_code(const char *wanted, bool is_here) const {
  Header header;
  if (!read(0, header) || header.section_size != sizeof(Section)) return false;
  bool found = false;
  every_symbol(header, [&](const Symbol &symbol, uint64_t name) {
    return !(found = symbol.is_code() && (symbol.section != 0) == is_here && is_named(name, wanted));
  });
  return found;
}

// Calls what(section, offset of its name) for each section that can be read.
template <class What> void Cubin::every_section(const Header &header, What what) const {
  Section section, names;
  if (!read(header.sections + header.names * sizeof names, names)) return;
  for (uint16_t i = 0; i < header.section_count; i++)
    if (read(header.sections + i * sizeof section, section)) what(section, names.offset + section.name);
}

// The section .nv.info has a record for each fact: a format, what it is, and for one with a value the bytes of that.
void Cubin::read_registers(const Header &header, const Section &facts, std::unordered_map<std::string, Needs> &found) const {
  constexpr uint8_t with_value = 4, registers = 0x2f;
  struct Record {
    uint8_t format, fact;
    uint16_t size;
  } record;
  struct {
    uint32_t symbol, count;
  } value;
  Section symbols, names;
  Symbol symbol;
  if (!read(header.sections + facts.link * sizeof symbols, symbols)) return;
  if (!read(header.sections + symbols.link * sizeof names, names)) return;
  for (uint64_t at = facts.offset, end = facts.offset + facts.size; at < end && read(at, record);) {
    at += sizeof record;
    if (record.format != with_value) continue;
    const bool is_known = record.fact == registers && record.size == sizeof value && read(at, value);
    if (is_known && read(symbols.offset + value.symbol * sizeof symbol, symbol))
      found[text(names.offset + symbol.name)].registers = static_cast<int>(value.count);
    at += record.size;
  }
}

std::unordered_map<std::string, Cubin::Needs> Cubin::needs() const {
  static const char of_block[] = ".nv.shared.";
  std::unordered_map<std::string, Needs> found;
  Header header;
  if (!read(0, header) || header.section_size != sizeof(Section)) return found;
  every_section(header, [&](const Section &section, uint64_t name) {
    if (is_named(name, ".nv.info")) read_registers(header, section, found);
    const uint64_t function = name + sizeof of_block - 1;
    if (starts_with(name, of_block) && !starts_with(function, "reserved.")) found[text(function)].shared = section.size;
  });
  return found;
}

namespace {

const char kReductionLock[] = "__rex_reduction_lock"; // rex_device_reduce.h

// Whether a symbol is that of a variable: its name, also behind the scopes around it (`…9_exp_qmapE`, `_ZZ1fiE5table_0`), and
// behind what nvcc puts before names that are a file's own.
bool is_symbol_of(std::string symbol, const std::string &name) {
  if (symbol == name) return true;
  const std::string own = "__nv_static_", length = std::to_string(name.size());
  auto ends_with = [&](const std::string &end) {
    return symbol.size() > end.size() && symbol.compare(symbol.size() - end.size(), end.size(), end) == 0;
  };
  if (symbol.compare(0, own.size(), own) == 0) return ends_with("_" + name);
  if (symbol.compare(0, 2, "_Z") != 0) return false;
  size_t number = symbol.find_last_not_of("0123456789");
  if (number + 1 < symbol.size() && symbol[number] == '_' && !ends_with(length + name)) symbol.resize(number);
  return ends_with(length + name) || ends_with(length + name + "E");
}

} // namespace

bool Cubin::is_none_of_users(const Header &header, const Symbol &symbol, uint64_t name, Known constants) const {
  if (!symbol.is_object() || !is_global(header, symbol.section)) return true;
  if (symbol.is_local() && starts_with(name, "$str")) return true;       // a literal
  if (symbol.is_local() && starts_with(name, "__unnamed_")) return !constants.has_nameless(); // `__func__`, of `assert`
  if (symbol.is_local() && starts_with(name, "__cudart_")) return true;  // sines' and cosines' numbers
  if (symbol.is_local() && starts_with(name, "_ZTV")) return true;       // where a class's virtual functions are
  if (symbol.size == 1 && is_of_library(name)) return true;              // an object of an empty class
  if (is_named(name, REX_DEVICE_ENVIRONMENT)) return true;
  return is_constant(name, symbol.size, constants) || is_symbol_of(text(name), kReductionLock);
}

bool Cubin::is_global(const Header &header, uint16_t index) const {
  Section section, names;
  if (index == 0 || index >= header.section_count) return false;
  if (!read(header.sections + index * sizeof section, section)) return true;
  if (!read(header.sections + header.names * sizeof names, names)) return true;
  static const char global[] = ".nv.global";
  char start[sizeof global - 1];
  return !read(names.offset + section.name, start) || memcmp(start, global, sizeof start) == 0;
}

// Whether a mangled name is of CUDA's C++ library, also of the copy that a translation unit has to itself.
bool Cubin::is_of_library(uint64_t offset) const {
  static const char library[] = "4cuda3std";
  if (!starts_with(offset, "_ZN")) return false;
  offset += 3;
  if (starts_with(offset, library)) return true;
  uint64_t length = 0;
  for (char digit; read(offset, digit) && digit >= '0' && digit <= '9' && length < size; offset++)
    length = 10 * length + static_cast<uint64_t>(digit - '0');
  return starts_with(offset, "_INTERNAL_") && size - offset >= length && starts_with(offset + length, library);
}

bool Cubin::is_constant(uint64_t offset, uint64_t bytes_of_it, Known constants) const {
  const std::string symbol = text(offset);
  for (const rex_offload_constant *constant = constants.begin; constant != constants.end; constant++)
    if (bytes_of_it == static_cast<uint64_t>(constant->size) && is_symbol_of(symbol, constant->name)) return true;
  return false;
}

std::string Cubin::text(uint64_t offset) const {
  return offset < size ? std::string(bytes + offset, strnlen(bytes + offset, size - offset)) : std::string();
}

bool Cubin::Known::has_nameless() const {
  return std::any_of(begin, end, [](const rex_offload_constant &constant) { return constant.name[0] == 0; });
}

bool Cubin::is_named(uint64_t offset, const char *name) const { return has(offset, name, strlen(name) + 1); }
bool Cubin::starts_with(uint64_t offset, const char *name) const { return has(offset, name, strlen(name)); }
bool Cubin::has(uint64_t offset, const char *text, uint64_t length) const {
  return offset <= size && size - offset >= length && memcmp(bytes + offset, text, length) == 0;
}

} // namespace __rex
