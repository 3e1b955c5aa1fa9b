// SPDX-License-Identifier: Apache-2.0
#include "rex_relocations.h"

#include <cstring>

#include <elf.h>
#include <link.h>

namespace __rex REX_HIDDEN {
namespace {

// What a tag of an object's dynamic section says; null where it has none.
const ElfW(Dyn) *dynamic_row(const dl_phdr_info &object, ElfW(Sxword) tag) {
  for (int i = 0; i < object.dlpi_phnum; i++) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    auto *row = reinterpret_cast<const ElfW(Dyn) *>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    for (; row->d_tag != DT_NULL; row++)
      if (row->d_tag == tag) return row;
  }
  return nullptr;
}

// A table that it has. glibc makes addresses of the offsets in most objects.
template <class Row> const Row *table(const dl_phdr_info &object, ElfW(Sxword) tag) {
  const ElfW(Dyn) *row = dynamic_row(object, tag);
  if (row == nullptr) return nullptr;
  return reinterpret_cast<const Row *>(row->d_un.d_ptr + (row->d_un.d_ptr < object.dlpi_addr ? object.dlpi_addr : 0));
}

// Whether an object's relocations, of which there are two tables, ask for a name that others define.
bool refers_to(const dl_phdr_info &object, const char *name) {
  auto *symbols = table<ElfW(Sym)>(object, DT_SYMTAB);
  const char *names = table<char>(object, DT_STRTAB);
  if (symbols == nullptr || names == nullptr) return false;
  constexpr ElfW(Sxword) tables[][2] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
  for (auto [place, size] : tables) {
    auto *relocation = table<ElfW(Rela)>(object, place);
    const ElfW(Dyn) *bytes = dynamic_row(object, size);
    size_t count = relocation != nullptr && bytes != nullptr ? bytes->d_un.d_val / sizeof *relocation : 0;
    for (size_t i = 0; i < count; i++) {
      const ElfW(Sym) &symbol = symbols[ELF64_R_SYM(relocation[i].r_info)];
      if (symbol.st_shndx == SHN_UNDEF && strcmp(names + symbol.st_name, name) == 0) return true;
    }
  }
  return false;
}

// A question: whether the code of the program and of this link unit, or that of all objects, refers to one of these names.
struct Question {
  std::initializer_list<const char *> names;
  bool asks_all;
  bool is_first, answer;
};

bool is_this_unit(const dl_phdr_info &object) {
  auto here = reinterpret_cast<ElfW(Addr)>(&rex_offload);
  for (int i = 0; i < object.dlpi_phnum; i++) {
    ElfW(Addr) begin = object.dlpi_addr + object.dlpi_phdr[i].p_vaddr;
    if (object.dlpi_phdr[i].p_type == PT_LOAD && here >= begin && here - begin < object.dlpi_phdr[i].p_memsz) return true;
  }
  return false;
}

int ask_object(dl_phdr_info *object, size_t, void *asked) {
  auto &question = *static_cast<Question *>(asked);
  bool is_program = question.is_first;
  question.is_first = false;
  if (is_program || question.asks_all || is_this_unit(*object))
    for (const char *name : question.names) question.answer = question.answer || refers_to(*object, name);
  return question.answer;
}

} // namespace

bool refer_to(std::initializer_list<const char *> names, Asked asked) {
  Question question = {names, asked == Asked::all_objects, true, false};
  dl_iterate_phdr(ask_object, &question);
  return question.answer;
}

} // namespace __rex
