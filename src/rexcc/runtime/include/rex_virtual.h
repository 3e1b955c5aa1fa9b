// SPDX-License-Identifier: Apache-2.0
//
// The host's table of virtual functions' addresses, for device code that is given objects of the host: where the host
// file's module begins and ends, then a row for each part of a class that has a pointer to virtual functions. Included
// by the host files of such code. The tables are those of the C++ ABI of x86-64 (Itanium's).
#ifndef REX_VIRTUAL_H
#define REX_VIRTUAL_H


// The compiler's table of a class's virtual functions; null where the program has none, for then it has no objects.
#define REX_VTABLE(name, symbol)                                                                                       \
  __asm__(".weakref " #name "_there, " symbol "\n"                                                                     \
          ".pushsection .data.rel.ro.rex_vtables,\"aw\",@progbits\n"                                                    \
          ".balign 8\n"                                                                                                \
          ".globl " #name "\n.hidden " #name "\n" #name ":\n"                                                          \
          ".quad " #name "_there\n"                                                                                    \
          ".popsection\n");                                                                                            \
  extern "C" {                                                                                                         \
  extern const void *const *const name __attribute__((visibility("hidden")));                                          \
  }

// Before any code of the program, which may run regions.
#define REX_FIND_VTABLES static __attribute__((constructor(101))) void rex_find_vtables()

extern "C" {
extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));
extern const char _end[] __attribute__((weak, visibility("hidden")));
}
#define REX_MODULE_BEGIN __ehdr_start
#define REX_MODULE_END _end

// How far into an object of a class its part of a base class is.
#define REX_OFFSET_OF_BASE(derived, base) ((char *)(base *)(derived *)4096 - (char *)4096)

// What the part of an object at an offset points to. Behind the part's offset and the class's type, in the table of one
// part after the other, stand the functions.
static inline const void *rex_vtable_of(const void *const *table, __PTRDIFF_TYPE__ offset) {
  if (table == nullptr) return nullptr;
  const void *type = table[1];
  while ((__PTRDIFF_TYPE__)table[0] != -offset || table[1] != type) table++;
  return table + 2;
}

#endif
