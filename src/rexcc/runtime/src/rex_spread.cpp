// SPDX-License-Identifier: Apache-2.0
#include "rex_spread.h"

#include "rex_messages.h"
#include "rex_settings.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include <elf.h>
#include <link.h>

namespace __rex REX_HIDDEN {
namespace {

int device_of_this_rank = -1; // once ranks are spread

constexpr const char *default_device = "OMP_DEFAULT_DEVICE";

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

bool refer_to(std::initializer_list<const char *> names, bool asks_all) {
  Question question = {names, asks_all, true, false};
  dl_iterate_phdr(ask_object, &question);
  return question.answer;
}

Choices choices_of_process() {
  const char *wish = setting("REX_SPREAD_RANKS");
  Choices found;
  found.has_default_device = setting(default_device) != nullptr;
  found.wish = wish == nullptr ? -1 : strcmp(wish, "0") != 0;
  found.calls_routine = refer_to({"omp_set_default_device"}, true);
  found.names_devices = rex_names_devices != nullptr;
  found.uses_cuda = refer_to({"cudaSetDevice", "cudaMalloc", "cuCtxSetCurrent", "cuDevicePrimaryCtxRetain"}, false);
  return found;
}

} // namespace

Chooser who_chooses(const Choices &choices) {
  if (choices.has_default_device) return Chooser::user;
  if (choices.wish >= 0) return choices.wish == 0 ? Chooser::switched_off : Chooser::nobody;
  if (choices.calls_routine) return Chooser::routine;
  if (choices.names_devices) return Chooser::file;
  return choices.uses_cuda ? Chooser::other_runtime : Chooser::nobody;
}

std::string told_of_rank(const Rank &rank, int devices, Chooser chooser, bool has_begun) {
  std::string line = "rank " + std::to_string(rank.number);
  if (rank.count > 0) line += " of " + std::to_string(rank.count);
  line += std::string(" on this node (") + rank.variable + "): ";
  if (chooser == Chooser::nobody && !has_begun)
    return line + "its default device is " + std::to_string(device_of_rank(rank, devices)) + " of " + std::to_string(devices) +
           "; REX_SPREAD_RANKS=0 leaves all ranks on device 0";
  static const char *const reasons[] = {"OpenMP has begun before them",
                                        "OMP_DEFAULT_DEVICE is set",
                                        "REX_SPREAD_RANKS=0",
                                        "the program calls omp_set_default_device()",
                                        "the program names devices (REX_SPREAD_RANKS=1 spreads them all the same)",
                                        "the program chooses for CUDA (REX_SPREAD_RANKS=1 spreads them all the same)"};
  return line + "ranks are not spread over the " + std::to_string(devices) + " devices: " +
         reasons[static_cast<int>(chooser)];
}

Spread::Spread(int count) : devices(count) {
  if (devices > 1) rank = rank_of_node();
  if (rank.variable == nullptr) return;
  chooser = who_chooses(choices_of_process());
  if (chooser == Chooser::nobody) setenv(default_device, std::to_string(device_of_rank(rank, devices)).c_str(), 1);
}

void Spread::finish() {
  if (rank.variable == nullptr) return;
  int device = device_of_rank(rank, devices);
  bool is_taken = omp_get_default_device() == device;
  if (chooser == Chooser::nobody) {
    unsetenv(default_device);
    if (is_taken) device_of_this_rank = device;
  }
  if (switched_on("REX_INFO")) say(told_of_rank(rank, devices, chooser, !is_taken));
}

void check_named_device(const char *routine, int device) {
  if (device_of_this_rank < 0 || device == device_of_this_rank || device == omp_get_default_device() ||
      device == omp_get_initial_device())
    return;
  say(std::string(routine) + "() is asked for device " + std::to_string(device) + ", but this rank's default device is " +
      std::to_string(device_of_this_rank) + ", because no file with target regions names one; REX_SPREAD_RANKS=0 leaves all "
      "ranks on device 0");
  exit(EXIT_FAILURE);
}

} // namespace __rex
