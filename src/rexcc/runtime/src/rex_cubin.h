// SPDX-License-Identifier: Apache-2.0
//
// A cubin (ELF64, machine 190): the fields of its header that the runtime looks at, the label that libomptarget wants
// there, and its variables in global memory.
#ifndef REX_CUBIN_H
#define REX_CUBIN_H

#include "rex_internal.h"

#include <string>
#include <unordered_map>

namespace __rex REX_HIDDEN {

class Cubin {
public:
  Cubin(const char *begin, const char *end) : bytes(begin), size(static_cast<uint64_t>(end - begin)) {}

  bool is_valid() const;

  // 90 for sm_90. CUDA 13 writes ABI version 8, with the architecture in another place.
  int arch() const;

  // Whether libomptarget takes it only with the label of ABI version 7.
  bool needs_older_label() const;

  // Writes that label into a copy. The driver loads code with it just as well.
  static void relabel_as_abi_7(char *copy, int arch);

  // Whether no variables lie in global memory but literals, names of functions, tables of virtual functions, empty objects of
  // CUDA's library, the one that tells OpenMP's routines about the devices, tables of NVIDIA's math library, locks of
  // reductions, and these constants. A file that cannot be read has some.
  bool has_no_variables_of_users(const rex_offload_constant *constants = nullptr, int64_t constant_count = 0) const;

  // Whether there is a kernel of this name, and whether code calls this function of CUDA's own.
  bool has_kernel(const char *name) const;
  bool calls(const char *name) const;

  // What a thread and a block of each function take: registers, and bytes of shared memory besides those of the launch.
  struct Needs {
    int registers = 0;
    uint64_t shared = 0;
  };
  std::unordered_map<std::string, Needs> needs() const;

private:
  struct Header;
  struct Section;
  struct Symbol;
  template <class What> bool read(uint64_t offset, What &what) const;
  struct Known {
    const rex_offload_constant *begin, *end;
    bool has_nameless() const;
  };
  template <class Question> bool every_symbol(const Header &header, Question question) const;
  bool has_code(const char *name, bool is_here) const;
  template <class What> void every_section(const Header &header, What what) const;
  void read_registers(const Header &header, const Section &facts, std::unordered_map<std::string, Needs> &found) const;
  bool is_none_of_users(const Header &header, const Symbol &symbol, uint64_t name, Known constants) const;
  bool is_constant(uint64_t offset, uint64_t bytes_of_it, Known constants) const;
  bool is_global(const Header &header, uint16_t index) const;
  bool is_of_library(uint64_t offset) const;
  std::string text(uint64_t offset) const;
  bool is_named(uint64_t offset, const char *name) const;
  bool starts_with(uint64_t offset, const char *name) const;
  bool has(uint64_t offset, const char *text, uint64_t length) const;

  const char *const bytes;
  const uint64_t size;
};

} // namespace __rex

#endif
